/**
 * The metrics of this process for Prometheus. Labels have bounded sets of values: never a name or an id that a stranger
 * chose. Imports {@code source}, {@code poll}, {@code ledger}, {@code change}, {@code stream}, {@code receiver}, {@code
 * feed}, {@code web}, {@code topic}, {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
