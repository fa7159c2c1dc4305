/** Treasuries of the simulated market. */
@NullMarked
package io.tidemark.simulator.treasury;

import org.jspecify.annotations.NullMarked;
