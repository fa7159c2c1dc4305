package io.tidemark.poll;

import java.time.Duration;
import java.util.List;

/**
 * The calls that a source's plan allows.
 *
 * @param keys what each key may call, at least one; a service that needs no key has one without a secret
 * @param share the part of all of it that this source may use, above 0 and at most 1
 * @param spent calls of this month that others made with these keys before the first start
 * @param billingDay day of the month on which the count starts again, at 00:00 UTC; the last day in shorter months
 */
public record PlanLimits(List<KeyLimits> keys, double share, long spent, int billingDay) {

  /** The part of a minute's calls that is permitted steadily. */
  static final double PACE = 0.98;

  private static final double MINUTES_OF_A_MONTH = 31 * 24 * 60;

  public PlanLimits {
    keys = List.copyOf(keys);
    require(!keys.isEmpty(), "keys: at least one");
    require(keys.stream().map(KeyLimits::name).distinct().count() == keys.size(), "keys: two have the same name");
    require(share > 0 && share <= 1, "share: above 0 and at most 1, not " + share);
    require(spent >= 0, "spent: 0 or more, not " + spent);
    require(billingDay >= 1 && billingDay <= 31, "billing-day: 1 to 31, not " + billingDay);
  }

  /** The plan of one key. */
  public PlanLimits(int perMinute, long perMonth, double share, long spent, int billingDay) {
    this(List.of(new KeyLimits("1", perMinute, perMonth)), share, spent, billingDay);
  }

  /** The whole plan of one key, counted by calendar months. */
  public static PlanLimits of(int perMinute, long perMonth) {
    return new PlanLimits(perMinute, perMonth, 1, 0, 1);
  }

  /**
   * What one key may call.
   *
   * @param name in logs, metrics and records: that of the configuration, or the position there from 1 on
   * @param perMinute calls in any 60 seconds
   * @param perMonth calls in a month
   */
  public record KeyLimits(String name, int perMinute, long perMonth) {
    private static final double PROBES = 0.01;
    private static final double MONTH_MILLIS = Duration.ofDays(31).toMillis();

    public KeyLimits {
      require(!name.isBlank(), "name: not empty");
      require(perMinute >= 1, "per-minute: at least 1, not " + perMinute);
      require(perMonth >= 1, "per-month: at least 1, not " + perMonth);
    }

    /** Time between two calls that only ask whether something is still so: at most a hundredth of the month is spent so. */
    Duration probeInterval(Duration shortest) {
      var affordable = Duration.ofMillis((long) (MONTH_MILLIS / Math.max(1, PROBES * perMonth)));
      return affordable.compareTo(shortest) < 0 ? shortest : affordable;
    }
  }

  /** Calls of all keys in any 60 seconds. */
  public int perMinute() {
    return keys.stream().mapToInt(KeyLimits::perMinute).sum();
  }

  /** Calls of all keys in a month. */
  public long perMonth() {
    return keys.stream().mapToLong(KeyLimits::perMonth).sum();
  }

  /** Calls a minute that can be made all the time: by the minute, and by the month spread evenly over 31 days. */
  public double sustainedPerMinute() {
    return own().stream().mapToDouble(key -> Math.min(PACE * key.perMinute(), key.perMonth() / MINUTES_OF_A_MONTH))
        .sum();
  }

  /** What each key may call for this source. */
  List<KeyLimits> own() {
    return keys.stream().map(key -> new KeyLimits(
        key.name(), Math.max(1, (int) (key.perMinute() * share)), Math.max(1, (long) (key.perMonth() * share))))
        .toList();
  }

  /** A key's part of so many calls: in proportion to the months, rounded up. */
  long part(KeyLimits key, long calls) {
    var ofSource = own().stream().mapToLong(KeyLimits::perMonth).sum();
    return (long) Math.ceil(calls * (double) key.perMonth() / ofSource);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
