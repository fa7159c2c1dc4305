/**
 * Prices of coins and currencies, and the operations about coins as a whole: global figures, a coin's history, asset
 * platforms. Imports {@code market}, {@code event} and {@code simulator.generator}.
 */
@NullMarked
package io.tidemark.simulator.coin;

import org.jspecify.annotations.NullMarked;
