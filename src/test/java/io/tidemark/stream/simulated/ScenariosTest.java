package io.tidemark.stream.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

/** Each shipped rule fires once in its scenario, and its condition is resolved with the incident; a quiet day fires none. */
class ScenariosTest {

  static final Instant START = Instant.parse("2026-03-04T10:00:00Z");
  static final long SEED = 7;

  /** The service knows how much of the new pool is locked, which it does not of every pool. */
  static final long SEED_OF_LOCKED = 11;

  static final Set<IncludedResource> ALONG = Set.of(IncludedResource.values());
  static final Query<?> DEX = new Query.DexPools("eth", "uniswap_v3", ALONG, 1, PoolSort.H24_VOLUME_USD_DESC, true);
  static final Query<?> POOL = new Query.PoolByAddress("eth", struck(), ALONG, false, false);
  static final Query<?> TRENDING = new Query.TrendingPools("eth", ALONG, 1, TrendingDuration.H1, true);
  static final Query.NewPools NEW = new Query.NewPools("base", ALONG, 1, false);
  static final Query.DexPools LAUNCHPAD =
      new Query.DexPools("solana", "pump-fun", Set.of(), 1, PoolSort.H24_VOLUME_USD_DESC, false);
  static final Query<?> LAUNCHED = new Query.TokenByAddress("solana", graduating(), false, false, false);
  static final Query<?> BITCOIN = tickers("bitcoin");
  static final Query<?> DAI = tickers("dai");
  static final Query<?> CONTRACTS = new Query.DerivativesExchangeById("binance_futures", IncludeTickers.UNEXPIRED);
  static final Query<?> COMPANY = treasury("strategy");
  static final Query<?> NEWCOMER = treasury("tesla");
  static final Query<?> GOVERNMENT = treasury("bhutan");
  static final Query<?> PLATFORMS = new Query.AssetPlatforms(null);
  static final Query<?> GLOBAL = new Query.GlobalMarket();

  /** At least one target for each shipped rule. */
  static final List<Query<?>> ALL_SORTS =
      List.of(TRENDING, NEW, BITCOIN, DAI, CONTRACTS, COMPANY, NEWCOMER, GOVERNMENT, PLATFORMS, GLOBAL);

  static final List<Case> CASES = List.of(
      event(Scenario.NEW_POOL, NEW, 40, "new-pool"),
      event(Scenario.TRENDING, TRENDING, 10, "newly-trending"),
      event(Scenario.CLIMBING, TRENDING, 10, "climbing"),
      event(Scenario.PUMP, POOL, 10, "price-move", "volume-burst"),
      event(Scenario.WASH_TRADING, POOL, 10, "volume-burst"),
      event(Scenario.RUG_PULL, POOL, 10, "liquidity-pulled"),
      event(Scenario.REPORTS, DEX, 10, "suspicious-reports"),
      event(Scenario.GRADUATION, LAUNCHPAD, 10, "graduation"),
      event(Scenario.GRADUATION, LAUNCHED, 10, "token-graduation"),
      condition(Scenario.STALE_TICKER, BITCOIN, "ticker-stale"),
      condition(Scenario.DISPERSION, BITCOIN, "venue-dispersion"),
      condition(Scenario.DEPEG, DAI, "depeg"),
      condition(Scenario.FUNDING_SPIKE, CONTRACTS, "funding-extreme"),
      condition(Scenario.BASIS_SPIKE, CONTRACTS, "basis-divergence"),
      event(Scenario.OPEN_INTEREST_JUMP, CONTRACTS, 10, "open-interest-jump"),
      event(Scenario.TREASURY_OPEN, NEWCOMER, 10, "holding-opened"),
      event(Scenario.TREASURY_BUY, COMPANY, 10, "holding-increased"),
      event(Scenario.TREASURY_SELL, GOVERNMENT, 10, "holding-decreased"),
      event(Scenario.TREASURY_CLOSE, GOVERNMENT, 10, "holding-closed"),
      event(Scenario.NEW_PLATFORM, PLATFORMS, 10, "new-platform"),
      event(Scenario.DOMINANCE_SHIFT, GLOBAL, 40, "dominance-shift"),
      condition(Scenario.OUTAGE, GLOBAL, "coverage-lost"));

  /**
   * @param tick from tick to tick
   * @param every from poll to poll
   * @param delay after which the incident begins
   * @param rest for which it is polled after it began
   * @param alerts rule and status of each alert
   */
  record Case(
      Scenario scenario, Query<?> watched, Duration tick, Duration every, Duration delay, Duration rest,
      List<String> alerts) {

    @Override
    public String toString() {
      return scenario.wire();
    }
  }

  @ParameterizedTest
  @FieldSource("CASES")
  void incident_firesItsRuleOnceWithEvidence(Case one) {
    var begins = START.plus(one.delay());
    var settings = new SimulatorSettings(SEED, one.scenario(), 1, begins);
    try (var market = new WatchedMarket(settings, List.of(one.watched()), START)) {
      market.watch(one.tick(), one.every(), begins.plus(one.rest()));

      var alerts = market.topology.alerts();
      assertThat(alerts).extracting(alert -> alert.getRule() + " " + alert.getStatus()).isEqualTo(one.alerts());
      assertThat(alerts).allSatisfy(alert -> assertProven(alert, one, market));
    }
  }

