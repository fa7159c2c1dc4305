package io.tidemark.capture.poll;

import io.tidemark.capture.poll.AgeIndex.CacheKind;

/**
 * The times at which the service's cache is refreshed for one target, learned from the ages of the answers. These times
 * tell when the next poll can show something new. There are two kinds of cache: one is refreshed on a schedule, the
 * other by the first request after expiry. Polls that come 1.5 seconds after the expected refresh tell the kinds apart,
 * because only a cache of the second kind then answers with a body that it has just fetched. Times are seconds of the
 * caller's clock.
 *
 * <p>An age is in whole seconds, so each answer locates the refresh to within a second plus the call's round trip.
 * Successive answers narrow the time down. Caches compute the age in one of two ways: as the time since the refresh,
 * rounded down, or as the difference of two times in whole seconds, which can be almost a second more. An age of a
 * whole period reveals the second way, since the first cannot produce it. Without ages, the next poll is useful a
 * period after the last one.
 */
final class RefreshPhase {

  /** Drift between two clocks, in seconds per second. */
  private static final double DRIFT = 20e-6;
  private static final double MARGIN = 0.01;
  /**
   * Seconds, in addition to the round trip, within which the time of a refresh must be known before early polls stop
   * narrowing it down.
   */
  private static final double PRECISE_SECONDS = 0.03;
  /** Part of the period by which the uncertainty must grow again, because of clock drift, before early polls resume. */
  private static final double IMPRECISE_PART = 0.003;
  /**
   * Seconds after the expected refresh at which a poll tells the two kinds of cache apart, since ages are in whole
   * seconds.
   */
  private static final double LATE = 1.5;
  /** Minimum period, in seconds, of a cache for which polls are delayed to tell the kinds of cache apart. */
  private static final double SHORTEST_TO_WAIT = 2.5;
  /**
   * Maximum deviation of a refresh from its expected time, as a part of the period. A larger deviation means that the
   * refreshes now happen at other times.
   */
  private static final double MOST_JITTER = 0.15;
  private static final double JITTER_DECAY = 0.98;
  /** Part of the remaining way to 0 or 1 by which one observation moves {@code restarts}, the kind of the cache. */
  private static final double EVIDENCE = 0.5;
  /** Distance of {@code restarts} from 0 or 1 below which the kind of the cache counts as known. */
  private static final double DECIDED = 0.2;
  /**
   * Part of the remaining way to 1 by which a refresh that is later than a schedule allows moves {@code restarts}. Such
   * a refresh is evidence for a cache that is refreshed by requests, and leads to another check of the kind.
   */
  private static final double DOUBT = 0.15;
  /**
   * Factor by which the shortest round trip is assumed to grow with each answer, since the network path may become
   * longer.
   */
  private static final double SLOWER = 1.01;

  private final double period;
  /** Earliest possible time of the refresh from which the newest answer comes; NaN before the first age is known. */
  private double low = Double.NaN;
  /** Latest possible time of the refresh from which the newest answer comes; NaN before the first age is known. */
  private double high = Double.NaN;
  private double jitter;
  /** Shortest round trip of the recent calls, in seconds. */
  private double roundTrip = Double.POSITIVE_INFINITY;
  /** Kind of the cache, from 0 (refreshed on a schedule) to 1 (refreshed by the first request after expiry). */
  private double restarts = 0.5;
  /** Time of the newest poll; negative infinity before the first one. */
  private double lastSent = Double.NEGATIVE_INFINITY;
  /** Whether the cache computes ages as differences of two times in whole seconds. */
  private boolean differences;
  /** Whether polls come early to narrow down the time of the refresh. */
  private boolean narrowing = true;

  RefreshPhase(double period) {
    this.period = period;
  }

  double period() {
    return period;
  }

  boolean isKnown() {
    return !Double.isNaN(high);
  }

  CacheKind kind() {
    if (restarts > 1 - DECIDED) {
      return CacheKind.ON_REQUEST;
    }
    return restarts < DECIDED ? CacheKind.ON_SCHEDULE : CacheKind.UNKNOWN;
  }

  /** Returns whether it is known that a request after expiry refreshes the cache. */
  boolean isRefreshedByRequests() {
    return kind() == CacheKind.ON_REQUEST;
  }

  /** Returns the seconds within which the time of the refresh is known, or the period if it is unknown. */
  double uncertainty() {
    return isKnown() ? high - low : period;
  }

  /** Returns the latest possible time of the known refresh, or NaN if no refresh is known. */
  double refreshedAt() {
    return high;
  }

  /**
   * Restores the time of a refresh, which is NaN if none is known, and the kind of the cache that an earlier session
   * learned.
   */
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
   * Learns from an answer. An answer that was received before it was sent, because the clock was set back during the
   * call, says nothing about the round trip.
   *
   * @param age age of the answer in whole seconds, by its header; NaN if the answer has no age, which counts as age 0
   *     once a refresh is known
   * @return latest possible time of the state that the answer shows; {@code sentAt}, or {@code received} if that is
   *     earlier, while no refresh is known
   */
  double answered(double sentAt, double received, double age) {
    if (received >= sentAt) {
      roundTrip = Math.min(received - sentAt, SLOWER * roundTrip);
    }
    var sent = Math.min(sentAt, received);
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
   * Returns the earliest time, not before the given one, at which a poll that is sent is expected to show something
   * new. If the newest answer was older than a period, the refresh is late. It is then expected after the largest usual
   * deviation, and after that a whole number of periods later.
   *
   * @param dither how early a poll comes to narrow down the time of the refresh, as a part of the uncertainty from 0
   *     to 1. If this is above 0, the kind of the cache is unknown, and its period is not very short, the poll comes
   *     late instead, to tell the kinds apart. With 0, no poll comes early or late in order to learn
   */
  double nextUseful(double after, double dither) {
    if (!isKnown()) {
      return Math.max(after, lastSent + period);
    }
    var next = high + period;
    var late = lastSent - next;
    if (late > MARGIN) {
      var latest = next + MOST_JITTER * period;
      return Math.max(after, lastSent < latest ? latest : next + Math.ceil(late / period) * period);
    }
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

  /**
   * Locates the refresh from the newest answer alone, since each request may refresh the cache. A refresh that this
   * request did not cause is evidence for a schedule if it came a whole number of periods after the last known refresh,
   * and otherwise for a cache that is refreshed by requests.
   */
  private void follow(double from, double to, double received, double age) {
    if (isKnown() && age >= LATE) {
      var turns = Math.rint((to - high) / period);
      learnKind(turns < 1 || Math.abs(to - high - turns * period) >= 1, EVIDENCE);
    }
    low = from;
    // the answer to a request that refreshed the cache can also have an age of 1, across the end of a second
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
