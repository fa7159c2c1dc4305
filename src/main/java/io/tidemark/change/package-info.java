/**
 * What differs between two looks: pure functions from (state, observation) to (change, state); imports {@code market}
 * and {@code event} only.
 */
@NullMarked
package io.tidemark.change;

import org.jspecify.annotations.NullMarked;
