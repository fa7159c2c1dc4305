package io.tidemark.capture.poll;

import io.tidemark.capture.poll.MonthlyBudget.BillingMonth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The calls that a source's plan allows.
 *
 * @param keys limits of each key, at least one; a service that needs no key has one key without a secret
 * @param share part of all these limits that this source may use, above 0 and at most 1
 * @param spent calls of this month that other programs made with these keys before the first start. At every start,
 *     at least this many calls of the month count as spent
 * @param billingDay day of the month on which the count restarts, at 00:00 UTC; the last day in shorter months
 */
public record PlanLimits(List<KeyLimits> keys, double share, long spent, int billingDay) {

  /** Part of the limit per minute that polling at a steady rate uses. */
  static final double PACE = 0.98;

  private static final double MINUTES_OF_A_MONTH = 31 * 24 * 60;

  public PlanLimits {
    keys = List.copyOf(keys);
    require(!keys.isEmpty(), "keys: must have at least one key");
    require(keys.stream().map(KeyLimits::name).distinct().count() == keys.size(), "keys: two keys have the same name");
    require(share > 0 && share <= 1, "share: must be above 0 and at most 1, got " + share);
    require(spent >= 0, "spent: must be 0 or more, got " + spent);
    require(billingDay >= 1 && billingDay <= 31, "billing-day: must be 1 to 31, got " + billingDay);
  }

  /**
   * The limits of one key.
   *
   * @param name name in logs, metrics and records: the configured name, or the position in the configuration from 1 on
   * @param perMinute calls in any 60 seconds
   * @param perMonth calls in a month
   */
  public record KeyLimits(String name, int perMinute, long perMonth) {
    private static final double PROBES = 0.01;
    private static final double MONTH_MILLIS = Duration.ofDays(31).toMillis();

    public KeyLimits {
      require(!name.isBlank(), "name: must not be empty");
      require(perMinute >= 1, "per-minute: must be at least 1, got " + perMinute);
      require(perMonth >= 1, "per-month: must be at least 1, got " + perMonth);
    }

    /**
     * Returns the time between two probes, which are calls that only find out the state of a key. This is {@code
     * shortest}, or longer so that probes take at most a hundredth of the key's calls of the month, or one call if
     * that is more.
     */
    Duration probeInterval(Duration shortest) {
      var affordable = Duration.ofMillis((long) (MONTH_MILLIS / Math.max(1, PROBES * perMonth)));
      return affordable.compareTo(shortest) < 0 ? shortest : affordable;
    }
  }

  /** Returns the time at which the billing month of the given time began. */
  public Instant monthStart(Instant at) {
    return BillingMonth.of(at, billingDay).start();
  }

  /** Returns the calls of all keys in any 60 seconds, regardless of {@code share}. */
  public int perMinute() {
    return keys.stream().mapToInt(KeyLimits::perMinute).sum();
  }

  /** Returns the calls of all keys in a month, regardless of {@code share}. */
  public long perMonth() {
    return keys.stream().mapToLong(KeyLimits::perMonth).sum();
  }

  /**
   * Returns the calls per minute that this source can send permanently within its share of these limits. The calls of
   * a month are spread evenly over 31 days.
   */
  public double sustainedPerMinute() {
    return own().stream().mapToDouble(key -> Math.min(PACE * key.perMinute(), key.perMonth() / MINUTES_OF_A_MONTH))
        .sum();
  }

  /** Returns the part of each key's limits that this source may use, at least 1 call. */
  List<KeyLimits> own() {
    return keys.stream().map(key -> new KeyLimits(
        key.name(), Math.max(1, (int) (key.perMinute() * share)), Math.max(1, (long) (key.perMonth() * share))))
        .toList();
  }

  /**
   * Returns a key's part of the given number of calls, in proportion to the keys' limits per month and rounded up.
   * The key must be one of {@link #own}.
   */
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
