package io.tidemark.change;

import io.tidemark.event.EventClasses;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.Windows;
import io.tidemark.market.Answer;
import io.tidemark.market.Body;
import io.tidemark.market.Failure;
import io.tidemark.market.OnChain;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.Sweep;
import io.tidemark.market.Target;
import io.tidemark.market.TrendingDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A source being watched by hand: each method is one look, ten seconds after the one before. */
final class Watching {
  static {
    EventClasses.trust();
  }

  static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  static final Query.PoolByAddress POOL = new Query.PoolByAddress("eth", "0xa", Set.of(), false, false);
  static final Query.TrendingPools TRENDING =
      new Query.TrendingPools("eth", Set.of(), 1, TrendingDuration.H24, false);
  static final Query.NewPools NEW = new Query.NewPools("eth", Set.of(), 1, false);

  final Known known = new Known();
  private final Detection detection;
  Instant now = START;

  Watching(Worth worth) {
    this.detection = new Detection(worth, Duration.ofDays(30), Duration.ofDays(30), START, START);
  }

  Detection detection() {
    return detection;
  }

  Outcome pool(Seen<Pool> pool) {
    return look(POOL, new OnChain<>(pool, null));
  }

  Outcome list(Query.Paged<OnChain<List<Seen<Pool>>>> query, Seen<?>... pools) {
    return look(query, new OnChain<>(Arrays.stream(pools).map(Watching::poolSeen).toList(), null));
  }

  private static Seen<Pool> poolSeen(Seen<?> seen) {
    return new Seen<>((Pool) seen.resource(), seen.nulls());
  }

  <A> Outcome look(Query<A> query, A body) {
    now = now.plusSeconds(10);
    return look(query, body, now);
  }

  <A> Outcome look(Query<A> query, A body, Instant asOf) {
    return sweep(query, List.of(answer(query, body, asOf)), null);
  }

  <A> Outcome sweep(Query<A> query, List<? extends Answer<?>> pages, Failure failure) {
    return sweep(query, pages, failure, true);
  }

  <A> Outcome sweep(Query<A> query, List<? extends Answer<?>> pages, Failure failure, boolean exhausted) {
    Target target = new Target("main", nameOf(query), query, Math.max(1, pages.size()));
    return known.apply(
        detection.detect(new Sweep(target, new ArrayList<>(pages), exhausted, failure, now), known));
  }

  Outcome notFound(Query<?> query) {
    now = now.plusSeconds(10);
    return sweep(query, List.of(), new Failure.NotFound("not found"));
  }

  <A> Answer<A> answer(Query<A> query, A body, Instant asOf) {
    return new Answer<>(query, Body.of(body), body.toString(), now, now, asOf, null, null);
  }

  static String nameOf(Query<?> query) {
    return query instanceof Query.Paged<?> paged ? paged.withPage(1).toString() : query.toString();
  }

  static Seen<Pool> priced(String price) {
    return Seen.of(pool("eth_0xa", price));
  }

  static Pool pool(String id, String price) {
    Pool pool = Pool.newBuilder().setId(id).setNetwork("eth").setAddress(id.substring(4)).build();
    pool.setDescription(PoolDescription.newBuilder().setName("PEPE / WETH").build());
    pool.setPrice(PoolPrice.newBuilder().setBaseTokenPriceUsd(price).build());
    pool.setLiquidity(new PoolLiquidity("1000.0"));
    return pool;
  }

  static Seen<Pool> created(String id, String at) {
    Pool pool = pool(id, "1.0");
    pool.getDescription().setPoolCreatedAt(at);
    return Seen.of(pool);
  }

  static Seen<Pool> active(String price, String volume) {
    Pool pool = pool("eth_0xa", price);
    pool.setActivity(PoolActivity.newBuilder().setVolumeUsd(Windows.newBuilder().setM5(volume).build()).build());
    return Seen.of(pool);
  }
}
