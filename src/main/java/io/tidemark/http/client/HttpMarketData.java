package io.tidemark.http.client;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Answer;
import io.tidemark.market.DerivativesAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.TickersAnswer;
import io.tidemark.market.TokenAnswer;
import io.tidemark.market.TreasuryAnswer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/** The service over HTTP. The key is in a header and nowhere else; a redirect is followed on the same host only. */
public final class HttpMarketData implements MarketData, AutoCloseable {
  private static final int REDIRECTS = 3;
  private static final int LONGEST_BACKOFF = 6;

  private final HttpClientSettings settings;
  private final Supplier<Mono<Void>> permit;
  private final InstantSource clock;
  private final ServiceClock service;
  private final BoundedHttpClient calls;
  private volatile @Nullable Duration clockDrift;

  /**
   * @param permit awaited before every request but a question's first, which the caller has one for
   * @param service hears the date of every answer
   */
  public HttpMarketData(
      HttpClientSettings settings, Supplier<Mono<Void>> permit, InstantSource clock, ServiceClock service) {
    this.settings = settings;
    this.permit = permit;
    this.clock = clock;
    this.service = service;
    this.calls = new BoundedHttpClient(settings);
  }

  @Override
  public Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
    return ask(query);
  }

  @Override
  public Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
    return ask(query);
  }

  /** How far this machine's clock is ahead of the service's, to a second, by its last answer; null before any. */
  public @Nullable Duration clockDrift() {
    return clockDrift;
  }

  @Override
  public void close() {
    calls.close();
  }

  private <A> Mono<Answer<A>> ask(Query<A> query) {
    return Mono.defer(() -> once(query)).retryWhen(Retry.from(failures -> failures.concatMap(this::again)));
  }

  private <A> Mono<Answer<A>> once(Query<A> query) {
    var sentAt = clock.instant();
    return follow(uri(query), REDIRECTS).flatMap(received -> {
      var refusal = FailureClassifier.of(received, Endpoints.pathAndQuery(query), settings.key(), clock.instant());
      return refusal == null ? Mono.just(received.answer(query, sentAt, clock.instant())) : Mono.error(refusal);
    });
  }

  private Mono<ReceivedResponse> follow(URI uri, int redirects) {
    var sentAt = clock.instant();
    return calls.get(uri).flatMap(received -> {
      note(received.date(), sentAt);
      var target = received.redirect(uri);
      if (target == null) {
        return Mono.just(received);
      }
      return redirects > 0 && isSameHost(uri, target)
          ? Mono.defer(permit).then(Mono.defer(() -> follow(target, redirects - 1)))
          : Mono.error(new Failure.Blocked(uri.getHost() + " redirects to " + target.getHost()
              + ": not followed, as the key would go along. Is base-url right?"));
    });
  }

  /** Half of the way there and back is taken for the way back; the service's seconds are cut, half of one on average. */
  private void note(@Nullable Instant date, Instant sentAt) {
    if (date != null) {
      service.update(date);
      var now = clock.instant();
      clockDrift = Duration.between(date.plusMillis(500), now.minus(Duration.between(sentAt, now).dividedBy(2)));
    }
  }

  private <A> URI uri(Query<A> query) {
    var base = settings.baseUrl().toString().replaceFirst("/+$", "");
    var onChain = Endpoints.<A, Query<A>>of(query).onChain() ? settings.onChainPath() : "";
    return URI.create(base + onChain + Endpoints.pathAndQuery(query));
  }

  private Mono<Long> again(Retry.RetrySignal signal) {
    var failure = signal.failure();
    boolean mayHelp = failure instanceof Failure.Unreachable || failure instanceof Failure.ServerError;
    if (!mayHelp || signal.totalRetries() >= settings.maxRetries()) {
      return Mono.error(failure);
    }
    return Mono.delay(pause(signal.totalRetries())).then(Mono.defer(permit)).thenReturn(signal.totalRetries());
  }

  /** Doubled each time, and then anything from half of it to the whole, so that many do not come back at once. */
  private Duration pause(long retries) {
    long millis = settings.backoff().toMillis() << Math.min(retries, LONGEST_BACKOFF);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
  }

  /** The same host, and not from TLS to none. */
  private static boolean isSameHost(URI from, URI to) {
    return from.getHost().equalsIgnoreCase(to.getHost())
        && (Objects.equals(from.getScheme(), to.getScheme()) || "https".equals(to.getScheme()));
  }
}
