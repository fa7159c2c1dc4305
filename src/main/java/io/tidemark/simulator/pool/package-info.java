/** Pools and tokens of the simulated market. */
@NullMarked
package io.tidemark.simulator.pool;

import org.jspecify.annotations.NullMarked;
