package io.tidemark.stream.aggregate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.AppendedStates;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.TaskRun;
import io.tidemark.stream.TopologyRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * Hours of a simulated market, polled again and again: the records of the event log as JSON, and what the processors of
 * all aggregates publish over them, without a cluster.
 */
final class RecordedDay implements AutoCloseable {

  static final Instant START = Instant.parse("2025-03-01T00:00:00Z");

  private static final Duration MONTH = Duration.ofDays(30);
  private static final Set<IncludedResource> INCLUDED = Set.of(IncludedResource.values());
  private static final List<Query<?>> WATCHED = List.of(
      new Query.DexPools("eth", "uniswap_v3", INCLUDED, 1, PoolSort.H24_VOLUME_USD_DESC, false),
      new Query.NewPools("base", INCLUDED, 1, false),
      new Query.NewPools("solana", INCLUDED, 1, false),
      new Query.TrendingPools("solana", INCLUDED, 1, TrendingDuration.M5, false),
      new Query.TrendingPools("solana", INCLUDED, 1, TrendingDuration.H1, false),
      new Query.TokenByAddress("eth", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", false, false, false),
      new Query.CoinTickers(
          "bitcoin", null, false, 1, TickerOrder.TRUST_SCORE_DESC, true, DexPairFormat.CONTRACT_ADDRESS),
      new Query.DerivativesExchangeById("deribit", IncludeTickers.ALL),
      new Query.DerivativesExchangeById("binance_futures", IncludeTickers.ALL),
      new Query.PublicTreasury("strategy", Set.of(), Set.of()),
      new Query.PublicTreasury("el-salvador", Set.of(), Set.of()),
      new Query.GlobalMarket());
  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<Aggregation<?, ?>> AGGREGATIONS = List.of(
      new MoversByNetwork(), new LaunchesByHour(), new TrendingByPool(), new LiquidityByExchange(), new VenuesByCoin(),
      new VenuesByToken(), new DerivativesByCoin(), new TreasuriesByCoin(), new DominanceByCoin());

  /** A record of the event log, as plain JSON. */
  record RawRecord(Instant at, String type, String key, JsonNode json) {}

  final List<RawRecord> records = new ArrayList<>();
  final List<SpecificRecord> published = new ArrayList<>();

  private final Simulator market;
  private final ResourceStateStore store =
      new ResourceStateStore(TopologyRun.TOPICS, new BuiltInRegistry(TopologyRun.TOPICS.all()), null);
  private final ChangeDetector detection =
      new ChangeDetector(PublishSettings.EVERYTHING, MONTH, MONTH, START, START);
  private final Deadlines deadlines = new Deadlines(detection, store, List.of(), (target, now) -> true);
  private final TaskRun<SpecificRecord, GroupUpdate> members = new TaskRun<SpecificRecord, GroupUpdate>(
      TaskRun.withResources(
          (resources, context, output) -> new Members(AGGREGATIONS, resources, REGISTRY, context, output)::process),
      0, List.of(
          TaskRun.resources(),
          new CountingStore<byte[]>(Members.WAITING),
          new CountingStore<Long>(Members.TICK)));
  private final TaskRun<GroupUpdate, SpecificRecord> groups;
  private Instant now = START;

  RecordedDay(Scenario scenario, int minutes, int pollMinutes) {
    AvroSettings.apply();
    var stores = new ArrayList<CountingStore<?>>(List.of(
        new CountingStore<GroupUpdate>(Groups.HELD), new CountingStore<byte[]>(Groups.GROUPS),
        new CountingStore<Long>(Groups.ACTIVE), new CountingStore<Long>(Groups.PENDING)));
    AGGREGATIONS.forEach(each -> stores.add(new CountingStore<SpecificRecord>(each.name())));
    groups = new TaskRun<GroupUpdate, SpecificRecord>(
        (context, output) -> new Groups(AGGREGATIONS, REGISTRY, context, output)::process, 0, stores);
    market = new Simulator(new SimulatorSettings(7, scenario, 1), InstantSource.fixed(START));
    for (var minute = 0; minute <= minutes; minute++) {
      now = START.plus(Duration.ofMinutes(minute)).plusSeconds(20);
      if (minute % pollMinutes == 0) {
        WATCHED.forEach(this::poll);
      }
      now = now.plusSeconds(20);
      expire();
      send(members.process("", Control.newBuilder().setAt(now).build(), now));
    }
  }

  @Override
  public void close() {
    store.close();
  }

  private void poll(Query<?> query) {
    var target = new Target("main", Endpoints.targetName(query), query, 1);
    var answer = query.askOf(market.at(now)).block();
    var outcome = detection.detect(new Snapshot(target, List.of(answer), false, null, now, now), store);
    AppendedStates.append(store, TopologyRun.TOPICS, outcome);
    deadlines.note(outcome, now);
    put(outcome);
  }

  private void expire() {
    for (var due = deadlines.poll(now); due != null; due = deadlines.poll(now)) {
      AppendedStates.append(store, TopologyRun.TOPICS, due);
      deadlines.note(due, now);
      put(due);
    }
  }

  private void put(ChangeSet outcome) {
    outcome.updates().forEach(this::put);
    outcome.listings().forEach(listing -> put(listing.getPool(), listing));
  }

  private void put(ResourceUpdate update) {
    if (update.change() != null) {
      put(update.key(), update.change());
    }
  }

  private void put(String key, SpecificRecord record) {
    try {
      records.add(new RawRecord(now, record.getSchema().getName(), key, JSON.readTree(record.toString())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    send(members.process(key, record, now));
  }

  private void send(List<GroupUpdate> updates) {
    for (var update : updates) {
      groups.process("", update, now).stream()
          .filter(record -> record != null && !(record instanceof Control))
          .forEach(published::add);
    }
  }
}
