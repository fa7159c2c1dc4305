/**
 * Detects the differences between two snapshots of a target, with pure functions that map (state, observation) to
 * (change, state), all of them immutable. {@code ChangeDetector} is the entry point. Imports {@code market} and
 * {@code event}.
 */
@NullMarked
package io.tidemark.capture.change;

import org.jspecify.annotations.NullMarked;
