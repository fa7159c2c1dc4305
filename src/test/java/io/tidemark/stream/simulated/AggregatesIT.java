package io.tidemark.stream.simulated;

import static io.tidemark.stream.simulated.ServedBodies.each;
import static io.tidemark.stream.simulated.ServedBodies.number;
import static io.tidemark.stream.simulated.SimulatedDay.END;
import static io.tidemark.stream.simulated.SimulatedDay.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.event.Alert;
import io.tidemark.event.Candle;
import io.tidemark.event.Derivatives;
import io.tidemark.event.Dominance;
import io.tidemark.event.Launches;
import io.tidemark.event.Liquidity;
import io.tidemark.event.Mover;
import io.tidemark.event.MoverWindow;
import io.tidemark.event.Movers;
import io.tidemark.event.Survival;
import io.tidemark.event.Treasuries;
import io.tidemark.event.Trending;
import io.tidemark.event.Venues;
import io.tidemark.kafka.AggregateTopics;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Query;
import io.tidemark.stream.Backtest;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.KafkaStreams;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every aggregate of a simulated day against what the served bodies contain, computed here from their JSON alone; the
 * application is restarted and its partitions are reassigned in the middle. Counts and candles are exact, sums and means
 * to a billionth of themselves; values of 24 hours ago may be up to ten minutes older.
 */
class AggregatesIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final Duration NOT_VISIBLE_AFTER = Duration.ofMinutes(45);

  static final Map<CandleInterval, Integer> SECONDS = Map.of(CandleInterval.MINUTE, 60,
      CandleInterval.FIVE_MINUTES, 300, CandleInterval.FIFTEEN_MINUTES, 900, CandleInterval.HOUR, 3_600,
      CandleInterval.FOUR_HOURS, 14_400, CandleInterval.DAY, 86_400);
  static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

  @TempDir
  static Path one;
  @TempDir
  static Path other;

  static SimulatedDay day;
  static CommittedAggregates committed;

  @BeforeAll
  static void streamTheDay() {
    day = new SimulatedDay();
    committed = new CommittedAggregates(day.topics, day.registry);
    var first = start(one);
    try {
      await().atMost(TIMEOUT).pollInterval(POLL_INTERVAL)
          .until(() -> committed.size(day.topics.candles(day.topics.pool(), CandleInterval.HOUR)) > 50);
      try (var second = start(other)) {
        await().atMost(TIMEOUT).until(() -> second.kafka().state() == KafkaStreams.State.RUNNING);
      }
      await().atMost(TIMEOUT).until(() -> first.kafka().state() == KafkaStreams.State.RUNNING);
    } finally {
      first.close();
    }
    await().atMost(TIMEOUT).until(first.ended().toCompletableFuture()::isDone); // the next one works in its directory
    try (var again = start(one)) {
      await().atMost(TIMEOUT).pollInterval(POLL_INTERVAL).until(committed::isAll);
      assertThat(again.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
  }

  @Test
  void backtestOfTheDay_givesExactlyTheAlertsThatLiveGave() {
    var settings =
        new StreamSettings(SharedBroker.bootstrapServers(), other, 2, Duration.ofSeconds(1), Map.of());

    List<Alert> backtested;
    try (var backtest = new Backtest("day", day.topics, day.registry, settings)) {
      backtested = backtest.alerts(START.minusSeconds(1), END.plusSeconds(120), null, (done, total) -> {});
    }

    var live = alerts(committed.all(day.topics.alerts()));
    assertThat(alerts(backtested)).containsExactlyElementsOf(live);
    assertThat(live.stream().map(alert -> alert.split(" ")[0])).contains(
        "mover-1", "mover-2", "busy-1", "busy-2", "newcomer-1", "newcomer-2", "trending-1", "wide-1", "wide-2",
        "apart-1", "deep-1", "deep-2");
  }

  private static List<String> alerts(List<Alert> alerts) {
    return alerts.stream()
        .map(alert -> "%s-%d %s %s %s %s %s".formatted(
            alert.getRule(), alert.getRuleVersion(), alert.getFingerprint(), alert.getEventTime(), alert.getStatus(),
            alert.getId(), alert.getSummary()))
        .sorted()
        .toList();
  }

  @Test
  void candlesOfPools_areThoseOfTheBodies() {
    for (var interval : SECONDS.entrySet()) {
      var expected = Stream.of(SimulatedDay.DEX_POOLS, SimulatedDay.NEW_POOLS)
          .flatMap(list -> expectedCandles(list, interval.getValue()))
          .toList();

      assertThat(committed.all(day.topics.candles(day.topics.pool(), interval.getKey())))
          .filteredOn(candle -> !candle.getId().startsWith("solana"))
          .extracting(AggregatesIT::written)
          .hasSizeGreaterThan(20)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @Test
  void candlesOfTokens_areThoseOfTheBodies() {
    var prices = new TreeMap<Instant, String>();
    day.served.bodies(SimulatedDay.TOKEN)
        .forEach(
            observation -> prices.put(observation.at(), observation.body().at("/data/attributes/price_usd").asText()));
    var id = day.served.bodies(SimulatedDay.TOKEN).getFirst().body().at("/data/id").asText();

    assertThat(committed.all(day.topics.candles(day.topics.token(), CandleInterval.HOUR)))
        .extracting(AggregatesIT::written)
        .hasSizeGreaterThan(20)
        .containsExactlyInAnyOrderElementsOf(windows(id, prices, SimulatedDay.TOKEN, 3_600).toList());
  }

  @Test
  void candlesOfTickers_areThoseOfTheBodies() {
    var prices = new TreeMap<String, TreeMap<Instant, String>>();
    for (var observation : day.served.bodies(SimulatedDay.TICKERS)) {
      each(observation.body().get("tickers")).forEach(ticker -> prices
          .computeIfAbsent(tickerId(ticker), id -> new TreeMap<>())
          .put(observation.at(), Double.toString(number(ticker.get("last")))));
    }
    var expected = prices.entrySet().stream()
        .flatMap(each -> windows(each.getKey(), each.getValue(), SimulatedDay.TICKERS, 3_600));

    assertThat(committed.all(day.topics.candles(day.topics.ticker(), CandleInterval.HOUR)))
        .extracting(AggregatesIT::written)
        .hasSizeGreaterThan(20)
        .containsExactlyInAnyOrderElementsOf(expected.toList());
  }

  @Test
  void movers_areThoseOfTheBodies() {
    assertMovers("eth", SimulatedDay.DEX_POOLS);
    assertMovers("base", SimulatedDay.NEW_POOLS);
  }

  @Test
  void launches_areThoseOfTheBodies() {
    assertThat(launches(Duration.ofHours(1), Launches::getAfter1h)).hasSizeGreaterThan(20);
    assertThat(launches(Duration.ofHours(24), Launches::getAfter24h))
        .anySatisfy((hour, counts) -> assertThat(counts.get(4)).as("pending 24 hours later").isLessThan(counts.get(0)));
  }

  /** Checks, and returns, the outcomes of the pools of each hour by an age. */
  private static Map<String, List<Integer>> launches(Duration age, Function<Launches, Survival> fates) {
    Map<String, List<Integer>> expected = new TreeMap<>();
    day.served.pools(SimulatedDay.NEW_POOLS).forEach((id, observations) -> {
      var created = Instant.parse(observations.firstEntry().getValue().get("pool_created_at").asText());
      if (!created.isBefore(START) && observations.firstKey().isBefore(END)) {
        var counts = new ArrayList<>(List.of(1, 0, 0, 0, 0));
        counts.set(fate(observations, created, age), 1);
        expected.merge(created.truncatedTo(ChronoUnit.HOURS).toString(), counts, AggregatesIT::sum);
      }
    });

    Map<String, List<Integer>> found = new TreeMap<>();
    committed.newest(AggregateTopics.aggregate(day.topics, Launches.class)).values().stream()
        .filter(launches -> launches.getNetwork().equals("base"))
        .forEach(launches -> found.merge(launches.getStart().toString(), counts(launches, fates), AggregatesIT::sum));
    assertThat(found).isEqualTo(expected);
    return found;
  }

  @Test
  void trendingStays_areThoseOfTheBodies() {
    var entries = new TreeMap<String, Integer>();
    var seconds = new TreeMap<String, Double>();
    var listed = new TreeMap<String, Integer>();
    for (var list : List.of(SimulatedDay.TRENDING_5M, SimulatedDay.TRENDING_1H)) {
      stays(list).forEach((id, stays) -> {
        entries.merge(id, (int) stays.stream().filter(stay -> stay[0] > 0).count(), Integer::sum);
        seconds.merge(id, stays.stream().mapToDouble(stay -> stay[1]).sum(), Math::max);
        listed.merge(id, stays.getLast()[2] > 0 ? 1 : 0, Integer::sum);
      });
    }

    var trending = committed.newest(AggregateTopics.aggregate(day.topics, Trending.class));
    Map<String, Integer> entered = values(trending, Trending::getEntries);
    Map<String, Integer> durations = values(trending, Trending::getDurations);
    assertThat(entered).hasSizeGreaterThan(20).isEqualTo(entries);
    assertThat(durations).isEqualTo(listed);
    trending.forEach((id, each) -> {
      var still = each.getDurations() > 0 ? Duration.between(each.getAt(), END).toSeconds() : 0;
      assertThat(each.getSeconds() + still).as(id).isGreaterThanOrEqualTo(seconds.get(id));
      assertThat(each.getSeconds()).as(id).isLessThanOrEqualTo(seconds.get(id));
    });
  }

  @Test
  void liquidity_isTheSumOfTheBodies() {
    assertLiquidity("eth", SimulatedDay.DEX_POOLS);
    assertLiquidity("eth/uniswap_v3", SimulatedDay.DEX_POOLS);
    assertLiquidity("base", SimulatedDay.NEW_POOLS);
  }

  @Test
  void venues_areThoseOfTheBodies() {
    var tickers = new HashMap<String, JsonNode>();
    each(day.served.last(SimulatedDay.TICKERS, END).get("tickers"))
        .forEach(ticker -> tickers.putIfAbsent(tickerId(ticker), ticker));
    var compared = tickers.values().stream()
        .filter(ticker -> !ticker.get("is_stale").asBoolean() && !ticker.get("is_anomaly").asBoolean())
        .toList();
    var prices = compared.stream().map(ticker -> number(ticker.at("/converted_last/usd"))).sorted().toList();

    Venues venues = committed.newest(AggregateTopics.aggregate(day.topics, Venues.class)).get("bitcoin");
    assertThat(venues.getTickers()).isEqualTo(prices.size());
    assertThat(venues.getCheapest().getPriceUsd()).isEqualTo(prices.getFirst());
    assertThat(venues.getDearest().getPriceUsd()).isEqualTo(prices.getLast());
    assertThat(venues.getSpreadPercent())
        .isCloseTo(100 * (prices.getLast() / prices.getFirst() - 1), within(1e-9));
    assertThat(venues.getVolumeUsd()).isCloseTo(
        compared.stream().mapToDouble(ticker -> number(ticker.at("/converted_volume/usd"))).sum(), billionth(1e12));
  }

  @Test
  void derivatives_areThoseOfTheBodies() {
    var contracts = each(day.served.last(SimulatedDay.CONTRACTS, END).get("tickers")).stream()
        .filter(contract -> contract.get("coin_id").asText().equals("bitcoin"))
        .toList();
    var volume = contracts.stream().mapToDouble(each -> number(each.at("/converted_volume/usd"))).sum();
    var perpetuals =
        contracts.stream().filter(each -> each.get("contract_type").asText().equals("perpetual")).toList();
    var dated = contracts.stream().filter(each -> each.get("contract_type").asText().equals("futures")).toList();

    Derivatives derivatives = committed.newest(AggregateTopics.aggregate(day.topics, Derivatives.class)).get("bitcoin");
    assertThat(derivatives.getContracts()).isEqualTo(contracts.size()).isPositive();
    assertThat(derivatives.getOpenInterestUsd()).isCloseTo(
        contracts.stream().mapToDouble(each -> number(each.get("open_interest_usd"))).sum(), billionth(1e11));
    assertThat(derivatives.getVolumeUsd()).isCloseTo(volume, billionth(1e11));
    assertThat(derivatives.getPerpetuals()).isEqualTo(perpetuals.size()).isPositive();
    assertThat(derivatives.getDated()).isEqualTo(dated.size()).isPositive();
    assertThat(derivatives.getFundingRate()).isCloseTo(weighted(perpetuals, "funding_rate"), within(1e-12));
    assertThat(derivatives.getBasisPercent())
        .isCloseTo(weighted(perpetuals, "index_basis_percentage"), within(1e-12));
    assertThat(derivatives.getDatedBasisPercent())
        .isCloseTo(weighted(dated, "index_basis_percentage"), within(1e-12));
  }

  private static double weighted(List<JsonNode> contracts, String figure) {
    return contracts.stream()
        .mapToDouble(each -> number(each.get(figure)) * number(each.at("/converted_volume/usd")))
        .sum() / contracts.stream().mapToDouble(each -> number(each.at("/converted_volume/usd"))).sum();
  }

  @Test
  void treasuries_areThoseOfTheBodies() {
    var holdings = Stream.of(SimulatedDay.COMPANY, SimulatedDay.GOVERNMENT)
        .flatMap(entity -> each(day.served.last(entity, END).get("holdings")).stream())
        .filter(holding -> holding.get("coin_id").asText().equals("bitcoin"))
        .toList();

    Treasuries treasuries = committed.newest(AggregateTopics.aggregate(day.topics, Treasuries.class)).get("bitcoin");
    assertThat(treasuries.getHolders()).isEqualTo(holdings.size()).isEqualTo(2);
    assertThat(treasuries.getAmount())
        .isCloseTo(holdings.stream().mapToDouble(each -> number(each.get("amount"))).sum(), within(1e-6));
    assertThat(treasuries.getValueUsd()).isCloseTo(
        holdings.stream().mapToDouble(each -> number(each.get("current_value_usd"))).sum(), billionth(1e11));
  }

  @Test
  void dominance_isThatOfTheBodies() {
    var shares = day.served.last(SimulatedDay.GLOBAL, END).at("/data/market_cap_percentage");
    var hourAgo =
        day.served.last(SimulatedDay.GLOBAL, END.minus(Duration.ofHours(1))).at("/data/market_cap_percentage");
    var dominance = committed.newest(AggregateTopics.aggregate(day.topics, Dominance.class));

    shares.fieldNames().forEachRemaining(coin -> {
      Dominance each = dominance.get(coin);
      assertThat(each.getPercentage()).as(coin).isEqualTo(number(shares.get(coin)));
      assertThat(each.getChange1h()).as(coin)
          .isCloseTo(number(shares.get(coin)) - number(hourAgo.get(coin)), within(1e-12));
      assertThat(dayAgo(coin)).as(coin).anySatisfy(
          then -> assertThat(each.getChange24h()).isCloseTo(number(shares.get(coin)) - then, within(1e-12)));
    });
    assertThat(dominance.values().stream().filter(Dominance::getListed)).hasSize(shares.size());
  }

  private static void assertMovers(String network, Query<?> list) {
    Movers movers = committed.newest(AggregateTopics.aggregate(day.topics, Movers.class)).get(network);
    var pools = day.served.pools(list);
    var visible = pools.values().stream().filter(observations -> isVisible(observations, END)).toList();
    assertThat(movers.getPools()).isEqualTo(known(pools).size());
    assertThat(movers.getVisible()).isEqualTo(visible.size());
    assertWindow(movers.getM5(), list, END.minus(Duration.ofMinutes(5)));
    assertWindow(movers.getH1(), list, END.minus(Duration.ofHours(1)));
    assertThat(movers.getH24().getGainers()).allSatisfy(mover -> assertThat(
        pools.get(mover.getPool()).subMap(END.minus(Duration.ofMinutes(1_455)), END.minus(Duration.ofHours(24)))
            .values().stream().map(AggregatesIT::price))
        .contains(mover.getPriceThenUsd()));
  }

  private static void assertWindow(MoverWindow window, Query<?> list, Instant then) {
    var moves = new TreeMap<String, Double>();
    day.served.pools(list).forEach((id, observations) -> {
      if (isVisible(observations, END) && observations.lowerKey(then) != null) {
        var before = price(observations.lowerEntry(then).getValue());
        moves.put(id, 100 * (price(observations.lowerEntry(END).getValue()) / before - 1));
      }
    });
    assertThat(window.getMeasured()).isEqualTo(moves.size()).isPositive();
    assertThat(window.getUp()).isEqualTo((int) moves.values().stream().filter(move -> move > 0).count());
    assertThat(window.getDown()).isEqualTo((int) moves.values().stream().filter(move -> move < 0).count());
    assertThat(window.getGainers()).isSortedAccordingTo(Comparator.comparingDouble(Mover::getPercent).reversed())
        .allSatisfy(mover -> assertThat(mover.getPercent()).isCloseTo(moves.get(mover.getPool()), within(1e-9)));
  }

  private static void assertLiquidity(String group, Query<?> list) {
    Liquidity liquidity = committed.newest(AggregateTopics.aggregate(day.topics, Liquidity.class)).get(group);
    var pools = day.served.pools(list);
    var visible = pools.values().stream()
        .filter(observations -> isVisible(observations, END))
        .map(observations -> observations.lowerEntry(END).getValue())
        .toList();
    assertThat(liquidity.getPools()).isEqualTo(known(pools).size());
    assertThat(liquidity.getVisible()).isEqualTo(visible.size()).isPositive();
    assertThat(liquidity.getReserveUsd())
        .isCloseTo(visible.stream().mapToDouble(pool -> number(pool.get("reserve_in_usd"))).sum(), billionth(1e10));
    assertThat(liquidity.getVolumeH24Usd())
        .isCloseTo(visible.stream().mapToDouble(pool -> number(pool.at("/volume_usd/h24"))).sum(), billionth(1e10));
    assertThat(liquidity.getBuysH24())
        .isEqualTo(visible.stream().mapToLong(pool -> pool.at("/transactions/h24/buys").asLong()).sum());
  }

  /** The stays of a pool by list: whether it entered, its seconds, whether it is still in the list. */
  private static Map<String, List<double[]>> stays(Query<?> list) {
    var stays = new TreeMap<String, List<double[]>>();
    var in = new TreeMap<String, double[]>();
    var first = true;
    for (var observation : day.served.bodies(list).stream().filter(each -> each.at().isBefore(END)).toList()) {
      var ids = each(observation.body().get("data")).stream().map(pool -> pool.get("id").asText()).toList();
      for (var id : List.copyOf(in.keySet())) {
        if (!ids.contains(id)) {
          var stay = in.remove(id);
          stay[1] = observation.at().getEpochSecond() - stay[1];
          stay[2] = 0;
        }
      }
      for (var id : ids) {
        if (!in.containsKey(id)) {
          var stay = new double[] {first ? 0 : 1, observation.at().getEpochSecond(), 1};
          in.put(id, stay);
          stays.computeIfAbsent(id, each -> new ArrayList<>()).add(stay);
        }
      }
      first = false;
    }
    in.values().forEach(stay -> stay[1] = END.getEpochSecond() - stay[1]);
    return stays;
  }

  private static Stream<String> expectedCandles(Query<?> list, int seconds) {
    return day.served.pools(list).entrySet().stream().flatMap(pool -> {
      var prices = new TreeMap<Instant, String>();
      pool.getValue().forEach((at, shown) -> prices.put(at, shown.get("base_token_price_usd").asText()));
      return windows(pool.getKey(), prices, list, seconds);
    });
  }

  /** One line for each closed window in which the price changed. */
  private static Stream<String> windows(String id, NavigableMap<Instant, String> prices, Query<?> list, int seconds) {
    var windows = new TreeMap<Long, List<String>>();
    String known = null;
    for (var observation : prices.entrySet()) {
      var start = observation.getKey().getEpochSecond() / seconds * seconds;
      var isBaseline = observation.getKey().equals(day.served.bodies(list).getFirst().at());
      if (!observation.getValue().equals(known) && !isBaseline && start + seconds <= END.getEpochSecond()) {
        var opening = known == null ? observation.getValue() : known;
        windows.computeIfAbsent(start, each -> new ArrayList<>(List.of(opening))).add(observation.getValue());
      }
      known = observation.getValue();
    }
    return windows.entrySet().stream().map(window -> written(id, window.getKey(), window.getValue()));
  }

  private static String written(String id, long start, List<String> prices) {
    var numbers = prices.stream().mapToDouble(Double::parseDouble).summaryStatistics();
    return "%s %d: %s %s %s %s, %d".formatted(id, start, Double.parseDouble(prices.getFirst()), numbers.getMax(),
        numbers.getMin(), Double.parseDouble(prices.getLast()), prices.size() - 1);
  }

  private static String written(Candle candle) {
    return "%s %d: %s %s %s %s, %d".formatted(candle.getId(), candle.getStart().getEpochSecond(), candle.getOpen(),
        candle.getHigh(), candle.getLow(), candle.getClose(), candle.getChanges());
  }

  /** Index of its count: held, lost, not observed, pending. */
  private static int fate(NavigableMap<Instant, JsonNode> observations, Instant created, Duration age) {
    var then = created.plus(age);
    if (END.isBefore(then.plus(Duration.ofMinutes(30)))) {
      return 4;
    }
    if (observations.lowerKey(END).isBefore(then) && !isVisible(observations, END)) {
      return 3;
    }
    var first = number(observations.firstEntry().getValue().get("reserve_in_usd"));
    return number(observations.floorEntry(then).getValue().get("reserve_in_usd")) >= first / 2 ? 1 : 2;
  }

  private static List<Integer> counts(Launches launches, Function<Launches, Survival> age) {
    var fates = age.apply(launches);
    return List.of(
        launches.getPools(), fates.getHeld(), fates.getLost(), fates.getNotObserved(), fates.getPending());
  }

  private static List<Integer> sum(List<Integer> one, List<Integer> two) {
    var sum = new ArrayList<Integer>();
    for (var n = 0; n < one.size(); n++) {
      sum.add(one.get(n) + two.get(n));
    }
    return sum;
  }

  private static List<Double> dayAgo(String coin) {
    return day.served.bodies(SimulatedDay.GLOBAL).stream()
        .filter(observation -> observation.at().isBefore(END.minus(Duration.ofHours(24))))
        .filter(observation -> observation.at().isAfter(END.minus(Duration.ofMinutes(1_455))))
        .map(observation -> number(observation.body().at("/data/market_cap_percentage").get(coin)))
        .toList();
  }

  private static Map<String, NavigableMap<Instant, JsonNode>> known(
      Map<String, NavigableMap<Instant, JsonNode>> pools) {
    return pools.entrySet().stream()
        .filter(pool -> pool.getValue().firstKey().isBefore(END))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Observed by the last poll, or recently enough at the last tick, when the ledger checked visibility. */
  private static boolean isVisible(NavigableMap<Instant, JsonNode> observations, Instant end) {
    var lastTick = end.minusSeconds(60).plus(SimulatedDay.TICK_AT);
    var visible = observations.lowerKey(end);
    return visible != null && visible.plus(NOT_VISIBLE_AFTER).isAfter(lastTick);
  }

  private static double price(JsonNode pool) {
    return number(pool.get("base_token_price_usd"));
  }

  private static String tickerId(JsonNode ticker) {
    return String.join("/", "bitcoin", ticker.at("/market/identifier").asText(), ticker.get("base").asText(),
        ticker.get("target").asText());
  }

  private static Offset<Double> billionth(double of) {
    return within(of * 1e-9);
  }

  private static <V, T> Map<String, T> values(Map<String, V> records, Function<V, T> value) {
    return records.entrySet().stream()
        .collect(
            Collectors.toMap(Map.Entry::getKey, each -> value.apply(each.getValue()), (one, two) -> one, TreeMap::new));
  }

  private static StreamApplication start(Path directory) {
    var settings =
        new StreamSettings(SharedBroker.bootstrapServers(), directory, 1, Duration.ofSeconds(1), Map.of());
    var quarantine = new Quarantine(
        "main", ReaderRole.STREAM, StreamApplication.inputs(day.topics), InstantSource.system());
    return StreamApplication.start(
        day.topics, day.registry, new BuiltInRegistry(List.of()), quarantine, Traces.OFF, settings);
  }
}
