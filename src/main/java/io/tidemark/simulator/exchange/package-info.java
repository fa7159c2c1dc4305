/**
 * Tickers of spot exchanges and pools, and derivatives exchanges with their contracts. Imports {@code market}, {@code
 * event} and of the simulator {@code pool}, {@code coin} and {@code generator}.
 */
@NullMarked
package io.tidemark.simulator.exchange;

import org.jspecify.annotations.NullMarked;
