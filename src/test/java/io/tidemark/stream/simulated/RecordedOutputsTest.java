package io.tidemark.stream.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.market.Query;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.stream.RecordedOutputs;
import io.tidemark.stream.TopologyRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the topology writes over a time of each scenario, as digests by topic in {@code recorded-outputs.txt}: another
 * program writes the same. The file is changed by hand, where an output changes on purpose; the test never writes it.
 * With
 * {@code -Dtidemark.outputs=DIRECTORY} it writes the outputs as text, to compare those of two programs.
 */
class RecordedOutputsTest {

  private static final Instant START = ScenariosTest.START;
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final List<Query<?>> WATCHED = Stream
      .concat(ScenariosTest.ALL_SORTS.stream(),
          Stream.of(ScenariosTest.DEX, ScenariosTest.POOL, ScenariosTest.LAUNCHPAD, ScenariosTest.LAUNCHED,
              new Query.TrendingPools("eth", ScenariosTest.ALONG, 1, TrendingDuration.M5, false),
              new Query.TrendingPools("solana", ScenariosTest.ALONG, 1, TrendingDuration.H1, false),
              new Query.DexPools("base", "aerodrome", ScenariosTest.ALONG, 1, PoolSort.H24_VOLUME_USD_DESC, false)))
      .toList();

  /** Rules of each kind on a topic of each kind, with a bound of its own. */
  private static final String RULES = """

        - name: mover
          on: pool.changes
          when: changed.price && abs(moved(price.base_token_price_usd, "1h")) > {bound}
          cooldown: 20m
          annotations: { summary: "{{ moved(price.base_token_price_usd, '1h') | change }}" }
        - name: busy
          on: pool.changes
          kind: condition
          when: activity.volume_usd.h1 > 20000.0 * {bound}
          keep_firing_for: 30s
          annotations: { summary: "{{ activity.volume_usd.h1 | usd }}" }
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > {bound}
          resolve_when: price.base_token_price_usd < 0.9 * {bound}
          for: 6m
          annotations: { summary: "{{ price.base_token_price_usd | price }}" }
        - name: calm
          on: pool.changes
          kind: condition
          when: highest(price.base_token_price_usd, "20m") < lowest(price.base_token_price_usd, "20m") * 1.001
          annotations: { summary: "{{ about.name }}" }
        - name: newcomer
          on: pool.changes
          after: appeared.kind == "created"
          within: 60m
          when: about.reserve_usd > 5000.0 * {bound}
          annotations: { summary: "{{ about.name }}, {{ age(about.created_at) }} old" }
        - name: token-mover
          on: token.changes
          when: changed.price && before.price.price_usd < price.price_usd
          cooldown: 30m
          annotations: { summary: "{{ price.price_usd | price }}" }
        - name: exited
          on: pool.listing
          when: action == "exited"
          once: [pool, list]
          cooldown: 3h
          annotations: { summary: "{{ rank_before }} in {{ list }}" }
        - name: wide
          on: pool.candles.5m
          when: high > low * (1.0 + {bound} / 100.0)
          annotations: { summary: "{{ low }} to {{ high }}" }
        - name: rising
          on: pool.candles.15m
          kind: condition
          when: close > open
          for: 10s
          annotations: { summary: "{{ open }} to {{ close }}" }
        - name: token-candle
          on: token.candles.1h
          when: changes > 0
          annotations: { summary: "{{ low }} to {{ high }}" }
        - name: ticker-candle
          on: ticker.candles.1m
          when: high > low
          annotations: { summary: "{{ low }} to {{ high }}" }
        - name: moving
          on: movers
          kind: condition
          when: h1.up > h1.down
          annotations: { summary: "{{ h1.up }} up, {{ h1.down }} down" }
        - name: launched
          on: launches
          when: pools > 1
          once: [network, dex, start]
          annotations: { summary: "{{ pools }} pools" }
        - name: staying
          on: trending
          kind: condition
          when: seconds > 600.0 * {bound} && durations > 0
          annotations: { summary: "{{ seconds }}" }
        - name: deep
          on: liquidity
          kind: condition
          when: volume_h1_usd > 100000.0 * {bound}
          for: 3m
          annotations: { summary: "{{ volume_h1_usd | usd }}" }
        - name: apart
          on: venues
          kind: condition
          when: spread_percent > 0.1 * {bound}
          annotations: { summary: "{{ spread_percent | percent }}" }
        - name: funded
          on: derivatives
          kind: condition
          when: funding_rate > 0.0
          keep_firing_for: 2m
          annotations: { summary: "{{ funding_rate }}" }
        - name: hoard
          on: treasuries
          when: amount > 0.0
          cooldown: 1h
          annotations: { summary: "{{ amount }}" }
        - name: share
          on: dominance
          kind: condition
          when: percentage > 10.0 * {bound}
          annotations: { summary: "{{ percentage | percent }}" }
        - name: polled
          on: target.state
          kind: condition
          when: "!complete"
          annotations: { summary: "incomplete" }
        - name: degraded
          on: source.state
          kind: condition
          when: status != "polling"
          annotations: { summary: "{{ status }}" }
        - name: {renamed}
          on: contract.changes
          kind: condition
          when: open_interest.open_interest_usd > 1000000.0 * {bound}
          annotations: { summary: "{{ open_interest.open_interest_usd | usd }}" }
      """;

