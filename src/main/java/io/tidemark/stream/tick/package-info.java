/** The time of a stream task as ticks give it, a queue by due time, and state stores. Imports {@code topic} only. */
@NullMarked
package io.tidemark.stream.tick;

import org.jspecify.annotations.NullMarked;
