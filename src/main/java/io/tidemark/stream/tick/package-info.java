/** Time as ticks tell it, and what is due by it; imports {@code event} only. */
@NullMarked
package io.tidemark.stream.tick;

import org.jspecify.annotations.NullMarked;
