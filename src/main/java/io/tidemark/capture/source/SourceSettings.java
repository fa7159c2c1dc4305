package io.tidemark.capture.source;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.poll.PlanLimits;
import io.tidemark.capture.poll.WatchList;
import io.tidemark.http.client.HttpClientSettings;
import java.time.Duration;
import java.time.Instant;

/**
 * Settings of one source: its address, its call limits, the watch list, and the changes to publish.
 *
 * @param prefix prefix of the source's topics
 * @param asksForCalls whether to ask the service how many calls it has counted for each key this month
 * @param evictAfter time between the last observation of a resource and its eviction
 * @param additions rules and limits for targets that are watched in addition to the watch list
 */
public record SourceSettings(
    String name,
    String prefix,
    HttpClientSettings client,
    PlanLimits limits,
    boolean asksForCalls,
    PublishSettings publishing,
    Duration evictAfter,
    WatchList watch,
    WatchAdditions additions) {

  /**
   * Creates the detector for a session.
   *
   * @param retention retention of the changes
   * @param watchingSince time at which the first session of the source began
   */
  public ChangeDetector detector(Duration retention, Instant watchingSince, Instant startedAt) {
    return new ChangeDetector(publishing, retention, evictAfter, limits::monthStart, watchingSince, startedAt);
  }
}
