/**
 * The time of a stream task, which ticks give, a queue by due time, state stores, and the record of each resource.
 * Imports {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.tick;

import org.jspecify.annotations.NullMarked;
