/**
 * The aggregates over several resources. One class defines each ({@code Aggregation}); all share {@code Members}
 * before and {@code Groups} after one repartition. Imports {@code stream.tick}, {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.aggregate;

import org.jspecify.annotations.NullMarked;
