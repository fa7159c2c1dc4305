/**
 * What the parts of a stream task share: its time, which ticks advance, a queue ordered by due time, state stores,
 * and the stored record of each resource. Imports {@code kafka} and {@code event}.
 */
@NullMarked
package io.tidemark.stream.tick;

import org.jspecify.annotations.NullMarked;
