package io.tidemark.poll;

import java.util.List;

/**
 * The calls that a source's plan allows.
 *
 * @param perMinute calls in any 60 seconds
 * @param perMonth calls in a month
 * @param share the part of both that this source may use, above 0 and at most 1
 * @param spent calls of this month that others made before the first start
 * @param billingDay day of the month on which the count starts again, at 00:00 UTC; the last day in shorter months
 */
public record PlanLimits(int perMinute, long perMonth, double share, long spent, int billingDay) {

  /** The part of a minute's calls that is permitted steadily. */
  static final double PACE = 0.98;

  private static final double MINUTES_OF_A_MONTH = 31 * 24 * 60;

  public PlanLimits {
    require(perMinute >= 1, "per-minute: at least 1, not " + perMinute);
    require(perMonth >= 1, "per-month: at least 1, not " + perMonth);
    require(share > 0 && share <= 1, "share: above 0 and at most 1, not " + share);
    require(spent >= 0, "spent: 0 or more, not " + spent);
    require(billingDay >= 1 && billingDay <= 31, "billing-day: 1 to 31, not " + billingDay);
  }

  /** The whole plan, counted by calendar months. */
  public static PlanLimits of(int perMinute, long perMonth) {
    return new PlanLimits(perMinute, perMonth, 1, 0, 1);
  }

  /**
   * The plans of several keys together, whose calls are made in proportion to what each may call in a month. The calls of
   * a month add up; those of a minute do for equal plans, and are as many as no key exceeds its own for others.
   */
  public static PlanLimits together(List<KeyLimits> keys, double share, long spent, int billingDay) {
    var perMonth = keys.stream().mapToLong(KeyLimits::perMonth).sum();
    var perMinute = keys.stream().distinct().count() == 1
        ? keys.size() * keys.getFirst().perMinute()
        : (int) Math.max(1, Math.floor(keys.stream()
            .mapToDouble(key -> (key.perMinute() - 1) * (double) perMonth / key.perMonth()).min().orElseThrow()));
    return new PlanLimits(perMinute, perMonth, share, spent, billingDay);
  }

  /** What one key may call. */
  public record KeyLimits(int perMinute, long perMonth) {
    public KeyLimits {
      require(perMinute >= 1, "per-minute: at least 1, not " + perMinute);
      require(perMonth >= 1, "per-month: at least 1, not " + perMonth);
    }
  }

  /** Calls a minute that can be made all the time: by the minute, and by the month spread evenly over 31 days. */
  public double sustainedPerMinute() {
    return Math.min(PACE * ownPerMinute(), ownPerMonth() / MINUTES_OF_A_MONTH);
  }

  /** Calls in any 60 seconds, by this source's share. */
  int ownPerMinute() {
    return Math.max(1, (int) (perMinute * share));
  }

  /** Calls in a month, by this source's share. */
  long ownPerMonth() {
    return Math.max(1, (long) (perMonth * share));
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
