/**
 * A simulated market: the interface of the service answered by a pure function of seed and time. {@code Simulator}, {@code
 * SimulatorSettings} and {@code Scenario} are its only types for other packages. {@code Simulator} wires the parts: prices
 * of coins, pools and their trades, tickers, derivatives, treasuries. Imports {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.simulator;

import org.jspecify.annotations.NullMarked;