  /** An hour and a half: rules change, an alert is muted, the task begins elsewhere, nobody polls. */
  @ParameterizedTest
  @MethodSource("scenarios")
  void scenario_givesTheOutputsOnFile(Scenario scenario) {
    var settings = new SimulatorSettings(ScenariosTest.SEED, scenario, 1, minute(35));
    try (var market = new WatchedMarket(settings, watched(scenario), START)) {
      market.topology.rules(START.minusSeconds(10), rules("1.5", "interest"));
      market.watch(WatchedMarket.TICK, LONG, minute(22));
      market.topology.silences(
          minute(22), 1, silence("dear", minute(23), minute(50)), silence("busy", minute(0), minute(40)));
      market.watch(WatchedMarket.TICK, LONG, minute(33));
      market.topology.restart();
      market.watch(WatchedMarket.TICK, LONG, minute(48));
      market.topology.rules(minute(48), rules("0.8", "open-interest"));
      market.watch(WatchedMarket.TICK, LONG, minute(62));
      market.pause(Duration.ofMinutes(3));
      market.watch(WatchedMarket.TICK, LONG, minute(90));

      assertOnFile(scenario.wire(), market.topology.outputs());
    }
  }

  /** Some, which take half a minute; {@code -Dtidemark.scenarios=all} measures all of them. */
  private static Stream<Scenario> scenarios() {
    return System.getProperty("tidemark.scenarios", "").equals("all")
        ? Stream.of(Scenario.values())
        : Stream.of(Scenario.CALM, Scenario.LAUNCH_DAY, Scenario.DIRTY_DATA, Scenario.PUMP, Scenario.STALE_TICKER);
  }

  /** Where an incident happens, what shows it. */
  private static List<Query<?>> watched(Scenario scenario) {
    var shown = ScenariosTest.CASES.stream()
        .filter(one -> one.scenario() == scenario)
        .<Query<?>>map(ScenariosTest.Case::watched)
        .toList();
    return shown.isEmpty() ? WATCHED : shown;
  }

  /** More than a day: candles of all intervals, figures of an hour and a day ago, pools classified and dropped. */
  @Test
  void calmDay_givesTheOutputsOnFile() {
    var settings = new SimulatorSettings(ScenariosTest.SEED, Scenario.CALM, 1);
    try (var market = new WatchedMarket(settings, WATCHED, START)) {
      market.watch(Duration.ofMinutes(1), Duration.ofMinutes(30), START.plus(Duration.ofHours(26)));

      assertOnFile("day of calm", market.topology.outputs());
    }
  }

  @Test
  void outputsOnFile_areOfEachTopic() {
    var written = onFile().stream().map(line -> line.split(": ")[1].split(" ")[0]).distinct();

    assertThat(written).containsAll(
        TopologyRun.TOPICS.derived().stream().map(TopologyRun.TOPICS::shortName).toList());
  }

  private static Instant minute(int minute) {
    return START.plus(Duration.ofMinutes(minute));
  }

  private static String rules(String bound, String renamed) {
    return ShippedRules.document().text().stripTrailing() + "\n"
        + RULES.replace("{bound}", bound).replace("{renamed}", renamed);
  }

  private static Silence silence(String rule, Instant from, Instant until) {
    return new Silence(rule, rule, null, Map.of(), from, until, "test", "");
  }

  private static void assertOnFile(String name, RecordedOutputs outputs) {
    outputs.write(name);

    assertThat(outputs.digests(name)).containsExactlyElementsOf(
        onFile().stream().filter(line -> line.startsWith(name + ": ")).toList());
  }

  private static List<String> onFile() {
    try (var file = RecordedOutputsTest.class.getResourceAsStream("recorded-outputs.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
