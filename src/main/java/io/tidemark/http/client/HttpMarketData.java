package io.tidemark.http.client;

import static java.util.Objects.requireNonNullElse;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.KeyReport;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.http.client.BoundedHttpClient.ReceivedResponse;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.KeyReportCodec;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * A client of the market data service over HTTP. Sends the key only in a header, and follows redirects only to the
 * same scheme, host and port, at most three in a row.
 */
public final class HttpMarketData implements MarketData, AutoCloseable {
  private static final int MAX_REDIRECTS = 3;
  private static final int MAX_DOUBLINGS = 6;

  private final HttpClientSettings settings;
  private final Supplier<Mono<Void>> permit;
  private final Supplier<Mono<Integer>> key;
  private final InstantSource clock;
  private final ServiceClock service;
  private final BoundedHttpClient client;
  private volatile @Nullable Duration clockDrift;

  /**
   * Creates a client that uses only the first key.
   *
   * @param permit acquired before every request except the first of a query, for which the caller already has a
   *     permit
   * @param service clock that is updated with the date of every response to a query
   */
  public HttpMarketData(
      HttpClientSettings settings, Supplier<Mono<Void>> permit, InstantSource clock, ServiceClock service) {
    this(settings, permit, () -> Mono.just(0), clock, service);
  }

  /** @param key supplies the index of the key to use, before every request of a query */
  public HttpMarketData(
      HttpClientSettings settings, Supplier<Mono<Void>> permit, Supplier<Mono<Integer>> key, InstantSource clock,
      ServiceClock service) {
    this.settings = settings;
    this.permit = permit;
    this.key = key;
    this.clock = clock;
    this.service = service;
    this.client = new BoundedHttpClient(settings);
  }

  @Override
  public Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query) {
    return send(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query) {
    return send(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query) {
    return send(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query) {
    return send(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query) {
    return send(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query) {
    return send(query);
  }

  @Override
  public Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query) {
    return send(query);
  }

  @Override
  public Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query) {
    return send(query);
  }

  @Override
  public Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query) {
    return send(query);
  }

  @Override
  public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
    return send(query);
  }

  @Override
  public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
    return send(query);
  }

  @Override
  public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
    return send(query);
  }

  @Override
  public Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
    return send(query);
  }

  /**
   * Requests the service's report on a key: the plan of the key, and the calls that all programs made with the key
   * this month. Sends one request, without acquiring a permit and without retries or redirects. Fails if the service
   * does not offer the report or does not answer.
   *
   * @param number index of the key, from 0
   */
  public Mono<KeyReport> keyReport(int number) {
    var apiKey = settings.key(number);
    return client.get(URI.create(base() + KeyReportCodec.PATH), apiKey).flatMap(received -> {
      var failure = FailureClassifier.of(received, KeyReportCodec.PATH, apiKey, clock.instant());
      if (failure != null) {
        return Mono.error(failure);
      }
      var report = KeyReportCodec.decode(received.body(), clock.instant());
      return report != null ? Mono.just(report)
          : Mono.error(received.unreadable(KeyReportCodec.PATH + ": the answer contains no number of calls"));
    });
  }

  /**
   * Returns how far this machine's clock is ahead of the service's clock, accurate to a second, according to the last
   * response to a query that had a date. The duration is negative if this machine's clock is behind. Returns null
   * before the first such response.
   */
  public @Nullable Duration clockDrift() {
    return clockDrift;
  }

  @Override
  public void close() {
    client.close();
  }

  private <A> Mono<Answer<A>> send(Query<A> query) {
    return Mono.defer(() -> sendOnce(query)).retryWhen(Retry.from(failures -> failures.concatMap(this::retry)));
  }

  private <A> Mono<Answer<A>> sendOnce(Query<A> query) {
    var sentAt = clock.instant();
    return follow(uri(query), MAX_REDIRECTS).flatMap(received -> {
      var failure = FailureClassifier.of(received, Endpoints.pathAndQuery(query), received.key(), clock.instant());
      return failure == null ? Mono.just(received.answer(query, sentAt, clock.instant()))
          : Mono.error(failure);
    });
  }

  private Mono<ReceivedResponse> follow(URI uri, int redirects) {
    var sentAt = clock.instant();
    return key.get().flatMap(number -> client.get(uri, settings.key(number))).flatMap(received -> {
      updateClocks(received.date(), sentAt);
      var target = received.redirect(uri);
      if (target == null) {
        return Mono.just(received);
      }
      if (!origin(target).equals(origin(uri))) {
        return Mono.error(new Failure.Blocked(origin(uri) + " redirects to " + origin(target)
            + "; the redirect was not followed, so that the key is sent nowhere else; check base-url"));
      }
      return redirects > 0
          ? Mono.defer(permit).then(Mono.defer(() -> follow(target, redirects - 1)))
          : Mono.error(new Failure.Blocked(
              "%s redirects more than %d times in a row".formatted(origin(uri), MAX_REDIRECTS)));
    });
  }

  /**
   * Updates the service clock and the clock drift from the date of a response. Assumes that the response travels for
   * half of the round trip. Adds half a second to the date, because the service truncates dates to seconds.
   */
  private void updateClocks(@Nullable Instant date, Instant sentAt) {
    if (date != null) {
      service.update(date);
      var now = clock.instant();
      clockDrift = Duration.between(date.plusMillis(500), now.minus(Duration.between(sentAt, now).dividedBy(2)));
    }
  }

  private <A> URI uri(Query<A> query) {
    var onChain = Endpoints.<A, Query<A>>of(query).onChain() ? settings.onChainPath() : "";
    return URI.create(base() + onChain + Endpoints.pathAndQuery(query));
  }

  private String base() {
    return settings.baseUrl().toString().replaceFirst("/+$", "");
  }

  private Mono<Long> retry(Retry.RetrySignal signal) {
    var failure = signal.failure();
    boolean isTransient = failure instanceof Failure.Unreachable || failure instanceof Failure.ServerError;
    if (!isTransient || signal.totalRetries() >= settings.maxRetries()) {
      return Mono.error(failure);
    }
    return Mono.delay(pause(signal.totalRetries())).then(Mono.defer(permit)).thenReturn(signal.totalRetries());
  }

  /** Returns the pause before a retry: a random time between half and all of the exponential backoff. */
  private Duration pause(long retries) {
    long millis = settings.backoff().toMillis() << Math.min(retries, MAX_DOUBLINGS);
    return Duration.ofMillis(ThreadLocalRandom.current().nextLong(millis / 2, millis + 1));
  }

  /**
   * Returns the scheme, host and port of an address, which determine the receiver of the key. The result for an
   * address without a host differs from the result for every valid address.
   */
  private static String origin(URI address) {
    var scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
    var port = address.getPort() >= 0 ? address.getPort() : "https".equals(scheme) ? 443 : 80;
    return scheme + "://" + requireNonNullElse(address.getHost(), "").toLowerCase(Locale.ROOT) + ":" + port;
  }
}
