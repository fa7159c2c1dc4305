package io.tidemark.bench;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.event.Pool;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.http.wire.Endpoint;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Any number of pages with 20 pools each of a simulated market. They are copies of one page, each with a different
 * exchange and different addresses. Each page has two versions, five minutes apart, between which all pools move.
 */
final class SimulatedPages {
  static final int POOLS = 20;
  static final String NETWORK = "eth";

  private static final Duration MONTH = Duration.ofDays(30);
  private static final Duration LATER = Duration.ofMinutes(5);
  private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-f]{40,64}");

  /** Number of digits of an address that differ between copies. */
  private static final int DIGITS = 8;

  private static final String EXCHANGE = "uniswap_v3";
  private static final Query.DexPools QUERY = query(EXCHANGE);

  private final Instant start;
  private final List<byte[]> bodies;
  private final List<int[]> addresses;
  private final byte[] trending;

  /** @param start time at which the first version of each page is answered */
  SimulatedPages(Instant start) {
    this.start = start;
    var market = new Simulator(new SimulatorSettings(1, Scenario.CALM, 1), InstantSource.fixed(start));
    bodies = List.of(body(market.at(start), QUERY), body(market.at(start.plus(LATER)), QUERY));
    addresses = bodies.stream().map(SimulatedPages::addresses).toList();
    trending = body(market.at(start), trendingQuery());
  }

  /** Returns the time at which watching begins. */
  Instant start() {
    return start;
  }

  /** Returns the time of a step. Step 0 is the first version of each page, and step 1 is the second version. */
  Instant at(int step) {
    return start.plus(LATER.multipliedBy(step));
  }

  static Endpoint<Query.DexPools, OnChainAnswer<List<Observation<Pool>>>> endpoint() {
    return Endpoints.of(QUERY);
  }

  static Query.DexPools query() {
    return QUERY;
  }

  static Query.TrendingPools trendingQuery() {
    return new Query.TrendingPools(NETWORK, EnumSet.allOf(IncludedResource.class), 1, TrendingDuration.H24, false);
  }

  /** Returns the body of a page at a step: the first version at even steps, else the second version. */
  byte[] body(int number, int step) {
    var body = bodies.get(step % bodies.size()).clone();
    var digits = "%08x".formatted(number).getBytes(StandardCharsets.US_ASCII);
    for (var address : addresses.get(step % addresses.size())) {
      System.arraycopy(digits, 0, body, address, DIGITS);
    }
    return body;
  }

  /** Returns the snapshot of a page, received at the given time. */
  Snapshot snapshot(int number, int step, Instant receivedAt) {
    return snapshot(Endpoints.targetName(query(exchange(number))), body(number, step), receivedAt);
  }

  /** Returns the snapshot of the list of trending pools. */
  Snapshot trending() {
    return snapshot(Endpoints.targetName(trendingQuery()), trending, start);
  }

  static Snapshot snapshot(String target, byte[] body, Instant receivedAt) {
    return snapshot(new Target("main", target, Endpoints.parseTarget(target), 1), body, receivedAt);
  }

  static Snapshot snapshot(Target target, byte[] body, Instant receivedAt) {
    var answer = new StoredResponse(target.name(), 1, body, 200, Map.of(), receivedAt, receivedAt)
        .answer(target.query());
    return new Snapshot(target, List.of(answer), true, null, receivedAt, receivedAt);
  }

  /** Returns a change detector that publishes every change and withholds none. */
  ChangeDetector detector() {
    return new ChangeDetector(PublishSettings.EVERYTHING, MONTH, MONTH, start, start);
  }

  private static String exchange(int number) {
    return EXCHANGE + "_" + number;
  }

  private static Query.DexPools query(String exchange) {
    return new Query.DexPools(
        NETWORK, exchange, EnumSet.allOf(IncludedResource.class), 1, PoolSort.H24_VOLUME_USD_DESC, false);
  }

  private static <A> byte[] body(MarketData market, Query<A> query) {
    var answer = query.askOf(market).toFuture().join().body().read();
    return Endpoints.<A, Query<A>>of(query).encode(query, answer, FieldNaming.DOCUMENT);
  }

  /** Returns the offsets of the digits that differ between copies, one for each address. */
  private static int[] addresses(byte[] body) {
    var found = new ArrayList<Integer>();
    var matcher = ADDRESS.matcher(new String(body, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      found.add(matcher.start() + 2);
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the numbers of pages, from 0 to the given number, exclusive. */
  static IntStream numbers(int pages) {
    return IntStream.range(0, pages);
  }
}
