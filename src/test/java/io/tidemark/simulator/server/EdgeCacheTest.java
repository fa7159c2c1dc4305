package io.tidemark.simulator.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Global;
import io.tidemark.event.GlobalTimes;
import io.tidemark.http.server.HttpReply;
import io.tidemark.http.server.StubMarketData;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.RefreshRate;
import io.tidemark.simulator.server.EdgeCache.CacheRefresh;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an edge shows of a market whose only attribute is the time. */
class EdgeCacheTest {
  private static final Query.GlobalMarket GLOBAL = new Query.GlobalMarket();
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private final List<Instant> fills = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final InstantSource clock = () -> now;
  private final EdgeCache cache = new EdgeCache(at -> {
    fills.add(at);
    return StubMarketData.answering(at, query -> query instanceof Query.GlobalMarket ? timeOf(at) : noPools());
  }, operation -> PERIOD, FieldNaming.DOCUMENT, clock);

  @Test
  void body_isTheMarketAsItWasWhenItWasFilled() {
    var reply = cache.respond(GLOBAL).block();

    assertThat(text(reply)).isEqualTo("{\"data\":{\"updated_at\":" + reply.asOf().getEpochSecond() + "}}");
    assertThat(Duration.between(reply.asOf(), now)).isBetween(Duration.ZERO, PERIOD);
    assertThat(reply.maxAge()).isEqualTo(PERIOD);
  }

  @Test
  void withinAPeriod_theBodyAndItsNameStay() {
    var first = cache.respond(GLOBAL).block();
    now = first.asOf().plus(PERIOD).minusMillis(1);

    assertThat(cache.respond(GLOBAL).block()).isSameAs(first);
    assertThat(fills).hasSize(1);
  }

  @Test
  void afterAPeriod_theBodyIsFilledAnew_onePeriodLater() {
    var first = cache.respond(GLOBAL).block();
    now = first.asOf().plus(PERIOD);

    var second = cache.respond(GLOBAL).block();

    assertThat(second.asOf()).isEqualTo(first.asOf().plus(PERIOD));
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  @Test
  void pauseOfManyPeriods_showsTheNewestFill() {
    var first = cache.respond(GLOBAL).block();
    now = now.plus(PERIOD.multipliedBy(1000));

    assertThat(cache.respond(GLOBAL).block().asOf()).isEqualTo(first.asOf().plus(PERIOD.multipliedBy(1000)));
  }

  @Test
  void filledOnRequest_bodyStaysForAPeriod_thenUntilTheNextRequest() {
    var edge = new EdgeCache(CacheRefresh.ON_REQUEST, at -> StubMarketData.answering(at, query -> timeOf(at)),
        operation -> PERIOD, FieldNaming.DOCUMENT, clock);
    now = now.plusMillis(12_345);
    var first = edge.respond(GLOBAL).block();
    now = now.plus(PERIOD).minusMillis(1);
    var same = edge.respond(GLOBAL).block();
    now = now.plusSeconds(100);
    var second = edge.respond(GLOBAL).block();

    assertThat(same).isSameAs(first);
    assertThat(second.asOf()).isEqualTo(now);
    assertThat(Duration.between(first.asOf(), second.asOf())).isEqualTo(PERIOD.plusMillis(99_999));
  }

  @Test
  void urls_haveTheirOwnPhases() {
    var phases = new HashSet<Instant>();
    for (int page = 1; page <= 20; page++) {
      phases.add(EdgeCache.filledAt("/networks/eth/new_pools?page=" + page, PERIOD, now));
    }

    assertThat(phases).hasSizeGreaterThan(15);
  }

  @Test
  void period_isTheOperations() {
    assertThat(EdgeCache.filledAt("/global", RefreshRate.PRO.period(Operation.POOL), now))
        .isAfter(now.minusSeconds(10));
  }

  @Test
  void evictedBody_isTheSameAgain() {
    var first = cache.respond(GLOBAL).block();
    for (int i = 0; i < 1_000; i++) {
      cache.respond(new Query.NewPools("n" + i, Set.of(), 1, false)).block();
    }

    var again = cache.respond(GLOBAL).block();

    assertThat(again).usingRecursiveComparison().isEqualTo(first);
    assertThat(fills).hasSizeGreaterThan(1);
  }

  @Test
  void failure_isNotCached() {
    var troubled = new ArrayList<Instant>();
    var edge = new EdgeCache(at -> StubMarketData.answering(at, query -> {
      troubled.add(at);
      throw new Failure.ServerError("oh");
    }), operation -> PERIOD, FieldNaming.DOCUMENT, clock);

    assertThat(edge.respond(GLOBAL).block().status()).isEqualTo(500);
    assertThat(edge.respond(GLOBAL).block().status()).isEqualTo(500);
    assertThat(troubled).hasSize(2);
  }

  private static Object timeOf(Instant at) {
    var global = new Global();
    global.setTimes(GlobalTimes.newBuilder().setUpdatedAt(at.getEpochSecond()).build());
    return Observation.of(global);
  }

  private static Object noPools() {
    return new OnChainAnswer<>(List.of(), null);
  }

  private static String text(HttpReply reply) {
    return StandardCharsets.UTF_8.decode(reply.body().duplicate()).toString();
  }
}
