package io.tidemark.simulator;

import java.util.function.LongToDoubleFunction;

/**
 * The value of a token outside of its pools; prices in established pools follow it.
 *
 * @param reference USD around which the value wanders
 * @param usd at a time in epoch milliseconds
 */
record TokenValue(double reference, LongToDoubleFunction usd) {
  double usd(long at) {
    return usd.applyAsDouble(at);
  }
}
