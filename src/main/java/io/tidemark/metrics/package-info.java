/**
 * The metrics of this process for Prometheus. Each label has a bounded set of values, never names or ids that others
 * choose. Imports {@code source}, {@code poll}, {@code ledger}, {@code change}, {@code stream}, {@code receiver},
 * {@code feed}, {@code web}, {@code topic}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
