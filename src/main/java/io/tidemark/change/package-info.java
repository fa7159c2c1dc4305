/**
 * Detects what differs between two snapshots of a target: pure functions from (state, observation) to (change, state),
 * immutable in and out. {@code ChangeDetector} is the door. Imports {@code market} and {@code event}.
 */
@NullMarked
package io.tidemark.change;

import org.jspecify.annotations.NullMarked;
