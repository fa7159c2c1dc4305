/**
 * One consistent small world of pools and coins, a pure function of seed and time; imports {@code market} and {@code
 * event} only.
 */
@NullMarked
package io.tidemark.simulator;

import org.jspecify.annotations.NullMarked;
