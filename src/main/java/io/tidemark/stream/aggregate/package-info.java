/**
 * The aggregates over several resources: one class defines each ({@code Aggregation}), all share the processors before
 * and behind one repartition ({@code AggregateTopology}). Imports {@code stream.tick}, {@code topic} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.aggregate;

import org.jspecify.annotations.NullMarked;
