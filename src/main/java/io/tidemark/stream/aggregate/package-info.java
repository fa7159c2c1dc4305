/**
 * The aggregates: tables that are derived from several resources. Each aggregate is defined by a subclass of {@code
 * Aggregation}. {@code Members} processes all aggregates before the records are repartitioned by group, and {@code
 * Groups} processes them after that. Imports {@code stream.tick}, {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.aggregate;

import org.jspecify.annotations.NullMarked;
