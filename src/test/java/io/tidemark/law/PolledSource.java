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

/** A source that is polled over HTTP; each poll is ten seconds after the one before, by both clocks. */
final class PolledSource {
  static {
    AvroSettings.apply();
  }

  /** Later than all times in the complete bodies, because the service is always a little behind. */
  static final Instant START = Instant.parse("2026-10-04T18:45:00Z");

  static final Upstream UPSTREAM = new Upstream();
  private static final HttpMarketData MARKET = new HttpMarketData(
      HttpClientSettings.of(UPSTREAM.baseUrl(), null).withRetries(0, Duration.ZERO), Mono::empty,
      InstantSource.system(),
      new ServiceClock(System::nanoTime));

  final FoldedStates memory = new FoldedStates();
  private final ChangeDetector detection;
  Instant now = START;

  /** The changes of the newest snapshot. */
  ChangeSet changeSet;

  /** The failure of its last page; null if it did not fail. */
  Failure failure;

  PolledSource(PublishSettings settings) {
    detection = new ChangeDetector(settings, Duration.ofDays(30), Duration.ofDays(30), START, START);
  }

  static PolledSource everything() {
    return new PolledSource(PublishSettings.EVERYTHING);
  }

  /** Polls one page, which has this body. */
  List<ReceivedChange> poll(Query<?> query, JsonBody body) {
    return poll(query, body.bytes());
  }

  List<ReceivedChange> poll(Query<?> query, String body) {
    return poll(query, Upstream.Response.of(body));
  }

  List<ReceivedChange> poll(Query<?> query, byte[] body) {
    return poll(query, Upstream.Response.of(body));
  }

  /** Polls these pages up to the first that fails. */
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
    changeSet = detection.detect(new Snapshot(target, answers, failure == null, failure, now, now), memory);
    return memory.take(changeSet);
  }

  private void ask(Query<?> query, List<Answer<?>> answers) {
    try {
      answers.add(query.askOf(MARKET).block());
    } catch (Failure e) {
      failure = e;
    }
  }

  /** Returns the deadline of a resource. */
  Instant due(String resource, String key) {
    return detection.nextDeadline(resource, memory.find(resource, key), memory, now);
  }

  /** Advances the time and returns the change that is due of a resource then; null if none is. */
  ReceivedChange expire(String resource, String key, Instant at) {
    now = at;
    ResourceUpdate update = detection.onDeadline(resource, memory.find(resource, key), memory, now);
    return update == null ? null : memory.take(update);
  }
}
