/**
 * A simulated market: the interface of the service answered by a pure function of seed and time. {@link
 * io.tidemark.simulator.Simulator}, {@link io.tidemark.simulator.SimulatorSettings} and {@link
 * io.tidemark.simulator.Scenario} are its only types for other packages. {@link io.tidemark.simulator.MarketModel}
 * wires the parts, which lie in the sub-packages. Imports {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.simulator;

import org.jspecify.annotations.NullMarked;
