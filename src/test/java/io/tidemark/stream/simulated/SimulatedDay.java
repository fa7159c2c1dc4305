package io.tidemark.stream.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.TestSource;
import io.tidemark.event.Origin;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
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
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

/** A day of the simulated market, polled every quarter of an hour and ticked every minute, in the event log within a minute. */
final class SimulatedDay {

  static final Instant START = Instant.parse("2025-03-01T00:00:00Z");
  static final int MINUTES = 26 * 60 + 2;
  static final int PARTITIONS = 3;
  static final Duration POLL_AT = Duration.ofSeconds(20);
  static final Duration TICK_AT = Duration.ofSeconds(40);

  /** The last minute that is published: one tick behind. */
  static final Instant END = START.plus(Duration.ofMinutes(MINUTES - 1));

  static final Query<?> DEX_POOLS =
      new Query.DexPools("eth", "uniswap_v3", Set.of(IncludedResource.values()), 1, PoolSort.H24_VOLUME_USD_DESC,
          false);
  static final Query<?> NEW_POOLS = new Query.NewPools("base", Set.of(IncludedResource.values()), 1, false);
  static final Query<?> TRENDING_5M =
      new Query.TrendingPools("solana", Set.of(IncludedResource.values()), 1, TrendingDuration.M5, false);
  static final Query<?> TRENDING_1H =
      new Query.TrendingPools("solana", Set.of(IncludedResource.values()), 1, TrendingDuration.H1, false);
  static final Query<?> TOKEN =
      new Query.TokenByAddress("eth", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", false, false, false);
  static final Query<?> TICKERS = new Query.CoinTickers(
      "bitcoin", null, false, 1, TickerOrder.TRUST_SCORE_DESC, true, DexPairFormat.CONTRACT_ADDRESS);
  static final Query<?> CONTRACTS = new Query.DerivativesExchangeById("deribit", IncludeTickers.UNEXPIRED);
  static final Query<?> COMPANY = new Query.PublicTreasury("strategy", Set.of(), Set.of());
  static final Query<?> GOVERNMENT = new Query.PublicTreasury("el-salvador", Set.of(), Set.of());
  static final Query<?> GLOBAL = new Query.GlobalMarket();

  static final int NOON = 12 * 60;

  /** Rules on all parts of the topology; at noon they are replaced by the same with other bounds. */
  static final String RULES = """
      rules:
        - name: mover
          on: pool.changes
          when: changed.price && abs(moved(price.base_token_price_usd, "1h")) > %1$s
          cooldown: 2h
          annotations: { summary: "{{ moved(price.base_token_price_usd, '1h') | change }}" }
        - name: busy
          on: pool.changes
          kind: condition
          when: activity.volume_usd.h1 > 1000.0 * %1$s
          keep_firing_for: 30s
          annotations: { summary: "{{ activity.volume_usd.h1 | usd }}" }
        - name: newcomer
          on: pool.changes
          after: appeared.kind == "created"
          within: 60m
          when: about.reserve_usd > 5000.0 * %1$s
          annotations: { summary: "{{ about.name }}, {{ age(about.created_at) }} old" }
        - name: trending
          on: pool.listing
          when: action == "entered" && double(rank) <= 5.0 * %1$s
          once: [pool, list]
          cooldown: 3h
          annotations: { summary: "{{ rank }} in {{ list }}" }
        - name: wide
          on: pool.candles.1h
          when: high > low * (1.0 + %1$s / 100.0)
          annotations: { summary: "{{ low }} to {{ high }}" }
        - name: apart
          on: venues
          kind: condition
          when: spread_percent > %1$s
          annotations: { summary: "{{ spread_percent | percent }}" }
        - name: deep
          on: liquidity
          kind: condition
          when: volume_h1_usd > 100000.0 * %1$s
          annotations: { summary: "{{ volume_h1_usd | usd }}" }
      """;

  private static final List<Query<?>> WATCHED = List.of(
      DEX_POOLS, NEW_POOLS, TRENDING_5M, TRENDING_1H, TOKEN, TICKERS, CONTRACTS, COMPANY, GOVERNMENT, GLOBAL);

  /** Its records bear the times of the day that they are of: nothing of it is too old. */
  private static final Duration FOR_GOOD = Duration.ofDays(36_500);

  private static final Duration MONTH = Duration.ofDays(30);
  private static final int EVERY = 15;

  final Topics topics = new Topics(SharedBroker.freshPrefix(), new Retention(FOR_GOOD, FOR_GOOD, FOR_GOOD, FOR_GOOD));
  final SchemaRegistry registry = new BuiltInRegistry(topics.all());
  final ServedBodies served = new ServedBodies();
  private final ChangeDetector detection = new ChangeDetector(PublishSettings.EVERYTHING, MONTH, MONTH, START, START);
  private Instant now = START;
  private final QueryResponder market = QueryResponder.of(
      new Simulator(new SimulatorSettings(7, Scenario.CALM, 1), () -> now), FieldNaming.DOCUMENT, () -> now);

  /** Makes the topics and writes all of the day. */
  SimulatedDay() {
    var kafka = Map.<String, Object>of("bootstrap.servers", SharedBroker.bootstrapServers());
    var layout = new TopicLayout(PARTITIONS, (short) 1);
    try (var admin = Admin.create(kafka)) {
      new TopicSetup(admin, layout).ensure(topics.all());
    }
    var settings = new LedgerSettings("main", "test", topics, layout, kafka, TestSource.OPEN_TRANSACTION_WAIT);
    try (var ledger = TestSource.start(settings, registry, ProducerFactory.KAFKA, () -> now, LedgerListener.NONE)) {
      write(ledger);
    }
  }

  private void write(Ledger ledger) {
    var resources = topics.resources().stream().map(ResourceTopics::resource).toList();
    var deadlines = new Deadlines(detection, ledger.states(), resources, (target, now) -> true);
    var rules = announce(ledger, "0.4", RuleSet.EMPTY);
    for (var minute = 0; minute <= MINUTES; minute++) {
      var start = START.plus(Duration.ofMinutes(minute));
      if (minute == NOON) {
        announce(ledger, "0.8", rules);
      }
      if (minute % EVERY == 0) {
        now = start.plus(POLL_AT);
        WATCHED.forEach(query -> poll(query, ledger, deadlines));
        ledger.commit();
      }
      now = start.plus(TICK_AT);
      expire(ledger, deadlines);
      ledger.tick();
    }
  }

  private RuleSet announce(Ledger ledger, String bound, RuleSet before) {
    var text = new RuleDocument("day.yaml", RULES.formatted(bound));
    var rules = RuleSetReader.read(List.of(text), topics.ruleSchemas(), List.of()).versionedAfter(before);
    ledger.announce("rules", rules.version(), RuleFormat.write(rules));
    return rules;
  }

  private void poll(Query<?> query, Ledger ledger, Deadlines deadlines) {
    var reply = market.respond(query).block();
    var body = new byte[reply.body().remaining()];
    reply.body().duplicate().get(body);
    served.add(query, now, json(body));
    var name = Endpoints.targetName(query);
    var answer = new StoredResponse(name, 1, body, reply.status(), Map.of(), now, now).answer();
    var snapshot = new Snapshot(new Target("main", name, query, 1), List.of(answer), false, null, now, now);
    deadlines.note(ledger.append(detection.detect(snapshot, ledger.states())), now);
  }

  private void expire(Ledger ledger, Deadlines deadlines) {
    for (var entry = deadlines.poll(now); entry != null; entry = deadlines.poll(now)) {
      var change = entry.change();
      ledger.append(entry, (Origin) change.get(change.getSchema().getField("origin").pos()));
      deadlines.note(entry, now);
    }
    ledger.commit();
  }

  private static JsonNode json(byte[] body) {
    try {
      return new ObjectMapper().readTree(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
