/** Candles of prices; imports {@code topic}, {@code event} and {@code rule} only. */
@NullMarked
package io.tidemark.stream.candle;

import org.jspecify.annotations.NullMarked;
