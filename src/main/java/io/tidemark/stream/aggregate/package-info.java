/**
 * The aggregates over several resources. A subclass of {@code Aggregation} defines each aggregate. All aggregates
 * share {@code Members} before the repartition and {@code Groups} after it. Imports {@code stream.tick}, {@code
 * kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.aggregate;

import org.jspecify.annotations.NullMarked;
