package io.tidemark.ledger;

import io.tidemark.event.Budget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a source stands on this instance, for metrics and readiness. Whoever owns it says the same in {@code
 * source.state}; that another instance owns it is no fault.
 *
 * @param status standby, starting, restoring, polling, degraded or stopped; {@code given-up} where this instance cannot
 *     work it and leaves it to others
 * @param message what is wrong, for people
 * @param leased whether the service may be asked now: the group was heard of lately
 * @param budget the month's calls, those of them that are reserved, and what left within the last minute
 * @param oldestTarget the watched target whose newest look is the oldest; null where nothing is watched
 * @param oldestObservedAt when that was, or since when it is missing; null where nothing is watched
 * @param at when all this was so
 */
public record SourceHealth(
    String source,
    String status,
    @Nullable String message,
    boolean leased,
    @Nullable Budget budget,
    @Nullable String oldestTarget,
    @Nullable Instant oldestObservedAt,
    @Nullable String lastError,
    @Nullable Instant lastErrorAt,
    Instant at) {

  public static final String STANDBY = "standby";
  public static final String STARTING = "starting";
  public static final String RESTORING = "restoring";
  public static final String POLLING = "polling";
  public static final String DEGRADED = "degraded";
  public static final String STOPPED = "stopped";
  public static final String GIVEN_UP = "given-up";

  /** Of a source that this instance does not look at. */
  public static SourceHealth idle(String source, String status, @Nullable String word, Instant at) {
    return new SourceHealth(source, status, word, false, null, null, null, null, null, at);
  }

  /** The same, but that something is wrong. */
  public SourceHealth degraded(String word) {
    return new SourceHealth(source, DEGRADED, word, leased, budget, oldestTarget, oldestObservedAt, lastError,
        lastErrorAt, at);
  }

  /** Whether this instance is the one that writes the source. */
  public boolean isOwner() {
    return !(status.equals(STANDBY) || status.equals(GIVEN_UP));
  }
}
