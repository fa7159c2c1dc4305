/** Seeded random values of the simulated market. */
@NullMarked
package io.tidemark.simulator.generator;

import org.jspecify.annotations.NullMarked;
