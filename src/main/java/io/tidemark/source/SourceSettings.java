package io.tidemark.source;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.PublishSettings;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.poll.PlanLimits;
import io.tidemark.poll.WatchList;
import java.time.Duration;
import java.time.Instant;

/**
 * One source: where it is, what may be spent on it, what is watched and which changes are published.
 *
 * @param prefix of its topics
 * @param asksForCalls whether the service's own operation about keys is asked for the calls of the month
 * @param evictAfter how long after its last observation a resource is evicted
 * @param additions what may be watched besides
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
   * The detector of a session.
   *
   * @param retention of the changes
   * @param watchingSince when the first session ever began
   */
  public ChangeDetector detector(Duration retention, Instant watchingSince, Instant startedAt) {
    return new ChangeDetector(publishing, retention, evictAfter, watchingSince, startedAt);
  }
}
