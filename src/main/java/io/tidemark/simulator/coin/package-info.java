/** Coins of the simulated market. */
@NullMarked
package io.tidemark.simulator.coin;

import org.jspecify.annotations.NullMarked;
