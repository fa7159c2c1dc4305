package io.tidemark.eventlog;

import io.tidemark.http.client.HttpClientSettings;
import io.tidemark.http.client.HttpMarketData;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/** Fetches snapshots with the program's HTTP client, page by page, without retries. */
final class SnapshotFetcher implements AutoCloseable {
  private static final int POOLS = 20;
  private static final int TICKERS = 100;

  private final HttpMarketData client;
  private final Runnable latency;
  private final InstantSource clock;

  /** @param latency advances the clock by the time that an answer takes */
  SnapshotFetcher(HttpClientSettings settings, Runnable latency, InstantSource clock) {
    this.client = new HttpMarketData(
        settings.withRetries(0, Duration.ZERO), Mono::empty, clock, new ServiceClock(System::nanoTime));
    this.latency = latency;
    this.clock = clock;
  }

  Snapshot snapshot(Target target) {
    var answers = new ArrayList<Answer<?>>();
    Failure failure = null;
    boolean full = true;
    for (int page = 1; page <= target.pages() && full && failure == null; page++) {
      try {
        Answer<?> answer = ask(target.query() instanceof Query.Paged<?> list ? list.withPage(page) : target.query());
        full = full(answer);
        answers.add(answer);
      } catch (Failure e) {
        failure = e;
      }
    }
    return new Snapshot(target, answers, failure == null && !full, failure,
        answers.isEmpty() ? clock.instant() : answers.getLast().receivedAt(),
        answers.isEmpty() ? clock.instant() : answers.getLast().receivedAt());
  }

  private Answer<?> ask(Query<?> query) {
    latency.run();
    return query.askOf(client).block();
  }

  private static boolean full(Answer<?> answer) {
    return answer.query() instanceof Query.Paged<?> && switch (answer.body().read()) {
      case OnChainAnswer<?>(List<?> pools, var included) -> pools.size() >= POOLS;
      case TickersAnswer tickers -> tickers.tickers().size() >= TICKERS;
      default -> false;
    };
  }

  @Override
  public void close() {
    client.close();
  }
}
