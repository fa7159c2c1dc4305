/** Candles of prices. Imports {@code stream.tick}, {@code kafka} and {@code event}. */
@NullMarked
package io.tidemark.stream.candle;

import org.jspecify.annotations.NullMarked;