  @Test
  void everyShippedRule_hasItsScenario() {
    var fired = CASES.stream().flatMap(one -> one.alerts().stream()).map(alerts -> alerts.split(" ")[0]);

    assertThat(Stream.concat(fired, Stream.of("new-pool-locked-liquidity"))).containsAll(ShippedRules.names());
  }

  @Test
  void newPoolThatIsAlsoWatchedAlone_firesForItsLockedLiquidity() {
    var begins = START.plus(Scenario.NEW_POOL.delay());
    var settings = new SimulatorSettings(SEED_OF_LOCKED, Scenario.NEW_POOL, 1, begins);
    var alone = new Query.PoolByAddress("base", born(settings, begins.plusSeconds(600)), ALONG, false, false);
    try (var market = new WatchedMarket(settings, List.of(NEW, alone), START)) {
      market.watch(Duration.ofMinutes(1), Duration.ofMinutes(5), begins.plus(Duration.ofMinutes(40)));

      var alerts = market.topology.alerts();
      assertThat(alerts).extracting(Alert::getRule).containsExactly("new-pool-locked-liquidity", "new-pool");
      assertThat(alerts.getFirst().getSummary()).contains("of its liquidity is locked");
    }
  }

  @ParameterizedTest
  @EnumSource(Scenario.class)
  void scenario_isInThePage(Scenario scenario) throws IOException {
    var page = Path.of(System.getProperty("basedir", "."), "docs/using/scenarios.md");

    assertThat(Files.readString(page)).contains("\n| `" + scenario.wire() + "` |");
  }

  @Test
  void quietDay_firesNothing() {
    try (var market = new WatchedMarket(new SimulatorSettings(SEED, Scenario.QUIET, 1), ALL_SORTS, START)) {
      market.watch(Duration.ofMinutes(1), Duration.ofMinutes(30), START.plus(Duration.ofHours(24)));

      assertThat(market.topology.alerts()).isEmpty();
    }
  }

  private static void assertProven(Alert alert, Case one, WatchedMarket market) {
    assertThat(alert.getFingerprint()).isEqualTo(digest(String.join("\0", alert.getRule(), alert.getSubject())));
    assertThat(alert.getEvidence()).isNotEmpty().allSatisfy(evidence -> {
      assertThat(evidence.getKey()).isEqualTo(alert.getSubject());
      assertThat(evidence.getValues()).isNotEmpty();
      assertThat(market.has(evidence)).isTrue();
    });
    assertThat(alert.getEvidence().getLast().getObservedAt()).isAfterOrEqualTo(START.plus(one.delay()));
  }

  private static String digest(String text) {
    try {
      var bytes = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(bytes, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static Case event(Scenario scenario, Query<?> watched, int minutes, String... rules) {
    var alerts = Stream.of(rules).map(rule -> rule + " fired").toList();
    var every = Duration.ofMinutes(watched == POOL ? 1 : 5);
    return new Case(
        scenario, watched, Duration.ofMinutes(1), every, scenario.delay(), Duration.ofMinutes(minutes), alerts);
  }

  /** Fires while the incident lasts, and resolves after it. */
  private static Case condition(Scenario scenario, Query<?> watched, String rule) {
    var alerts = Stream.of("pending", "firing", "resolved").map(status -> rule + " " + status).toList();
    var every = Duration.ofMinutes(watched == GLOBAL ? 1 : 3);
    return new Case(
        scenario, watched, WatchedMarket.TICK, every, every, Duration.ofMinutes(50), alerts);
  }

  private static Query<?> tickers(String coin) {
    return new Query.CoinTickers(
        coin, "kraken,gdax,bitstamp", false, 1, TickerOrder.TRUST_SCORE_DESC, false, DexPairFormat.CONTRACT_ADDRESS);
  }

  private static Query<?> treasury(String entity) {
    return new Query.PublicTreasury(entity, Set.of(), Set.of());
  }

  /** The address of the pool that is created in the scenario. */
  private static String born(SimulatorSettings settings, Instant later) {
    var pools = new Simulator(settings, InstantSource.fixed(later)).newPools(NEW).block().body().read().data();
    return pools.stream()
        .map(Observation::resource)
        .filter(pool -> Double.parseDouble(pool.getLiquidity().getReserveInUsd()) > 5_000)
        .findFirst()
        .orElseThrow()
        .getAddress();
  }

  /** The address of the token whose launch is about to graduate. */
  private static String graduating() {
    var scenario = Scenario.GRADUATION;
    var settings = new SimulatorSettings(SEED, scenario, 1, START.plus(scenario.delay()));
    var pools = new Simulator(settings, InstantSource.fixed(START)).dexPools(LAUNCHPAD).block().body().read().data();
    return pools.stream()
        .map(Observation::resource)
        .filter(pool -> pool.getLaunchpad() != null)
        .map(pool -> pool.getDescription().getBaseToken().substring("solana_".length()))
        .findFirst()
        .orElseThrow();
  }

  /** The address of the pool that incidents strike. */
  private static String struck() {
    var quiet = new Simulator(new SimulatorSettings(SEED, Scenario.QUIET, 1), InstantSource.fixed(START));
    var found = quiet.searchPools(new Query.SearchPools("MIRA", "eth", Set.of(), 1)).block();
    return found.body().read().data().getFirst().resource().getAddress();
  }
}
