package io.tidemark.law;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.change.Worth;
import io.tidemark.event.EventClasses;
import io.tidemark.http.ClientSettings;
import io.tidemark.http.Endpoints;
import io.tidemark.http.HttpMarketData;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Sweep;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/** A source being watched over HTTP: each look is ten seconds after the one before, by our clock and the service's. */
final class Watch {
  static {
    EventClasses.trust();
  }

  /** After all times in the complete bodies: the service is always a little behind. */
  static final Instant START = Instant.parse("2026-10-04T18:45:00Z");

  static final Upstream UPSTREAM = new Upstream();
  private static final HttpMarketData MARKET = new HttpMarketData(
      ClientSettings.of(UPSTREAM.baseUrl(), null).withRetries(0, Duration.ZERO), Mono::empty, InstantSource.system(),
      ServiceClock.system());

  final Memory memory = new Memory();
  private final Detection detection;
  Instant now = START;

  /** The newest look. */
  Outcome outcome;

  /** Why its last page was not seen; null where it was. */
  Failure failure;

  Watch(Worth worth) {
    detection = new Detection(worth, Duration.ofDays(30), Duration.ofDays(30), START, START);
  }

  static Watch everything() {
    return new Watch(Worth.EVERYTHING);
  }

  /** Looks at one page that says this. */
  List<Changed> look(Query<?> query, Document body) {
    return look(query, body.bytes());
  }

  List<Changed> look(Query<?> query, String body) {
    return look(query, Upstream.Response.of(body));
  }

  List<Changed> look(Query<?> query, byte[] body) {
    return look(query, Upstream.Response.of(body));
  }

  /** Looks at as many pages as there are here, up to the first that fails. */
  List<Changed> look(Query<?> query, Upstream.Response... pages) {
    now = now.plusSeconds(10);
    UPSTREAM.clock(now);
    UPSTREAM.show(pages);
    failure = null;
    List<Answer<?>> answers = new ArrayList<>();
    for (int page = 1; page <= pages.length && failure == null; page++) {
      ask(query instanceof Query.Paged<?> paged ? paged.withPage(page) : query, answers);
    }
    var target = new Target("main", Endpoints.nameOf(query), query, pages.length);
    outcome = detection.detect(new Sweep(target, answers, failure == null, failure, now), memory);
    return memory.take(outcome);
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
    return detection.due(resource, memory.find(resource, key), memory, now);
  }

  /** Lets the time come, and answers what is due of a resource then; null where nothing is. */
  Changed expire(String resource, String key, Instant at) {
    now = at;
    Entry entry = detection.expire(resource, memory.find(resource, key), memory, now);
    return entry == null ? null : memory.take(entry);
  }
}
