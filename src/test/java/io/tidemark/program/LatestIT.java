package io.tidemark.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The newest records of a program that polls a simulated market, and what a feed from there on adds to them. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(240)
class LatestIT {

  static final Duration TIMEOUT = Duration.ofMinutes(2);
  static final String PREFIX = SharedBroker.freshPrefix();
  static final String TOPIC = PREFIX + "pool.state";
  static final ObjectMapper JSON = new ObjectMapper();
  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      topics: { partitions: 3 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { key: "${KEY}", per-minute: 3000, per-month: 100000000 } ]
          refresh: { trending_pools: 1s, coin_tickers: 1s }
          watch:
            networks: { solana: { trending: { durations: [5m] } } }
            coins: { bitcoin: { tickers: {} } }
      """;

  @TempDir
  Path streams;

  final HttpClient http = HttpClient.newHttpClient();
  final RunningComponents running = new RunningComponents();
  MarketServer market;
  Application program;

  @BeforeAll
  void start() {
    market =
        SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "secret", new SimulatorSettings(7, Scenario.CALM,
            50), operation -> Duration.ofSeconds(1), ResponseJournal.none());
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", PREFIX, "KEY", "secret", "MARKET",
        market.baseUrl().toString());
    program = new Application(Settings.parse("test.yaml", CONFIG, environment::get), streams, running);
    program.start(EnumSet.of(Role.POLL, Role.WEB));
    await().atMost(TIMEOUT).until(() -> matched("pool.state") > 0 && matched("ticker.state") > 0);
  }

  @AfterAll
  void stop() {
    running.close();
    market.close();
  }

  /** Folded over what was asked first, the records of the feed are what is asked last. */
  @Test
  void feedFromTheOffsetsOfAnAnswer_hasNeitherAGapNorADouble() throws Exception {
    var before = get("/v1/latest/pool.state?top=1000");
    var begin = id(before);
    var fed = follow("/v1/feeds/pool.state?last-event-id=" + begin, 20);
    var all = committed();

    var newest = new TreeMap<String, JsonNode>();
    all.stream().filter(each -> each.path("offset").asLong() < next(begin, each))
        .forEach(each -> newest.put(each.path("key").asText(), each));
    assertThat(records(before)).hasSizeGreaterThan(1).containsExactlyElementsOf(newest.values());
    var ends = fed.stream().collect(toMap(each -> each.path("partition").asInt(),
        each -> each.path("offset").asLong(), Math::max));
    assertThat(fed).containsExactlyInAnyOrderElementsOf(all.stream()
        .filter(each -> each.path("offset").asLong() >= next(begin, each))
        .filter(each -> each.path("offset").asLong() <= ends.getOrDefault(each.path("partition").asInt(), -1L))
        .toList());

    fed.forEach(each -> newest.put(each.path("key").asText(), each));
    var later = new HashMap<String, Long>();
    await().atMost(TIMEOUT).until(() -> {
      records(get("/v1/latest/pool.state?top=1000"))
          .forEach(each -> later.put(each.path("key").asText(), each.path("offset").asLong()));
      return newest.values().stream()
          .allMatch(each -> later.getOrDefault(each.path("key").asText(), -1L) >= each.path("offset").asLong());
    });
  }

  @Test
  void keysConditionOrderAndTop_chooseTheRecords() throws Exception {
    var order = "known.liquidity.reserve_in_usd";
    var where = URLEncoder.encode(order + " > 0.0 && known.network == 'solana'", UTF_8);
    var answers = ofTheSameRecords("/sources/main/v1/latest/" + TOPIC + "?top=1000&order=" + order,
        "/v1/latest/pool.state?top=3&order=-" + order, "/v1/latest/pool.state?top=1&where=" + where);
    var all = records(answers.getFirst());
    var largest = records(answers.get(1));
    var key = all.getFirst().path("key").asText();

    assertThat(all).hasSizeGreaterThan(3)
        .isSortedAccordingTo((one, other) -> Double.compare(reserve(one), reserve(other)));
    assertThat(largest).extracting(LatestIT::reserve)
        .containsExactlyElementsOf(all.reversed().stream().limit(3).map(LatestIT::reserve).toList());
    assertThat(JSON.readTree(answers.getLast().body()).path("matched").asInt()).isEqualTo(all.size());
    assertThat(records(get("/v1/latest/pool.state?key=nobody&key=" + key))).singleElement()
        .satisfies(each -> assertThat(each.path("key").asText()).isEqualTo(key));
    assertThat(matched("pool.state?network=base")).isZero();
  }

  /** The answers to requests for records of one topic, asked again until no record was added between them. */
  private List<HttpResponse<String>> ofTheSameRecords(String... paths) {
    return await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).until(() -> {
      var answers = new ArrayList<HttpResponse<String>>();
      for (var path : paths) {
        answers.add(get(path));
      }
      return answers;
    }, answers -> answers.stream().allMatch(each -> each.statusCode() == 200)
        && answers.stream().map(LatestIT::id).distinct().count() == 1);
  }

  @Test
  void sameRecords_areNotSentAgain() throws Exception {
    var first = get("/v1/latest/source.state?key=nobody");
    var again = http.send(request("/v1/latest/source.state?key=nobody")
        .header("If-None-Match", first.headers().firstValue("etag").orElseThrow()).build(), BodyHandlers.ofString());
    var one = get("/v1/latest/target.state?top=1");

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(id(again)).startsWith(id(first).substring(0, 22));
    assertThat(first.headers().firstValue("age")).isEmpty();
    assertThat(one.headers().firstValueAsLong("age").orElseThrow()).isBetween(0L, 100L);
  }

  @Test
  void wrongRequests_areRefusedWithWhatWouldBeRight() throws Exception {
    assertThat(get("/v1/latest/pool.changes")).satisfies(refused -> {
      assertThat(refused.statusCode()).isEqualTo(404);
      assertThat(refused.body()).contains("pool.state", "movers", "alerts.state").doesNotContain("pool.changes");
    });
    for (var wrong : List.of("order=known.nmae", "order=known.extra", "top=1001", "where=1", "from=1h",
        "top=1&top=2")) {
      assertThat(get("/v1/latest/pool.state?" + wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    for (var path : List.of("/v1/latest/pool.state?top=%zz", "/v1/feeds?topic=%zz", "/sources/%zz/v1/feeds",
        "/v1/silences?source=%zz", "/v1/rules/%zz")) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), program.webPort())) { // a URI cannot have such an escape
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").getBytes(UTF_8));
        assertThat(new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)).readLine()).as(path)
            .startsWith("HTTP/1.1 400");
      }
    }
  }

  /** RemotePairList looks at the type of the answer, at {@code pairs} and at {@code refresh_period}, and at no status. */
  @Test
  void pairlist_isOneForFreqtrade() throws Exception {
    var all = get("/v1/pairlist");
    var ticker = records(get("/v1/latest/ticker.state?top=100&order=-known.converted.converted_volume.usd")).stream()
        .map(record -> record.path("value").path("known"))
        .filter(known -> !known.at("/quality/is_stale").asBoolean() && !known.at("/quality/is_anomaly").asBoolean())
        .findFirst().orElseThrow();
    var of = get("/v1/pairlist?top=1&exchange=" + ticker.path("market").asText() + "&quote="
        + ticker.path("target").asText());
    var nothing = get("/v1/pairlist?exchange=nowhere");

    assertThat(all.headers().firstValue("content-type").orElseThrow()).contains("application/json");
    assertThat(JSON.readTree(all.body()).path("refresh_period").isInt()).isTrue();
    assertThat(JSON.readTree(all.body()).path("pairs")).hasSizeGreaterThan(1).doesNotHaveDuplicates()
        .allMatch(pair -> pair.asText().matches("[A-Z0-9]+/[A-Z0-9]+"));
    assertThat(JSON.readTree(of.body()).path("pairs")).singleElement().hasToString(
        "\"" + ticker.path("base").asText() + "/" + ticker.path("target").asText() + "\"");
    assertThat(nothing.statusCode()).isEqualTo(404);
    assertThat(nothing.headers().firstValue("content-type").orElseThrow()).doesNotContain("json");
    assertThat(get("/v1/pairlist?exchage=binance").body()).contains("exchange, quote, top");
  }

  private static double reserve(JsonNode record) {
    return record.at("/value/known/liquidity/reserve_in_usd").asDouble();
  }

  /** All committed records of the topic, as JSON. */
  private List<JsonNode> committed() throws Exception {
    var all = new ArrayList<CommittedRecord>();
    try (var reader = new TopicReader(Map.of("bootstrap.servers", SharedBroker.bootstrapServers()), program.topics(),
        program.registry())) {
      reader.readAll(record -> {
        if (record.topic().equals(TOPIC)) {
          all.add(record);
        }
      });
    }
    var json = new ArrayList<JsonNode>();
    for (var record : all) {
      json.add(JSON.readTree(RecordJson.of(record).toString()));
    }
    return json;
  }

  /** The offset in an id of the partition of a record. */
  private static long next(String id, JsonNode record) {
    return Long.parseLong(id.split("\\.")[1 + record.path("partition").asInt()]);
  }

  private static String id(HttpResponse<?> response) {
    return response.headers().firstValue("last-event-id").orElseThrow();
  }

  private int matched(String request) throws Exception {
    var response = get("/v1/latest/" + request);
    return response.statusCode() == 200 ? JSON.readTree(response.body()).path("matched").asInt() : -1;
  }

  private static List<JsonNode> records(HttpResponse<String> response) throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body()).path("records").valueStream().toList();
  }

  /** The first records of a feed. */
  private List<JsonNode> follow(String path, int count) throws Exception {
    var records = new ArrayList<JsonNode>();
    try (var lines = new BufferedReader(new InputStreamReader(
        http.send(request(path).build(), BodyHandlers.ofInputStream()).body(), UTF_8))) {
      var event = "";
      for (var line = lines.readLine(); records.size() < count; line = lines.readLine()) {
        assertThat(line).as("the feed ended").isNotNull();
        event = line.startsWith("event: ") ? line : event;
        assertThat(event).doesNotContain("gap");
        if (line.startsWith("data: ") && event.equals("event: record")) {
          records.add(JSON.readTree(line.substring(6)));
        }
      }
    }
    return records;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + program.webPort() + path));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }
}
