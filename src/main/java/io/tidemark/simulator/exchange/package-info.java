/** Exchanges of the simulated market. */
@NullMarked
package io.tidemark.simulator.exchange;

import org.jspecify.annotations.NullMarked;
