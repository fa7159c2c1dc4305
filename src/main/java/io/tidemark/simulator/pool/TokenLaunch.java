package io.tidemark.simulator.pool;

import org.jspecify.annotations.Nullable;

/**
 * A token that somebody launched, with the pool it began in.
 *
 * @param curve the bonding curve of that pool; null where it was an ordinary one
 * @param graduate pool to which it moves when the curve is full; null where it never is
 */
record TokenLaunch(SimulatedToken token, SimulatedPool pool, @Nullable BondingCurveDynamics curve,
    @Nullable SimulatedPool graduate) {
  /** The graduate's pool, if the launch has graduated by then. */
  @Nullable
  SimulatedPool graduate(long at) {
    return graduate != null && graduate.created() <= at ? graduate : null;
  }

  boolean exists(long at) {
    return pool.created() <= at;
  }
}
