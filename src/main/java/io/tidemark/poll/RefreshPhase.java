package io.tidemark.poll;

/**
 * When the service's cache is refreshed for one target, learned from the ages of its answers, and when the next poll can
 * show something new. Knows two kinds of cache: one that is refreshed on a schedule, and one that the first request after
 * expiry refreshes. Times are seconds of one clock, the caller's.
 *
 * <p>An age is in whole seconds, so each answer tells the refresh to within a second and its round trip; successive
 * answers narrow that down. Caches compute it in one of two ways: as the time since the refresh, rounded down, or as the
 * difference of two times in whole seconds, which can be almost a second more. The second way is recognized by an age of
 * a whole period, which the first cannot give. Without ages, the next poll is useful a period after the last one.
 */
final class RefreshPhase {

  /** How far two clocks drift apart, in seconds a second. */
  private static final double DRIFT = 20e-6;
  private static final double MARGIN = 0.01;
  /** A refresh that is known to the round trip and so much is not narrowed down by early polls any more. */
  private static final double PRECISE_SECONDS = 0.03;
  /** It is narrowed down again when clocks that may drift apart made it less certain by this part of the period. */
  private static final double IMPRECISE_PART = 0.003;
  /** A poll so long after the expected refresh tells the two kinds of cache apart. */
  private static final double LATE = 1.5;
  /** Refreshes that deviate by less than this part of the period are late or early, more is another phase. */
  private static final double MOST_JITTER = 0.15;
  private static final double EVIDENCE = 0.35;
  private static final double COUNTER_EVIDENCE = 0.1;

  private final double period;
  /** The refresh of the newest answer, between these times; unknown before the first age. */
  private double low = Double.NaN;
  private double high = Double.NaN;
  private double jitter;
  private double roundTrip = 0.1;
  /** From 0, on a schedule, to 1, refreshed by the first request after expiry. */
  private double restarts;
  private double lastSent = Double.NaN;
  /** Whether ages are differences of two times in whole seconds. */
  private boolean differences;
  /** Whether early polls are to narrow the refresh down. */
  private boolean narrowing = true;

  RefreshPhase(double period) {
    this.period = period;
  }

  double period() {
    return period;
  }

  /** Whether the time of the refreshes is known. */
  boolean isKnown() {
    return !Double.isNaN(high);
  }

  /** Whether a request after expiry refreshes the cache. */
  boolean isRefreshedByRequests() {
    return restarts > 0.5;
  }

  /** Seconds within which the refresh is known. */
  double uncertainty() {
    return isKnown() ? high - low : period;
  }

  /** A refresh that is known, as the latest time that it can have; NaN where none is. */
  double refreshedAt() {
    return high;
  }

  /** Continues with the refresh that an earlier session knew. */
  void restore(double refreshedAt, double uncertainty, boolean byRequests) {
    high = refreshedAt;
    low = refreshedAt - Math.clamp(uncertainty, 0, period);
    restarts = byRequests ? 1 : 0;
  }

  /**
   * Learns from an answer.
   *
   * @param age of the answer in whole seconds by its header; NaN where it has none
   * @return when the answer's content was taken, at the latest
   */
  double answered(double sent, double received, double age) {
    roundTrip += 0.25 * (received - sent - roundTrip);
    lastSent = sent;
    if (Double.isNaN(age) && !isKnown()) {
      return sent;
    }
    var cached = Double.isNaN(age) ? 0 : age;
    if (!differences && isKnown() && cached >= period && cached < period + 1) {
      differences = true;
      high++;
    }
    learnKind(sent, cached);
    var from = Math.max(sent - cached - 1, cached < period + 1 ? sent - period : Double.NEGATIVE_INFINITY);
    var to = differences ? Math.min(received, received - cached + 1) : received - cached;
    if (isRefreshedByRequests() || !isKnown()) {
      follow(from, to, received, cached);
    } else {
      narrow(from, to, sent, cached);
    }
    var precise = roundTrip + PRECISE_SECONDS;
    narrowing = uncertainty() > (narrowing ? precise : precise + IMPRECISE_PART * period);
    return high;
  }

  /**
   * A poll right after the latest time of the refresh finds it done if it is on a schedule. If requests refresh, it may come
   * just before the body expires, since the refresh before was as late as its request.
   */
  private void learnKind(double sent, double age) {
    var since = sent + roundTrip / 2 - high - period;
    if (isRefreshedByRequests() || Double.isNaN(high) || since < 0 || since > 1 || period < 3) {
      return;
    }
    restarts += age >= period - 1 ? EVIDENCE * (1 - restarts) : -COUNTER_EVIDENCE * restarts;
  }

  /** The earliest time after the given one at which a poll shows something new. */
  double nextUseful(double after, double dither) {
    if (!isKnown()) {
      return Double.isNaN(lastSent) ? after : Math.max(after, lastSent + period);
    }
    if (isRefreshedByRequests()) {
      return Math.max(after, high + period + 2 * MARGIN);
    }
    var aim = high + jitter / 2 - roundTrip / 2 + MARGIN;
    var turns = Math.max(1, Math.floor((after - aim) / period) + 1);
    var early = narrowing ? dither * uncertainty() : 0;
    return Math.max(after, aim + turns * period - early);
  }

  /** Each request may refresh the cache, so only the newest answer counts. A refresh by others ends that. */
  private void follow(double from, double to, double received, double age) {
    if (isKnown() && age >= LATE) {
      var turns = Math.rint((to - high) / period);
      var scheduled = turns >= 1 && Math.abs(to - high - turns * period) < 1;
      restarts += EVIDENCE * ((scheduled ? 0 : 1) - restarts);
    }
    low = from;
    high = Math.min(to, received);
  }

  private void narrow(double from, double to, double sent, double age) {
    var turns = Math.rint(((from + to) - (low + high)) / 2 / period);
    var drift = Math.abs(turns) * period * DRIFT + jitter / 2;
    var expectedLow = low + turns * period - drift;
    var expectedHigh = high + turns * period + drift;
    var latest = Math.floor((sent - expectedHigh) / period) * period + expectedHigh;
    var sentLate = sent - latest > LATE;
    low = Math.max(from, expectedLow);
    high = Math.min(to, expectedHigh);
    var apart = low - high;
    if (apart <= 0) {
      restarts -= sentLate && age >= 1 ? EVIDENCE * restarts : 0;
      jitter *= 0.98;
      return;
    }
    low = from;
    high = to;
    if (apart < MOST_JITTER * period && !(sentLate && age < 1)) {
      jitter = Math.min(MOST_JITTER * period, Math.max(jitter, 2 * apart));
    } else {
      restarts += sentLate && age < 1 ? EVIDENCE * (1 - restarts) : 0;
    }
  }
}
