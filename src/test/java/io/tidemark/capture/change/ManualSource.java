package io.tidemark.capture.change;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.Windows;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** A source polled by hand: each method is one poll, ten seconds after the one before. */
final class ManualSource {
  static {
    AvroSettings.apply();
  }

  static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  static final Query.PoolByAddress POOL = new Query.PoolByAddress("eth", "0xa", Set.of(), false, false);
  static final Query.TrendingPools TRENDING =
      new Query.TrendingPools("eth", Set.of(), 1, TrendingDuration.H24, false);
  static final Query.NewPools NEW = new Query.NewPools("eth", Set.of(), 1, false);

  final InMemoryStates known = new InMemoryStates();
  private final ChangeDetector detection;
  Instant now = START;

  ManualSource(PublishSettings settings) {
    this.detection = new ChangeDetector(settings, Duration.ofDays(30), Duration.ofDays(30), START, START);
  }

  ChangeDetector detection() {
    return detection;
  }

  ChangeSet pool(Observation<Pool> pool) {
    return poll(POOL, new OnChainAnswer<>(pool, null));
  }

  ChangeSet list(Query.Paged<OnChainAnswer<List<Observation<Pool>>>> query, Observation<?>... pools) {
    return poll(query, new OnChainAnswer<>(Arrays.stream(pools).map(ManualSource::poolObservation).toList(), null));
  }

  private static Observation<Pool> poolObservation(Observation<?> observed) {
    return new Observation<>((Pool) observed.resource(), observed.nulls());
  }

  <A> ChangeSet poll(Query<A> query, A body) {
    now = now.plusSeconds(10);
    return poll(query, body, now);
  }

  <A> ChangeSet poll(Query<A> query, A body, Instant asOf) {
    return snapshot(query, List.of(answer(query, body, asOf)), null);
  }

  <A> ChangeSet snapshot(Query<A> query, List<? extends Answer<?>> pages, Failure failure) {
    return snapshot(query, pages, failure, true);
  }

  <A> ChangeSet snapshot(Query<A> query, List<? extends Answer<?>> pages, Failure failure, boolean exhausted) {
    Target target = new Target("main", nameOf(query), query, Math.max(1, pages.size()));
    return known.apply(
        detection.detect(new Snapshot(target, new ArrayList<>(pages), exhausted, failure, now, now), known));
  }

  ChangeSet notFound(Query<?> query) {
    now = now.plusSeconds(10);
    return snapshot(query, List.of(), new Failure.NotFound("not found"));
  }

  <A> Answer<A> answer(Query<A> query, A body, Instant asOf) {
    return new Answer<>(query, Body.of(body), body.toString(), now, now, asOf, null, null, null);
  }

  static String nameOf(Query<?> query) {
    return query instanceof Query.Paged<?> paged ? paged.withPage(1).toString() : query.toString();
  }

  static Observation<Pool> priced(String price) {
    return Observation.of(pool("eth_0xa", price));
  }

  static Pool pool(String id, String price) {
    Pool pool = Pool.newBuilder().setId(id).setNetwork("eth").setAddress(id.substring(4)).build();
    pool.setDescription(PoolDescription.newBuilder().setName("PEPE / WETH").build());
    pool.setPrice(PoolPrice.newBuilder().setBaseTokenPriceUsd(price).build());
    pool.setLiquidity(PoolLiquidity.newBuilder().setReserveInUsd("1000.0").build());
    return pool;
  }

  static Observation<Pool> created(String id, String at) {
    Pool pool = pool(id, "1.0");
    pool.getDescription().setPoolCreatedAt(at);
    return Observation.of(pool);
  }

  static Observation<Pool> active(String price, String volume) {
    Pool pool = pool("eth_0xa", price);
    pool.setActivity(PoolActivity.newBuilder().setVolumeUsd(Windows.newBuilder().setM5(volume).build()).build());
    return Observation.of(pool);
  }
}
