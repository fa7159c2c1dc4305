package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.AppendedStates;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.event.AvroSettings;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.KnownIds;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.Timeframe;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.RefreshRate;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The number of changes for each snapshot of each resource in a calm market. */
class CalmMarketTest {
  private static final Topics TOPICS = new Topics("calm.", Retention.DEFAULT);
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);
  private static final KnownIds IDS = KnownIds.SIMULATED;
  private static final Set<IncludedResource> ALONG = Set.of(IncludedResource.values());
  private static final List<Query<?>> WATCHED =
      List.of(
          new Query.TokenByAddress(IDS.network(), IDS.token(), true, false, false),
          new Query.DexPools(IDS.network(), IDS.dex(), ALONG, 1, PoolSort.H24_VOLUME_USD_DESC, false),
          new Query.TrendingPools(IDS.network(), ALONG, 1, TrendingDuration.H1, false),
          new Query.NewPools(IDS.network(), ALONG, 1, false),
          new Query.PoolByAddress(IDS.network(), IDS.pool(), ALONG, true, true),
          new Query.GlobalMarket(),
          new Query.CoinTickers(
              IDS.coin(), null, false, 1, TickerOrder.TRUST_SCORE_DESC, true, DexPairFormat.CONTRACT_ADDRESS),
          new Query.DerivativesExchangeById(IDS.derivativesExchange(), IncludeTickers.UNEXPIRED),
          new Query.PublicTreasury(IDS.company(), Set.of(Timeframe.D7), Set.of(Timeframe.D30)),
          new Query.AssetPlatforms(null));

  private long changes;
  private long polls;

  @Test
  void presetMaterial_keepsACalmMarketQuiet() {
    double material = changesPerPollAndResource(PublishSettings.MATERIAL);
    double everything = changesPerPollAndResource(PublishSettings.EVERYTHING);

    System.out.printf(
        "calm market, changes per snapshot and resource: material %.3f, everything %.3f%n", material, everything);
    assertThat(material).isPositive().isLessThanOrEqualTo(0.3).isLessThan(everything);
  }

  /** Polls each target for an hour at the service's documented refresh interval; first snapshots do not count. */
  private double changesPerPollAndResource(PublishSettings settings) {
    AvroSettings.apply();
    try (ResourceStateStore store = new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), null)) {
      return changesPerPollAndResource(settings, store);
    }
  }

  private double changesPerPollAndResource(PublishSettings settings, ResourceStateStore store) {
    ChangeDetector detection = new ChangeDetector(settings, MONTH, MONTH, START, START);
    Deadlines deadlines = new Deadlines(detection, store, List.of(), (target, now) -> true);
    Simulator market = new Simulator(new SimulatorSettings(7, Scenario.CALM, 1), InstantSource.fixed(START));
    changes = 0;
    polls = 0;
    for (Instant now = START; now.isBefore(START.plus(Duration.ofHours(1))); now = now.plusSeconds(10)) {
      for (Query<?> query : WATCHED) {
        long since = Duration.between(START, now).toSeconds();
        if (since % RefreshRate.PUBLIC.period(query.operation()).toSeconds() == 0) {
          poll(query, market, detection, store, deadlines, now, since > 0);
        }
      }
      for (ResourceUpdate update = deadlines.poll(now); update != null; update = deadlines.poll(now)) {
        AppendedStates.append(store, TOPICS, update);
        deadlines.note(update, now);
        changes++;
      }
    }
    return (double) changes / polls;
  }

  private void poll(
      Query<?> query,
      Simulator market,
      ChangeDetector detection,
      ResourceStateStore store,
      Deadlines deadlines,
      Instant now,
      boolean counts) {
    Answer<?> answer = query.askOf(market.at(now)).block();
    Target target = new Target("main", query.toString(), query, 1);
    ChangeSet changeSet = detection.detect(new Snapshot(target, List.of(answer), false, null, now, now), store);
    AppendedStates.append(store, TOPICS, changeSet);
    deadlines.note(changeSet, now);
    if (counts) {
      changes += changeSet.updates().stream().filter(update -> update.change() != null).count();
      polls += store.members(query.toString()).stream().mapToLong(page -> page.getMembers().size()).sum();
    }
  }
}
