/**
 * Detects the differences between two snapshots of a target, with pure functions that map a state and an observation to
 * a change and a new state, all of which are immutable. {@code ChangeDetector} is the entry point. Imports {@code
 * market} and {@code event}.
 */
@NullMarked
package io.tidemark.capture.change;

import org.jspecify.annotations.NullMarked;
