/**
 * Detects the differences between a snapshot of a target and the known states of its resources, with pure functions
 * that map a state and an observation to a change and a new state, and never alter the state and the observation.
 * {@code ChangeDetector} is the entry point. Imports {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.capture.change;

import org.jspecify.annotations.NullMarked;
