package io.tidemark.simulator;

import org.jspecify.annotations.Nullable;

/**
 * A token that somebody launched, with the pool it began in.
 *
 * @param curve the bonding curve of that pool; null where it was an ordinary one
 * @param graduate pool to which it moves when the curve is full; null where it never is
 */
record Launch(TokenFacts token, PoolFacts pool, @Nullable CurveCourse curve, @Nullable PoolFacts graduate) {
  /** The graduate's pool, if the launch has graduated by then. */
  @Nullable
  PoolFacts graduate(long at) {
    return graduate != null && graduate.created() <= at ? graduate : null;
  }

  boolean exists(long at) {
    return pool.created() <= at;
  }
}
