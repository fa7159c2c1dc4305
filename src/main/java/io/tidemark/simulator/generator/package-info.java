/**
 * What every part of the simulated market is computed with: random numbers, walks and schedules as pure functions of
 * seed and time, tables, and the forms of the service's answers. Imports nothing of ours.
 */
@NullMarked
package io.tidemark.simulator.generator;

import org.jspecify.annotations.NullMarked;
