/**
 * A simulated market, which answers the interface of the service by a pure function of settings and time. Other
 * packages use only {@code Simulator}, {@code SimulatorSettings} and {@code Scenario}. {@code Simulator} wires the
 * parts: prices of coins, pools and their trades, tickers, derivatives, treasuries. Imports {@code market} and
 * {@code event}.
 */
@NullMarked
package io.tidemark.simulator;

import org.jspecify.annotations.NullMarked;
