/**
 * Detects what differs between two snapshots of a target, with pure functions from (state, observation) to (change,
 * state), immutable in and out. {@code ChangeDetector} is the entry point. Imports {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.capture.change;

import org.jspecify.annotations.NullMarked;
