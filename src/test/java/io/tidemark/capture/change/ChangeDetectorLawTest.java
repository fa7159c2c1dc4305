package io.tidemark.capture.change;

import static io.tidemark.capture.change.ManualSource.NEW;
import static io.tidemark.capture.change.ManualSource.POOL;
import static io.tidemark.capture.change.ManualSource.TRENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.FacetView;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.PoolValuation;
import io.tidemark.event.TargetState;
import io.tidemark.event.Windows;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Laws that hold for every sequence of snapshots: values, nulls, absences, reorderings, old answers, failures. */
class ChangeDetectorLawTest {
  private static final int STEPS = 2000;
  private static final List<String> IDS = List.of("eth_0xa", "eth_0xb", "eth_0xc", "eth_0xd");

  private static final List<Failure> FAILURES = List.of(
      new Failure.ServerError("page 2: 500"), new Failure.Unreadable("cut short", new byte[] {'{'}, 200, Map.of()));

  private final Map<String, IndexedRecord> folded = new HashMap<>();
  private OnChainAnswer<Observation<Pool>> lastPool;
  private final Map<String, Long> revisions = new HashMap<>();

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16})
  void anySequenceOfSnapshots_keepsTheLaws(long seed) {
    Random random = new Random(seed);
    ManualSource source = new ManualSource(seed % 2 == 0 ? PublishSettings.EVERYTHING : PublishSettings.MATERIAL);
    for (int step = 0; step < STEPS; step++) {
      int observed = source.known.changes.size();
      if (random.nextInt(10) == 0) {
        source.known.restart();
      }
      if (random.nextInt(4) == 0) {
        pollAgain(source, "seed " + seed + " step " + step);
      } else {
        poll(source, random);
      }
      List<?> fresh = source.known.changes.subList(observed, source.known.changes.size());
      fresh.stream().filter(PoolChange.class::isInstance).forEach(change -> fold((PoolChange) change, seed));
      folded.keySet().forEach(id -> assertFold(source, id, "seed " + seed));
    }
    System.out.printf("seed %d: %d steps, %d changes%n", seed, STEPS, source.known.changes.size());
    assertThat(folded).hasSize(IDS.size());
  }

  /** The same body twice more, only read anew: what others showed and show no more is news once. */
  private void pollAgain(ManualSource source, String where) {
    TargetState state = lastPool == null ? null : source.known.targetState(ManualSource.nameOf(POOL));
    if (state == null || !state.getRejections().isEmpty() || state.getPages().isEmpty()) {
      return;
    }
    source.now = source.now.plusSeconds(1);
    reread(source, "once more " + where);
    int before = source.known.changes.size();
    boolean held = ((PoolState) source.known.find("pool", "eth_0xa")).getWithheld() != null;
    source.now = source.now.plusSeconds(1);
    reread(source, "again " + where);
    assertThat(source.known.changes.size() - before).as(where).isLessThanOrEqualTo(held ? 1 : 0);
  }

  private void reread(ManualSource source, String digest) {
    Answer<?> answer =
        new Answer<>(POOL, Body.of(lastPool), digest, source.now, source.now, source.now, null, null, null);
    source.snapshot(POOL, List.of(answer), null);
  }

  private void poll(ManualSource source, Random random) {
    Query<?> failing = random.nextBoolean() ? POOL : TRENDING;
    switch (random.nextInt(12)) {
      case 0 -> source.notFound(POOL);
      case 1 -> source.snapshot(
          failing, List.of(), new Failure.ServerError("500"));
      case 2, 3, 4, 5 -> {
        lastPool = new OnChainAnswer<>(observed("eth_0xa", random), null);
        source.poll(POOL, lastPool, asOf(source, random));
      }
      case 6, 7, 8 -> pages(source, random);
      default -> source.poll(NEW, new OnChainAnswer<>(page(random), null), asOf(source, random));
    }
  }

  /** Two pages that shift while they are polled: a pool may stand on both or on none. */
  private static void pages(ManualSource source, Random random) {
    Instant asOf = asOf(source, random);
    OnChainAnswer<List<Observation<Pool>>> first = new OnChainAnswer<>(page(random), null);
    OnChainAnswer<List<Observation<Pool>>> second = new OnChainAnswer<>(page(random), null);
    Failure failure = random.nextInt(5) > 0 ? null : FAILURES.get(random.nextInt(FAILURES.size()));
    List<Answer<?>> both =
        List.of(source.answer(TRENDING, first, asOf), source.answer(TRENDING.withPage(2), second, asOf));
    source.snapshot(
        TRENDING, failure == null ? both : both.subList(0, 1), failure);
  }

  private static Instant asOf(ManualSource source, Random random) {
    source.now = source.now.plusSeconds(random.nextInt(100));
    return random.nextInt(5) == 0 ? source.now.minusSeconds(random.nextInt(40)) : source.now;
  }

  private static List<Observation<Pool>> page(Random random) {
    List<String> ids = new ArrayList<>(IDS);
    Collections.shuffle(ids, random);
    return ids.subList(0, random.nextInt(IDS.size() + 1)).stream().map(id -> observed(id, random)).toList();
  }

  /** A pool of which anything may be there, be null or be absent. */
  private static Observation<Pool> observed(String id, Random random) {
    Set<String> nulls = new HashSet<>();
    Pool pool = ManualSource.pool(id, decimal(random));
    if (random.nextInt(4) == 0) {
      pool.setPrice(null);
    }
    pool.setValuation(
        PoolValuation.newBuilder().setFdvUsd(some(random, "valuation.fdv_usd", nulls))
            .setMarketCapUsd(some(random, "valuation.market_cap_usd", nulls)).build());
    Windows volume =
        Windows.newBuilder().setM5(some(random, "activity.volume_usd.m5", nulls)).setH1(decimal(random)).build();
    pool.setActivity(PoolActivity.newBuilder().setVolumeUsd(volume).build());
    return new Observation<>(pool, nulls);
  }

  private static String some(Random random, String path, Set<String> nulls) {
    int kind = random.nextInt(3);
    if (kind == 0) {
      nulls.add(path);
    }
    return kind == 2 ? decimal(random) : null;
  }

  private static String decimal(Random random) {
    return List.of("1.0", "2.0", "3.0", "NaN").get(random.nextInt(4));
  }

  private void fold(PoolChange change, long seed) {
    assertThat(change.getRevision()).isEqualTo(revisions.merge(change.getId(), 1L, Long::sum));
    IndexedRecord known = folded.computeIfAbsent(change.getId(), id -> AvroRecords.blank(new Pool().getSchema()));
    for (FacetView facet : ResourceKind.POOL.facets()) {
      IndexedRecord facetChange = facet.changeIn(change);
      if (facetChange != null) {
        Object before = facetChange.get(0);
        Object after = facetChange.get(1);
        assertThat(before).as("before of %s, seed %d", facet.name(), seed).isEqualTo(facet.valueIn(known));
        assertThat(change.getOrigin().getKeyFrame() || !after.equals(before)).as("%s moved", facet.name()).isTrue();
        facet.putValue(known, (IndexedRecord) after);
      }
    }
  }

  private void assertFold(ManualSource source, String id, String where) {
    PoolState state = (PoolState) source.known.find("pool", id);
    assertThat(state.getRevision()).as(where).isEqualTo(revisions.get(id));
    for (FacetView facet : ResourceKind.POOL.facets()) {
      IndexedRecord published =
          state.getWithheld() != null && state.getWithheld().getFacets().contains(facet.name())
              ? facet.valueIn(state.getWithheld().getValues())
              : facet.valueIn(state.getKnown());
      assertThat(facet.valueIn(folded.get(id))).as("%s of %s, %s", facet.name(), id, where).isEqualTo(published);
    }
  }
}
