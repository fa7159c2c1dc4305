package io.tidemark.poll;

import io.tidemark.poll.AgeIndex.CacheKind;

/**
 * When the service's cache is refreshed for one target, learned from the ages of its answers, and when the next poll can
 * show something new. Knows two kinds of cache: one that is refreshed on a schedule, and one that the first request after
 * expiry refreshes. Polls that come 1.5 seconds after the expected refresh tell the kinds apart: only a cache of
 * the second kind then answers with a body that it has just fetched. Times are seconds of one clock, the caller's.
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
  /** A poll so long after the expected refresh tells the two kinds of cache apart, since ages are in whole seconds. */
  private static final double LATE = 1.5;
  /** With a shorter period, no poll is late to tell the kinds of cache apart. */
  private static final double SHORTEST_TO_WAIT = 2.5;
  /** Refreshes that deviate by less than this part of the period are late or early, more is another phase. */
  private static final double MOST_JITTER = 0.15;
  private static final double JITTER_DECAY = 0.98;
  /** What one observation moves the kind of the cache towards 0 or 1, and how close it has to be to either. */
  private static final double EVIDENCE = 0.5;
  private static final double DECIDED = 0.2;
  /** A refresh later than it can be on a schedule is so much evidence for the other kind: that is looked at again. */
  private static final double DOUBT = 0.15;
  /** By how much the quickest round trip is taken to be longer after each answer, since the way may become longer. */
  private static final double SLOWER = 1.01;

  private final double period;
  /** The refresh of the newest answer, between these times; unknown before the first age. */
  private double low = Double.NaN;
  private double high = Double.NaN;
  private double jitter;
  /** The quickest of late. */
  private double roundTrip = Double.POSITIVE_INFINITY;
  /** From 0, on a schedule, to 1, refreshed by the first request after expiry. */
  private double restarts = 0.5;
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

  /** What is known of the kind of the cache. */
  CacheKind kind() {
    if (restarts > 1 - DECIDED) {
      return CacheKind.ON_REQUEST;
    }
    return restarts < DECIDED ? CacheKind.ON_SCHEDULE : CacheKind.UNKNOWN;
  }

  /** Whether a request after expiry refreshes the cache, as far as it is known. */
  boolean isRefreshedByRequests() {
    return kind() == CacheKind.ON_REQUEST;
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
  void restore(double refreshedAt, double uncertainty, CacheKind kind) {
    high = refreshedAt;
    low = refreshedAt - Math.clamp(uncertainty, 0, period);
    restarts = switch (kind) {
      case UNKNOWN -> 0.5;
      case ON_REQUEST -> 1;
      case ON_SCHEDULE -> 0;
    };
  }

  /**
   * Learns from an answer.
   *
   * @param age of the answer in whole seconds by its header; NaN where it has none
   * @return when the answer's content was taken, at the latest
   */
  double answered(double sent, double received, double age) {
    roundTrip = Math.min(received - sent, SLOWER * roundTrip);
    lastSent = sent;
    if (Double.isNaN(age) && !isKnown()) {
      return sent;
    }
    var cached = Double.isNaN(age) ? 0 : age;
    if (!differences && isKnown() && cached >= period && cached < period + 1) {
      differences = true;
      high++;
      jitter = 0;
    }
    var from = Math.max(sent - cached - 1, cached < period + 1 ? sent - period : Double.NEGATIVE_INFINITY);
    var to = differences ? Math.min(received, received - cached + 1) : received - cached;
    if (isRefreshedByRequests() || !isKnown()) {
      follow(from, to, received, cached);
    } else {
      narrow(from, to, sent, received, cached);
    }
    var precise = roundTrip + PRECISE_SECONDS;
    narrowing = uncertainty() > (narrowing ? precise : precise + IMPRECISE_PART * period);
    return high;
  }

  /**
   * The earliest time after the given one at which a poll shows something new.
   *
   * @param dither from 0 to 1, how early a poll is that narrows the refresh down; 0: no poll is early or late to learn
   */
  double nextUseful(double after, double dither) {
    if (!isKnown()) {
      return Double.isNaN(lastSent) ? after : Math.max(after, lastSent + period);
    }
    var next = high + period;
    if (isRefreshedByRequests()) {
      return Math.max(after, next + 2 * MARGIN);
    }
    if (dither > 0 && kind() == CacheKind.UNKNOWN && period >= SHORTEST_TO_WAIT) {
      return Math.max(after, next + jitter / 2 + LATE + 2 * MARGIN);
    }
    var early = narrowing ? dither * uncertainty() : 0;
    var oneWay = Double.isInfinite(roundTrip) ? 0 : roundTrip / 2;
    return Math.max(after, next + jitter / 2 - oneWay + MARGIN - early);
  }

  /** Each request may refresh the cache, so only the newest answer counts. A refresh by others ends that. */
  private void follow(double from, double to, double received, double age) {
    if (isKnown() && age >= LATE) {
      var turns = Math.rint((to - high) / period);
      learnKind(turns < 1 || Math.abs(to - high - turns * period) >= 1, EVIDENCE);
    }
    low = from;
    // an age of 1 is also that of a refresh by this request, over the end of a second
    high = age < LATE ? received : Math.min(to, received);
  }

  private void narrow(double from, double to, double sent, double received, double age) {
    var turns = Math.rint(((from + to) - (low + high)) / 2 / period);
    var drift = Math.abs(turns) * period * DRIFT + jitter / 2;
    var expectedLow = low + turns * period - drift;
    var expectedHigh = high + turns * period + drift;
    var latest = Math.floor((sent - expectedHigh) / period) * period + expectedHigh;
    var sentLate = sent - latest > LATE && received < latest + period - (expectedHigh - expectedLow);
    if (sentLate) {
      learnKind(age < 1, EVIDENCE);
    }
    low = Math.max(from, expectedLow);
    high = Math.min(to, expectedHigh);
    var apart = low - high;
    if (apart <= 0) {
      jitter *= JITTER_DECAY;
      return;
    }
    low = from;
    high = to;
    if (apart < MOST_JITTER * period && !(sentLate && age < 1)) {
      jitter = Math.min(MOST_JITTER * period, Math.max(jitter, 2 * apart));
    }
    if (!sentLate && from > expectedHigh) {
      learnKind(true, DOUBT);
    }
  }

  private void learnKind(boolean byRequests, double evidence) {
    restarts += evidence * ((byRequests ? 1 : 0) - restarts);
  }
}
