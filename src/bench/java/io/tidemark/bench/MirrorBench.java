package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.bench.HttpLoad.AnswerTimes;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.serve.mirror.MirrorReader;
import io.tidemark.serve.web.WebServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The bench part that measures requests that the mirror answers over HTTP: how many per second of processor time, and
 * how long each takes. The clients run in a separate process.
 */
final class MirrorBench implements BenchPart {
  private static final int MAX_CONNECTIONS = 1_000;
  private static final String HOST = "127.0.0.1";
  private static final int PAGES = 50;
  private static final int REQUESTS = 200;
  private static final int CONNECTIONS = 8;

  /** Requests per second while the times of answers are measured. */
  private static final int PACE = 1_000;

  /** Maximum milliseconds for an answer, for the median and for 99 of 100. */
  private static final double MEDIAN = 20;
  private static final double SLOWEST = 100;

  /** Names of the requests whose times of answers are measured. */
  private static final List<String> PACED = List.of("pool", "trending");

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(50);

  @Override
  public String name() {
    return "mirror";
  }

  @Override
  public String description() {
    return "requests for a pool, a page of trending pools and a search, by processor time, and how long an answer takes"
        + " at 1,000 requests a second";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var pages = new SimulatedPages(Instant.now());
    try (var source = BenchSource.create(kafka);
        var ledger = source.ledger(ProducerFactory.KAFKA)) {
      source.fill(ledger, pages, PAGES, progress);
      ledger.commit(List.of(pages.detector().detect(pages.trending(), ledger.states())));
      try (var mirror = read(source.topics(), source.client());
          var server = serve(mirror);
          var clients = HttpLoad.start()) {
        awaitCaughtUp(mirror);
        var results = new ArrayList<BenchResult>();
        var requests = requests(ledger);
        requests.forEach((name, query) -> results.add(
            throughput("mirror, " + name, url(server.port(), query), clients, settings, progress)));
        PACED.forEach(name -> results.addAll(times(
            "mirror, " + name, url(server.port(), requireNonNull(requests.get(name))), clients, settings, progress)));
        return results;
      }
    }
  }

  /** Starts a mirror, which begins to read a source. */
  static MirrorReader read(Topics topics, Map<String, Object> client) {
    return new MirrorReader(
        new Quarantine("main", ReaderRole.MIRROR, MirrorReader.inputs(topics), InstantSource.system()), topics,
        new BuiltInRegistry(topics.all()), client, Endpoints::parseTarget, List.of(), day -> false,
        InstantSource.system());
  }

  /** Starts a web server of a mirror alone, on a free port. */
  static WebServer serve(MirrorReader mirror) {
    return OpenServer.start(HOST, MAX_CONNECTIONS, routes(mirror)::addTo);
  }

  private static MarketRoutes routes(MirrorReader mirror) {
    var responder = QueryResponder.of(mirror.mirror(), FieldNaming.DOCUMENT, InstantSource.system());
    return new MarketRoutes(MarketRoutes.PREFIX, responder, InstantSource.system());
  }

  static void awaitCaughtUp(MirrorReader mirror) {
    var end = System.nanoTime() + TIMEOUT.toNanos();
    while (!mirror.isCaughtUp()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the mirror did not catch up in time: " + mirror.problem());
      }
      AdminCalls.sleep(PAUSE);
    }
  }

  private static Map<String, Query<?>> requests(Ledger ledger) {
    var keys = new ArrayList<String>();
    ledger.states().visit("pool", null, Integer.MAX_VALUE, (key, state) -> keys.add(key));
    var address = keys.getFirst().substring(SimulatedPages.NETWORK.length() + 1);
    var requests = new LinkedHashMap<String, Query<?>>();
    requests.put("pool", new Query.PoolByAddress(SimulatedPages.NETWORK, address, Set.of(), false, false));
    requests.put("trending", SimulatedPages.trendingQuery());
    requests.put("search", new Query.SearchPools(
        "WETH", SimulatedPages.NETWORK, EnumSet.allOf(IncludedResource.class), 1));
    return requests;
  }

  static <A> String url(int port, Query<A> query) {
    return "http://%s:%d%s/onchain%s".formatted(HOST, port, MarketRoutes.PREFIX, Endpoints.pathAndQuery(query));
  }

  private static BenchResult throughput(
      String name, String url, ChildJvm clients, BenchSettings settings, BenchProgress progress) {
    return new Throughput(name, "requests/s", 0, Throughput.Clock.PROCESSOR, () -> answered(clients, url), null)
        .measure(settings, progress).ofPlan(BenchResult.PLAN_CALLS);
  }

  private static List<BenchResult> times(
      String name, String url, ChildJvm clients, BenchSettings settings, BenchProgress progress) {
    var count = (int) Math.max(PACE / 50, PACE * settings.round().multipliedBy(2).toMillis() / 1_000);
    var times = new ArrayList<AnswerTimes>();
    for (var round = 0; round <= settings.rounds(); round++) {
      var measured = HttpLoad.paced(clients, count, PACE, url);
      if (round > 0) { // the first round only warms up the compiler
        times.add(measured);
      }
      progress.update(round + 1L, settings.rounds() + 1L);
    }
    return LatencyBench.results(name, times, MEDIAN, SLOWEST);
  }

  private static long answered(ChildJvm clients, String url) {
    HttpLoad.get(clients, REQUESTS, CONNECTIONS, url);
    return REQUESTS;
  }
}
