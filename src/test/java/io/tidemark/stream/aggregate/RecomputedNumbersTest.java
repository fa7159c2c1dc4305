package io.tidemark.stream.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.simulator.Scenario;
import io.tidemark.stream.aggregate.RecordedDay.RawRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every number of every aggregate that is published over hours of simulated days, against one that is computed here from the
 * records of the event log as plain JSON, without any code of the program. {@code -Dtidemark.number-hours=26} measures a
 * whole day, in which the windows of 24 hours are full.
 */
class RecomputedNumbersTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int HOURS = Integer.getInteger("tidemark.number-hours", 0);

  private final TreeMap<String, Pool> pools = new TreeMap<>();
  private final TreeMap<String, Launch> launches = new TreeMap<>();
  private final Map<String, Map<String, Stay>> stays = new HashMap<>();
  private final TreeMap<String, Map<String, JsonNode>> facets = new TreeMap<>();
  private final TreeMap<Instant, Map<String, Double>> shares = new TreeMap<>();
  private final Map<String, Long> compared = new TreeMap<>();
  private final List<String> mismatches = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"CALM, 300, 20", "LAUNCH_DAY, 150, 10"})
  void everyNumber_isTheOneOfTheRecords(Scenario scenario, int minutes, int pollMinutes) {
    try (var day = new RecordedDay(scenario, HOURS == 0 ? minutes : 60 * HOURS, pollMinutes)) {
      var next = 0;
      for (var aggregate : day.published) {
        var json = json(aggregate.toString());
        var at = time(json.get("at"));
        for (; next < day.records.size() && day.records.get(next).at().isBefore(at); next++) {
          fold(day.records.get(next));
        }
        compare(aggregate.getSchema().getName(), json, at);
      }
    }

    System.out.printf("%s: numbers compared %s, in all %,d, mismatches %d%n", scenario.wire(), compared,
        compared.values().stream().mapToLong(each -> each).sum(), mismatches.size());
    assertThat(mismatches).as("first mismatches").isEmpty();
    assertThat(compared.keySet()).containsExactly("Derivatives", "Dominance", "Launches", "Liquidity", "Movers",
        "TokenVenues", "Treasuries", "Trending", "Venues");
    assertThat(compared.values()).allMatch(count -> count > 50);
  }

  private void compare(String type, JsonNode found, Instant at) {
    switch (type) {
      case "Movers" -> movers(found, at);
      case "Launches" -> launches(found, at);
      case "Trending" -> trending(found, at);
      case "Liquidity" -> liquidity(found);
      case "Venues" -> venues(found);
      case "TokenVenues" -> tokenVenues(found);
      case "Derivatives" -> derivatives(found, at);
      case "Treasuries" -> treasuries(found);
      default -> dominance(found, at);
    }
  }

  // ---- what the records say

  private static final class Pool {
    private String network;
    private String baseToken;
    private Double newestPrice;
    private String dex;
    private Double price;
    private Double reserve;
    private JsonNode activity;
    private boolean isVisible = true;
    private final TreeMap<Instant, Double> prices = new TreeMap<>();
  }

  private static final class Launch {
    private Instant created;
    private String network;
    private String dex = "";
    private Double reserve;
    private final TreeMap<Instant, Double> reserves = new TreeMap<>();
    private boolean isVisible = true;
    private Instant lastObserved;
    private Instant removed;
  }

  private static final class Stay {
    private Instant entered;
    private double seconds;
    private int entries;
    private Integer rank;
    private Integer best;
  }

  private void fold(RawRecord record) {
    var json = record.json();
    switch (record.type()) {
      case "PoolChange" -> {
        foldLaunch(record.key(), json);
        foldPool(record.key(), json, record.at());
      }
      case "PoolListing" -> foldListing(json);
      case "TokenChange", "TickerChange", "ContractChange", "HoldingChange" ->
          foldFacets(record.type() + " " + record.key(), json);
      case "GlobalChange" -> foldShares(json, record.at());
      default -> {}
    }
  }

  private void foldPool(String key, JsonNode json, Instant at) {
    if (json.hasNonNull("removed")) {
      pools.remove(key);
      return;
    }
    var pool = pools.computeIfAbsent(key, each -> new Pool());
    pool.network = json.get("network").asText();
    pool.dex = text(json, "/about/dex");
    pool.reserve = number(json.at("/about/reserve_usd"));
    pool.newestPrice = number(json.at("/about/price_usd"));
    if (json.hasNonNull("description")) {
      pool.baseToken = text(json, "/description/after/base_token");
    }
    if (json.hasNonNull("price")) {
      var price = number(json.at("/price/after/base_token_price_usd"));
      pool.price = price == null ? pool.price : price;
    }
    if (json.hasNonNull("activity")) {
      pool.activity = json.at("/activity/after");
    }
    if (json.hasNonNull("visibility")) {
      pool.isVisible = json.at("/visibility/visible").asBoolean();
    }
    if (pool.price != null) {
      pool.prices.put(at, pool.isVisible ? pool.price : Double.NaN);
    }
  }

  private void foldLaunch(String key, JsonNode json) {
    var observed = time(json.at("/origin/observed_at"));
    if (json.at("/appeared/kind").asText().equals("created") && !launches.containsKey(key)) {
      var age = number(json.at("/appeared/age_seconds"));
      var launch = new Launch();
      launch.created = observed.minusMillis(Math.round(1000 * (age == null ? 0 : age)));
      if (observed.isBefore(expiry(launch))) {
        launches.put(key, launch);
      }
    }
    var launch = launches.get(key);
    if (launch == null || !observed.isBefore(expiry(launch))) {
      return;
    }
    launch.network = json.get("network").asText();
    launch.dex = json.at("/about/dex").isNull() ? launch.dex : json.at("/about/dex").asText();
    var reserve = number(json.at("/about/reserve_usd"));
    if (reserve != null) {
      launch.reserve = reserve;
      launch.reserves.put(observed, reserve);
    }
    if (json.hasNonNull("visibility")) {
      launch.isVisible = json.at("/visibility/visible").asBoolean();
      launch.lastObserved =
          json.at("/visibility").hasNonNull("last_observed_at") ? time(json.at("/visibility/last_observed_at")) : null;
    }
    if (json.hasNonNull("removed") && launch.removed == null) {
      launch.removed = observed;
    }
  }

  private void foldListing(JsonNode json) {
    if (!json.get("kind").asText().equals("trending")) {
      return;
    }
    var stay = stays.computeIfAbsent(json.get("pool").asText(), pool -> new TreeMap<>())
        .computeIfAbsent(json.get("list").asText(), list -> new Stay());
    var at = time(json.at("/origin/observed_at"));
    if (json.get("action").asText().equals("exited")) {
      stay.seconds += stay.entered == null ? 0 : Duration.between(stay.entered, at).toMillis() / 1000.0;
      stay.entered = null;
      stay.rank = null;
    } else {
      stay.entered = stay.entered == null ? at : stay.entered;
      stay.entries += json.get("action").asText().equals("entered") && !json.at("/origin/baseline").asBoolean() ? 1 : 0;
      stay.rank = json.hasNonNull("rank") ? json.get("rank").asInt() : null;
      stay.best =
          stay.rank == null ? stay.best : Integer.valueOf(Math.min(stay.rank, stay.best == null ? 999 : stay.best));
    }
  }

  /** The newest value of each facet of a resource; a resource that is removed is not known. */
  private void foldFacets(String key, JsonNode json) {
    if (json.hasNonNull("removed")) {
      facets.remove(key);
      return;
    }
    var known = facets.computeIfAbsent(key, each -> new HashMap<>());
    known.put("change", json);
    json.properties().forEach(field -> {
      if (field.getValue().hasNonNull("after")) {
        known.put(field.getKey(), field.getValue().get("after"));
      }
    });
    if (json.hasNonNull("visibility")) {
      known.put("visibility", json.get("visibility"));
    }
  }

  private void foldShares(JsonNode json, Instant at) {
    if (json.at("/dominance/after/market_cap_percentage").isObject()) {
      var listed = new TreeMap<String, Double>();
      json.at("/dominance/after/market_cap_percentage").properties()
          .forEach(field -> listed.put(field.getKey(), number(field.getValue())));
      listed.values().removeIf(each -> each == null);
      shares.put(at, listed);
    }
  }

  // ---- the aggregates of that

  private void movers(JsonNode found, Instant at) {
    var known = pools.values().stream()
        .filter(pool -> pool.network.equals(found.get("network").asText()) && pool.price != null)
        .toList();
    same("Movers", found, "pools", known.size());
    same("Movers", found, "visible", known.stream().filter(pool -> pool.isVisible).count());
    window(found.get("m5"), found.get("network").asText(), at.minus(Duration.ofMinutes(5)));
    window(found.get("h1"), found.get("network").asText(), at.minus(Duration.ofHours(1)));
    window(found.get("h24"), found.get("network").asText(), at.minus(Duration.ofHours(24)));
  }

  private void window(JsonNode found, String network, Instant then) {
    var moves = new TreeMap<String, double[]>();
    pools.forEach((id, pool) -> {
      var before = pool.prices.lowerEntry(then);
      if (pool.network.equals(network) && pool.isVisible && before != null && before.getValue() > 0) {
        var move = 100 * (pool.price / before.getValue() - 1);
        moves.put(id, new double[] {move, pool.price, before.getValue(), pool.reserve == null ? 0 : pool.reserve});
      }
    });
    same("Movers", found, "measured", moves.size());
    same("Movers", found, "up", moves.values().stream().filter(move -> move[0] > 0).count());
    same("Movers", found, "down", moves.values().stream().filter(move -> move[0] < 0).count());
    ranked(found.get("gainers"), moves, 1);
    ranked(found.get("losers"), moves, -1);
  }

  private void ranked(JsonNode found, Map<String, double[]> moves, int sign) {
    var expected = moves.entrySet().stream()
        .filter(move -> sign * move.getValue()[0] > 0 && move.getValue()[3] >= 1_000)
        .sorted(Comparator.<Map.Entry<String, double[]>>comparingDouble(move -> -sign * move.getValue()[0])
            .thenComparing(Map.Entry::getKey))
        .limit(10)
        .toList();
    same("Movers", found, "", expected.size(), found.size());
    for (var n = 0; n < Math.min(expected.size(), found.size()); n++) {
      var move = expected.get(n).getValue();
      same("Movers", found, "pool", expected.get(n).getKey().equals(found.get(n).get("pool").asText()) ? 1 : 0, 1);
      same("Movers", found.get(n), "percent", move[0]);
      same("Movers", found.get(n), "price_usd", move[1]);
      same("Movers", found.get(n), "price_then_usd", move[2]);
      same("Movers", found.get(n), "reserve_usd", move[3]);
    }
  }

  private void liquidity(JsonNode found) {
    var known = pools.values().stream()
        .filter(pool -> pool.network.equals(found.get("network").asText()))
        .filter(pool -> found.get("dex").isNull() || found.get("dex").asText().equals(pool.dex))
        .toList();
    var visible = known.stream().filter(pool -> pool.isVisible).toList();
    same("Liquidity", found, "pools", known.size());
    same("Liquidity", found, "visible", visible.size());
    same("Liquidity", found, "with_reserve", visible.stream().filter(pool -> pool.reserve != null).count());
    same("Liquidity", found, "with_volume",
        visible.stream().filter(pool -> activity(pool, "/volume_usd/h24") != null).count());
    same("Liquidity", found, "reserve_usd", sum(visible, pool -> zero(pool.reserve)));
    same("Liquidity", found, "volume_h1_usd", sum(visible, pool -> zero(activity(pool, "/volume_usd/h1"))));
    same("Liquidity", found, "volume_h24_usd", sum(visible, pool -> zero(activity(pool, "/volume_usd/h24"))));
    same("Liquidity", found, "buys_h24", sum(visible, pool -> zero(activity(pool, "/transactions/h24/buys"))));
    same("Liquidity", found, "sells_h24", sum(visible, pool -> zero(activity(pool, "/transactions/h24/sells"))));
  }

  private void launches(JsonNode found, Instant at) {
    var group = launches.values().stream()
        .filter(launch -> launch.network.equals(found.get("network").asText()))
        .filter(launch -> launch.dex.equals(found.get("dex").asText()))
        .filter(launch -> hour(launch).equals(time(found.get("start"))))
        .toList();
    same("Launches", found, "pools", group.size());
    same("Launches", found, "visible", group.stream().filter(launch -> launch.isVisible).count());
    same("Launches", found, "reserve_usd", sum(group, launch -> zero(launch.reserve)));
    survival(found.get("after_1h"), group, Duration.ofHours(1), at);
    survival(found.get("after_24h"), group, Duration.ofHours(24), at);
  }

  private void survival(JsonNode found, List<Launch> group, Duration age, Instant at) {
    var counts = new TreeMap<String, Integer>();
    group.forEach(launch -> counts.merge(outcome(launch, launch.created.plus(age), at), 1, Integer::sum));
    for (var outcome : List.of("held", "lost", "not_observed", "pending")) {
      same("Launches", found, outcome, counts.getOrDefault(outcome, 0));
    }
  }

  private static String outcome(Launch launch, Instant then, Instant at) {
    if (at.isBefore(then.plus(Duration.ofMinutes(30)))) {
      return "pending";
    }
    if (launch.removed != null && !launch.removed.isAfter(then)) {
      return "lost";
    }
    var isSeen = launch.isVisible || (launch.lastObserved != null && !launch.lastObserved.isBefore(then));
    var last = launch.reserves.floorEntry(then);
    if (!isSeen || last == null) {
      return "not_observed";
    }
    return last.getValue() >= launch.reserves.firstEntry().getValue() / 2 ? "held" : "lost";
  }

  private void trending(JsonNode found, Instant at) {
    var known = stays.get(found.get("pool").asText()).values();
    same("Trending", found, "durations", known.stream().filter(stay -> stay.entered != null).count());
    same("Trending", found, "known", known.size());
    same("Trending", found, "entries", known.stream().mapToInt(stay -> stay.entries).sum());
    same("Trending", found, "best_rank", known.stream().mapToDouble(stay -> stay.best).min().orElse(0));
    same("Trending", found, "seconds", known.stream().mapToDouble(stay -> seconds(stay, at)).max().orElse(0));
    found.get("stays").forEach(each -> {
      var stay = stays.get(found.get("pool").asText()).get(each.get("list").asText());
      same("Trending", each, "entries", stay.entries);
      same("Trending", each, "best_rank", stay.best);
      same("Trending", each, "seconds", seconds(stay, at));
      same("Trending", each, "rank", stay.rank == null ? 0 : stay.rank);
    });
  }

  private static double seconds(Stay stay, Instant at) {
    return stay.seconds + (stay.entered == null ? 0 : Duration.between(stay.entered, at).toMillis() / 1000.0);
  }

  private void venues(JsonNode found) {
    var coin = found.get("coin").asText();
    var prices = new TreeMap<String, Double>();
    var known = 0;
    var visible = 0;
    var tickers = 0;
    var volume = 0.0;
    for (var entry : facets.entrySet()) {
      var venue = entry.getValue();
      var isTicker = entry.getKey().startsWith("TickerChange ");
      var isPool = entry.getKey().startsWith("TokenChange ") && venue.containsKey("pool_price");
      var priced = isTicker ? venue.get("change").get("coin").asText() : isPool ? description(venue) : "";
      if (!coin.equals(priced)) {
        continue;
      }
      known++;
      visible += isVisible(venue) ? 1 : 0;
      var price = isTicker ? number(venue.get("change").at("/about/price_usd"))
          : number(venue.get("pool_price").get("price_usd"));
      var size = isTicker ? at(venue, "converted", "/converted_volume/usd")
          : number(venue.get("pool_price").get("reserve_usd"));
      var isSound = isTicker ? !is(venue, "is_stale") && !is(venue, "is_anomaly") : zero(size) >= 1_000;
      if (isVisible(venue) && isSound && price != null && price > 0) {
        prices.put(entry.getKey(), price);
        tickers += isTicker ? 1 : 0;
        volume += isTicker ? zero(size) : 0;
      }
    }
    var sorted = prices.values().stream().sorted().toList();
    same("Venues", found, "venues", known);
    same("Venues", found, "visible", visible);
    same("Venues", found, "compared", sorted.size());
    same("Venues", found, "tickers", tickers);
    same("Venues", found, "pools", sorted.size() - tickers);
    if (!sorted.isEmpty()) {
      var middle = sorted.size() / 2;
      same("Venues", found.get("cheapest"), "price_usd", sorted.getFirst());
      same("Venues", found.get("dearest"), "price_usd", sorted.getLast());
      same("Venues", found, "median_usd", sorted.size() % 2 == 1 ? sorted.get(middle)
          : (sorted.get(middle - 1) + sorted.get(middle)) / 2);
      same("Venues", found, "spread_percent",
          sorted.size() < 2 ? 0 : 100 * (sorted.getLast() / sorted.getFirst() - 1));
      same("Venues", found, "volume_usd", volume);
    }
  }

  private void tokenVenues(JsonNode found) {
    var compared = pools.values().stream()
        .filter(pool -> pool.isVisible && found.get("token").asText().equals(pool.baseToken)
            && zero(pool.newestPrice) > 0 && zero(pool.reserve) >= 1_000)
        .toList();
    var prices = compared.stream().map(pool -> pool.newestPrice).sorted().toList();
    same("TokenVenues", found, "pools", compared.size());
    if (compared.isEmpty()) {
      return; // which is a mismatch
    }
    same("TokenVenues", found.get("cheapest"), "price_usd", prices.getFirst());
    same("TokenVenues", found.get("dearest"), "price_usd", prices.getLast());
    same("TokenVenues", found, "spread_percent", 100 * (prices.getLast() / prices.getFirst() - 1));
    same("TokenVenues", found, "reserve_usd", sum(compared, pool -> zero(pool.reserve)));
    var reserves = compared.stream().map(pool -> pool.reserve).sorted(Comparator.reverseOrder()).limit(10).toList();
    var deepest = found.get("deepest");
    same("TokenVenues", found, "deepest", reserves.size(), deepest.size());
    for (var i = 0; i < Math.min(reserves.size(), deepest.size()); i++) {
      same("TokenVenues", deepest.get(i), "reserve_usd", reserves.get(i));
    }
  }

  private void derivatives(JsonNode found, Instant at) {
    var open = new ArrayList<Map<String, JsonNode>>();
    var expired = 0;
    for (var entry : facets.entrySet()) {
      var about = entry.getKey().startsWith("ContractChange ") ? entry.getValue().get("change").get("about") : null;
      if (about != null && found.get("coin").asText()
          .equals(about.hasNonNull("coin_id") ? about.get("coin_id").asText() : about.get("base").asText())) {
        var end =
            entry.getValue().containsKey("description") ? entry.getValue().get("description").get("expired_at") : null;
        var isExpired = end != null && !end.isNull() && !Instant.ofEpochSecond(end.asLong()).isAfter(at);
        expired += isExpired ? 1 : 0;
        if (!isExpired) {
          open.add(entry.getValue());
        }
      }
    }
    var visible = open.stream().filter(RecomputedNumbersTest::isVisible).toList();
    var perpetual = visible.stream().filter(each -> type(each).equals("perpetual")).toList();
    var dated = visible.stream().filter(each -> type(each).equals("futures")).toList();
    same("Derivatives", found, "contracts", open.size());
    same("Derivatives", found, "expired", expired);
    same("Derivatives", found, "visible", visible.size());
    same("Derivatives", found, "perpetuals", perpetual.size());
    same("Derivatives", found, "dated", dated.size());
    same("Derivatives", found, "exchanges",
        visible.stream().map(each -> each.get("change").get("exchange").asText()).distinct().count());
    same("Derivatives", found, "open_interest_usd",
        sum(visible, each -> zero(at(each, "open_interest", "/open_interest_usd"))));
    same("Derivatives", found, "volume_usd", sum(visible, RecomputedNumbersTest::volume));
    same("Derivatives", found, "funding_rate", mean(perpetual, "funding", "/funding_rate"));
    same("Derivatives", found, "basis_percent", mean(perpetual, "basis", "/index_basis_percentage"));
    same("Derivatives", found, "dated_basis_percent", mean(dated, "basis", "/index_basis_percentage"));
    perpetual.stream().mapToDouble(each -> zero(at(each, "funding", "/funding_rate"))).max()
        .ifPresent(highest -> same("Derivatives", found.get("highest_funding"), "value", highest));
    perpetual.stream().mapToDouble(each -> zero(at(each, "basis", "/index_basis_percentage"))).min()
        .ifPresent(lowest -> same("Derivatives", found.get("lowest_basis"), "value", lowest));
  }

  private static double mean(List<Map<String, JsonNode>> contracts, String facet, String path) {
    var weight = sum(contracts, RecomputedNumbersTest::volume);
    return weight == 0 ? 0 : sum(contracts, each -> zero(at(each, facet, path)) * volume(each)) / weight;
  }

  private void treasuries(JsonNode found) {
    var holdings = facets.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("HoldingChange "))
        .map(Map.Entry::getValue)
        .filter(holding -> holding.get("change").get("coin_id").asText().equals(found.get("coin").asText()))
        .toList();
    same("Treasuries", found, "holders", holdings.size());
    same("Treasuries", found, "visible", holdings.stream().filter(RecomputedNumbersTest::isVisible).count());
    same("Treasuries", found, "amount", sum(holdings, each -> zero(at(each, "position", "/amount"))));
    same("Treasuries", found, "visible_amount",
        sum(holdings, each -> isVisible(each) ? zero(at(each, "position", "/amount")) : 0));
    same("Treasuries", found, "value_usd", sum(holdings, each -> zero(at(each, "valuation", "/current_value_usd"))));
    same("Treasuries", found, "entry_value_usd",
        sum(holdings, each -> zero(at(each, "entry", "/total_entry_value_usd"))));
    same("Treasuries", found, "percentage_of_total_supply",
        sum(holdings, each -> zero(at(each, "share", "/percentage_of_total_supply"))));
  }

  private void dominance(JsonNode found, Instant at) {
    var coin = found.get("coin").asText();
    var now = shares.lowerEntry(at).getValue();
    var last =
        shares.headMap(at).values().stream().filter(listed -> listed.containsKey(coin)).reduce((one, next) -> next);
    same("Dominance", found, "percentage", last.orElseThrow().get(coin));
    same("Dominance", found, "listed", now.containsKey(coin) ? 1 : 0, found.get("listed").asBoolean() ? 1 : 0);
    if (now.containsKey(coin)) {
      same("Dominance", found, "rank", 1 + now.values().stream().filter(share -> share > now.get(coin)).count());
      shift(found, "change_1h", coin, at.minus(Duration.ofHours(1)), now.get(coin));
      shift(found, "change_24h", coin, at.minus(Duration.ofHours(24)), now.get(coin));
    }
  }

  private void shift(JsonNode found, String field, String coin, Instant then, double share) {
    var before = shares.lowerEntry(then);
    var known = before == null ? null : before.getValue().get(coin);
    same("Dominance", found, field, known == null ? 0 : share - known);
  }

  // ---- plain values

  private void same(String aggregate, JsonNode found, String field, long expected) {
    same(aggregate, found, field, (double) expected);
  }

  private void same(String aggregate, JsonNode found, String field, double expected) {
    var node = found.get(field);
    same(aggregate, found, field, expected, node == null || node.isNull() ? 0 : number(node));
  }

  private void same(String aggregate, JsonNode found, String field, double expected, double actual) {
    compared.merge(aggregate, 1L, Long::sum);
    if (Math.abs(expected - actual) > 1e-9 * Math.max(1, Math.abs(expected)) && mismatches.size() < 20) {
      mismatches.add("%s.%s: %s, not %s in %.300s".formatted(aggregate, field, actual, expected, found));
    }
  }

  private static <T> double sum(List<T> of, ToDoubleFunction<T> number) {
    return of.stream().mapToDouble(number).sum();
  }

  private static Double activity(Pool pool, String path) {
    return pool.activity == null ? null : number(pool.activity.at(path));
  }

  private static Double at(Map<String, JsonNode> known, String facet, String path) {
    return known.containsKey(facet) ? number(known.get(facet).at(path)) : null;
  }

  private static double volume(Map<String, JsonNode> contract) {
    return zero(at(contract, "converted", "/converted_volume/usd"));
  }

  private static String type(Map<String, JsonNode> contract) {
    return contract.containsKey("description") ? contract.get("description").get("contract_type").asText() : "";
  }

  private static String description(Map<String, JsonNode> token) {
    return token.containsKey("description") ? token.get("description").get("service_coin_id").asText() : "";
  }

  private static boolean is(Map<String, JsonNode> ticker, String flag) {
    return ticker.containsKey("quality") && ticker.get("quality").get(flag).asBoolean();
  }

  private static boolean isVisible(Map<String, JsonNode> known) {
    return !known.containsKey("visibility") || known.get("visibility").get("visible").asBoolean();
  }

  private static Instant expiry(Launch launch) {
    return hour(launch).plus(Duration.ofMinutes(60 + 24 * 60 + 30 + 60));
  }

  private static Instant hour(Launch launch) {
    return launch.created.truncatedTo(ChronoUnit.HOURS);
  }

  private static String text(JsonNode json, String path) {
    return json.at(path).isNull() ? null : json.at(path).asText();
  }

  private static double zero(Double number) {
    return number == null ? 0 : number;
  }

  private static Double number(JsonNode node) {
    try {
      var number = Double.parseDouble(node.asText());
      return Double.isFinite(number) ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static Instant time(JsonNode node) {
    return node.isNumber() ? Instant.ofEpochMilli(node.asLong()) : Instant.parse(node.asText());
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
