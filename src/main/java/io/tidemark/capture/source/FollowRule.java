package io.tidemark.capture.source;

import io.tidemark.event.PoolListing;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BiPredicate;

/**
 * A rule that watches pools closely for a time after they enter a list. For each pool, the rule writes the same
 * command as {@code watch add} does, with an end time. The command is in the same transaction as the listing, so that
 * the same pools are watched after a failover.
 *
 * @param entering kind of the lists that a pool must enter: {@code trending}, {@code new}, {@code dex}, {@code token}
 *     or {@code search}
 * @param where condition that a record of {@code pool.listing} must meet at the current time
 * @param keep duration for which a pool is watched
 * @param most maximum number of pools that are watched at the same time when this rule adds one; counts the pools of
 *     all rules for the same kind of list
 * @param weight weight of each pool's target
 */
public record FollowRule(
    String entering, BiPredicate<PoolListing, Instant> where, Duration keep, int most, double weight) {

  public FollowRule {
    if (most < 1 || most > 10_000) {
      throw new IllegalArgumentException("most: must be 1 to 10000, got " + most);
    }
    if (!keep.isPositive()) {
      throw new IllegalArgumentException("for: must be positive, got " + keep);
    }
  }

  /** Returns the name that the rule's commands carry as their author, the same for all rules for a kind of list. */
  String author() {
    return "follow " + entering;
  }

  /**
   * Returns whether a listing says that a pool has entered a list of this rule's kind, and meets the condition. The
   * pools of a baseline may have been in the list before.
   */
  boolean matches(PoolListing listing, Instant now) {
    return listing.getAction().equals("entered") && !listing.getOrigin().getBaseline()
        && listing.getKind().equals(entering) && where.test(listing, now);
  }
}
