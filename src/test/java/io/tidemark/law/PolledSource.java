package io.tidemark.law;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.event.AvroSettings;
import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/** A source polled over HTTP: each poll is ten seconds after the one before, by our clock and the service's. */
final class PolledSource {
  static {
    AvroSettings.apply();
  }

  /** After all times in the complete bodies: the service is always a little behind. */
  static final Instant START = Instant.parse("2026-10-04T18:45:00Z");

  static final Upstream UPSTREAM = new Upstream();
  private static final HttpMarketData MARKET = new HttpMarketData(
      HttpClientSettings.of(UPSTREAM.baseUrl(), null).withRetries(0, Duration.ZERO), Mono::empty,
      InstantSource.system(),
      ServiceClock.system());

  final FoldedStates memory = new FoldedStates();
  private final ChangeDetector detection;
  Instant now = START;

  /** What the newest snapshot changed. */
  ChangeSet changeSet;

  /** Why its last page failed; null where it did not. */
  Failure failure;

  PolledSource(PublishSettings settings) {
    detection = new ChangeDetector(settings, Duration.ofDays(30), Duration.ofDays(30), START, START);
  }

  static PolledSource everything() {
    return new PolledSource(PublishSettings.EVERYTHING);
  }

  /** Polls one page with this body. */
  List<ReceivedChange> poll(Query<?> query, JsonBody body) {
    return poll(query, body.bytes());
  }

  List<ReceivedChange> poll(Query<?> query, String body) {
    return poll(query, Upstream.Response.of(body));
  }

  List<ReceivedChange> poll(Query<?> query, byte[] body) {
    return poll(query, Upstream.Response.of(body));
  }

  /** Polls as many pages as there are here, up to the first that fails. */
  List<ReceivedChange> poll(Query<?> query, Upstream.Response... pages) {
    now = now.plusSeconds(10);
    UPSTREAM.clock(now);
    UPSTREAM.show(pages);
    failure = null;
    List<Answer<?>> answers = new ArrayList<>();
    for (int page = 1; page <= pages.length && failure == null; page++) {
      ask(query instanceof Query.Paged<?> paged ? paged.withPage(page) : query, answers);
    }
    var target = new Target("main", Endpoints.targetName(query), query, pages.length);
    changeSet = detection.detect(new Snapshot(target, answers, failure == null, failure, now), memory);
    return memory.take(changeSet);
  }

  private void ask(Query<?> query, List<Answer<?>> answers) {
    try {
      answers.add(query.askOf(MARKET).block());
    } catch (Failure e) {
      failure = e;
    }
  }

  /** When something of a resource is due by itself. */
  Instant due(String resource, String key) {
    return detection.nextDeadline(resource, memory.find(resource, key), memory, now);
  }

  /** Lets the time come, and answers what is due of a resource then; null where nothing is. */
  ReceivedChange expire(String resource, String key, Instant at) {
    now = at;
    ResourceUpdate update = detection.onDeadline(resource, memory.find(resource, key), memory, now);
    return update == null ? null : memory.take(update);
  }
}
