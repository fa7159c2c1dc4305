/**
 * Types that the parts of a stream task share: the time of the task, which ticks advance, a queue ordered by due time,
 * state stores, and the stored record of each resource. Imports {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.tick;

import org.jspecify.annotations.NullMarked;
