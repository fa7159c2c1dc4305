package io.tidemark.simulator;

import io.tidemark.event.Launchpad;
import io.tidemark.event.LaunchpadDetails;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A launched token with its first pool.
 *
 * @param curve bonding curve of the first pool; null where it is an ordinary pool
 * @param graduate pool to which the token graduates; null where it never does
 */
record TokenLaunch(
    SimulatedToken token, SimulatedPool pool, @Nullable BondingCurveDynamics curve, @Nullable SimulatedPool graduate) {
  private static final Set<String> NULLS_BEFORE_GRADUATION = Set.of(
      "launchpad.launchpad_details.completed_at",
      "launchpad.launchpad_details.migrated_destination_pool_address");

  /** The pool to which the token has graduated by a time; null before. */
  @Nullable
  SimulatedPool graduate(long at) {
    return graduate != null && graduate.created() <= at ? graduate : null;
  }

  /** The facet {@code launchpad}; null where there is no bonding curve. */
  @Nullable
  Launchpad launchpad(long at) {
    if (curve == null) {
      return null;
    }
    double percent = AnswerFormats.rounded(100 * curve.raised(pool.trades().blockAt(at)), 2);
    var reached = graduate(at);
    return new Launchpad(reached == null
        ? new LaunchpadDetails(percent, false, null, null)
        : new LaunchpadDetails(100.0, true, AnswerFormats.second(reached.created()), reached.address()));
  }

  /** What is null in the facet {@code launchpad}. */
  Set<String> launchpadNulls(long at) {
    return curve == null || graduate(at) != null ? Set.of() : NULLS_BEFORE_GRADUATION;
  }
}
