package io.tidemark.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolState;
import io.tidemark.event.Ticker;
import io.tidemark.event.TickerPrice;
import io.tidemark.event.TickerState;
import io.tidemark.event.Token;
import io.tidemark.event.TokenPrice;
import io.tidemark.event.TokenState;
import io.tidemark.event.TokenValuation;
import io.tidemark.event.Venues;
import io.tidemark.kafka.AggregateTopics;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.web.DocumentedAnswers;
import io.tidemark.serve.web.StreamClient;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocketHandshakeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Candles over HTTP from a running instance that polls: 1,201 days of each resource, the last one open. */
@TestInstance(Lifecycle.PER_CLASS)
class CandlesOverHttpIT {

  static final Duration TIMEOUT = Duration.ofMinutes(2);
  static final String POOL = "eth_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";
  static final String WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
  static final long DAY = 86_400;
  static final int CLOSED = 1_200;
  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0, keys: [ { name: chart, hash: "${HASH}" } ], anonymous: none }
      management: { port: 0 }
      topics: { partitions: 2, retention: { candles: 2000d } }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          watch:
            networks: { eth: { pools: { "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640": {} } } }
            coins: { bitcoin: { tickers: { pages: 1 } } }
      """;
  static final String KEY = AccessKeys.generate();
  static final ObjectMapper JSON = new ObjectMapper();

  @TempDir
  Path streams;

  final HttpClient http = HttpClient.newHttpClient();
  final RunningComponents running = new RunningComponents();
  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final long now = Instant.now().getEpochSecond() / DAY * DAY;
  MarketServer market;
  String root;
  DocumentedAnswers documented;
  String ticker;

  @BeforeAll
  void start() throws Exception {
    market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "",
        new SimulatorSettings(7, Scenario.CALM, 50), operation -> Duration.ofSeconds(1), ResponseJournal.none());
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", topics.prefix(), "HASH",
        AccessKeys.hash(KEY), "MARKET", market.baseUrl().toString());
    var wiring = new Application(Settings.parse("test.yaml", CONFIG, environment::get), streams, running);
    wiring.start(EnumSet.of(Role.POLL, Role.WEB));
    root = "http://127.0.0.1:" + wiring.webPort();
    documented = new DocumentedAnswers(get("/openapi.json").body());
    await().atMost(TIMEOUT).until(() -> !udf("search", "type=ticker&query=BTC+USDT").isEmpty()
        && !udf("search", "type=pool&query=" + POOL.substring(4)).isEmpty()
        && !udf("search", "type=token&query=" + WETH).isEmpty());
    ticker = udf("search", "type=ticker&query=BTC+USDT").get(0).path("ticker").asText();
    writeCandles();
  }

  @AfterAll
  void stop() {
    running.close();
    market.close();
  }

  @Test
  void publishedClient_readsAllCandles_pageByPage() throws Exception {
    assumeTrue(Files.isDirectory(ForeignConsumersIT.NODE.resolve("node_modules/@coingecko")),
        "needs node, and 'npm install' in src/test/node");
    var process = new ProcessBuilder("node", ForeignConsumersIT.NODE.resolve("candles.mjs").toString(),
        root + "/api/v3", KEY).redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(printed).isEqualTo("""
        page 1000 ohlcv_request_response WETH USDC %1$s
        page 201 ohlcv_request_response WETH USDC %1$s
        page 0 ohlcv_request_response WETH USDC %1$s
        candles 1201 newest first true closes 1200 to 0 volume 7
        default 100
        minute {"aggregate":"30"} 404 %2$s
        second {} 404 %2$s
        hour {"currency":"token"} 400 currency: candles are in usd only
        hour {"token":"quote"} 400 token: candles are those of the base token only
        hour {"limit":2000} 400 limit: must be 1 to 1000
        """.formatted(WETH, "No candles of this timeframe and aggregate; there are those of minute (aggregate 1, 5 or"
        + " 15), hour (1 or 4) and day (1)."));
  }

  @Test
  void ohlcv_isAsDocumented_andNotSentAgain() throws Exception {
    var path = "/api/v3/onchain/networks/eth/pools/" + POOL.substring(4) + "/ohlcv/day?limit=3&before_timestamp="
        + (now - 10 * DAY);
    var response = get(path);
    documented.check("/api/v3/onchain/networks/{network}/pools/{address}/ohlcv/{timeframe}", "get", response,
        response.body());
    assertThat(JSON.readTree(response.body()).at("/data/attributes/ohlcv_list/0/4").asInt()).isEqualTo(1_189);

    var tag = response.headers().firstValue("ETag").orElseThrow();
    var again = http.send(request(path).header("If-None-Match", tag).build(), BodyHandlers.ofString());
    await().atMost(TIMEOUT).until(() -> get("/api/v3/onchain/networks/eth/pools/0x1/ohlcv/day").statusCode() == 404);
    var unknown = get("/api/v3/onchain/networks/eth/pools/0x1/ohlcv/day");

    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("{\"errors\":[{\"status\":\"404\",\"title\":\"This mirror does not know");
  }

  /** As TradingView's adapter asks: the configuration, a symbol, the bars back to the first, and the newest two. */
  @Test
  void udf_hasTheBarsOfPoolsTokensAndTickers() throws Exception {
    assertThat(udf("config", "").path("supported_resolutions").toString())
        .isEqualTo("[\"1\",\"5\",\"15\",\"60\",\"240\",\"1D\"]");
    assertThat(Long.parseLong(get("/udf/time").body())).isBetween(now, now + 2 * DAY);
    assertThat(udf("search", "limit=30&query=WETH&type=&exchange=").findValuesAsText("ticker"))
        .contains("POOL:" + POOL, "TOKEN:eth_" + WETH);
    for (var symbol : List.of("POOL:" + POOL, "TOKEN:eth_" + WETH, ticker)) {
      var encoded = "symbol=" + URLEncoder.encode(symbol, UTF_8);
      var info = udf("symbols", encoded);
      assertThat(info.path("ticker").asText()).isEqualTo(symbol);
      assertThat(info.path("pricescale").asLong()).isGreaterThanOrEqualTo(100);

      var bars = "resolution=1D&countback=%d&from=%d&to=%d&";
      var newest = udf("history", bars.formatted(329, now - 50 * DAY, now + DAY) + encoded);
      var rest = udf("history", bars.formatted(900, now - 9_000 * DAY, newest.at("/t/0").asLong()) + encoded);
      var none = udf("history", bars.formatted(10, now - 9_000 * DAY, rest.at("/t/0").asLong()) + encoded);
      var range = udf("history", encoded + "&resolution=1D&from=%d&to=%d".formatted(now - 10 * DAY, now - 8 * DAY));
      var hole = udf("history", encoded + "&resolution=1D&from=%d&to=%d".formatted(now + 2 * DAY, now + 3 * DAY));

      assertThat(newest.path("s").asText()).isEqualTo("ok");
      assertThat(newest.path("c")).hasSize(329);
      assertThat(newest.at("/c/328").asInt()).as("the open one").isEqualTo(CLOSED);
      assertThat(rest.path("t")).hasSize(CLOSED + 1 - 329);
      assertThat(none).hasToString("{\"s\":\"no_data\"}");
      assertThat(range.path("t").toString()).isEqualTo("[%d,%d]".formatted(now - 10 * DAY, now - 9 * DAY));
      assertThat(hole).hasToString("{\"s\":\"no_data\",\"nextTime\":%d}".formatted(now));
    }
    assertThat(udf("symbols", "symbol=POOL:" + POOL.replace("88e6a0c2ddd26feeb", "88E6A0c2dDD26FEEb")))
        .as("as block explorers write it").isEqualTo(udf("symbols", "symbol=POOL:" + POOL));
    assertThat(get("/udf/history?symbol=POOL:x&resolution=30&to=1").body()).startsWith("{\"s\":\"error\",\"errmsg\":");
    for (var unknown : List.of("symbols?symbol=POOL:x", "history?symbol=POOL:x&resolution=1&to=1")) {
      await().atMost(TIMEOUT).untilAsserted(() -> assertThat(get("/udf/" + unknown).body())
          .isEqualTo("{\"s\":\"error\",\"errmsg\":\"unknown_symbol\"}"));
    }
    assertThat(get("/udf/search?query=" + "x".repeat(201)).statusCode()).isEqualTo(400);
    assertThat(get("/sources/main/udf/config").body()).isEqualTo(get("/udf/config").body());
  }

  @Test
  void udf_showsTheDigitsOfACheapPrice_alsoWithoutACandle() throws Exception {
    var price = "0.00001234";
    try (var producer = producer("cheap")) {
      producer.beginTransaction();
      send(producer, topics.pool().state(), "eth_0x2", PoolState.newBuilder().setKnown(Pool.newBuilder()
          .setPrice(PoolPrice.newBuilder().setBaseTokenPriceUsd(price).build()).build()).build(), Instant.now());
      send(producer, topics.token().state(), "eth_0x2", TokenState.newBuilder().setKnown(Token.newBuilder()
          .setPrice(TokenPrice.newBuilder().setPriceUsd(price).build()).build()).build(), Instant.now());
      send(producer, topics.ticker().state(), "x/y/A/B", TickerState.newBuilder().setKnown(Ticker.newBuilder()
          .setPrice(TickerPrice.newBuilder().setLast(0.00001234).build()).build()).build(), Instant.now());
      producer.commitTransaction();
    }
    for (var symbol : List.of("POOL:eth_0x2", "TOKEN:eth_0x2", "TICKER:x/y/A/B")) {
      await().atMost(TIMEOUT).until(() -> get("/udf/symbols?symbol=" + symbol).statusCode() == 200);

      assertThat(udf("symbols", "symbol=" + symbol).path("pricescale").asLong()).as(symbol).isEqualTo(100_000_000);
    }
  }

  @Test
  void udf_isOpenToTheCookieOfALogin_andToNobodyWithout() throws Exception {
    var cookie = cookie();
    var history = HttpRequest.newBuilder(URI.create(root + "/udf/history?resolution=1D&to=1&symbol=POOL:" + POOL));

    assertThat(http.send(history.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    assertThat(http.send(history.header("Cookie", cookie).build(), BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
  }

  @Test
  void clientOfActionCable_followsATopicOverAWebSocket() throws Exception {
    assumeTrue(Files.isDirectory(ForeignConsumersIT.NODE.resolve("node_modules/@rails")),
        "needs node, and 'npm install' in src/test/node");
    var process = new ProcessBuilder("node", ForeignConsumersIT.NODE.resolve("stream.mjs").toString(),
        root.replace("http", "ws") + "/v1/stream", KEY, "token.candles.1d")
        .redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(printed).isEqualTo("""
        OnchainTrade rejected
        connected actioncable-v1-json
        records 1200 of 1 topic
        2000 Subscription successful for eth:0x1
        still open true attempts 0
        """);
  }

  /** The examples of the service's own pages, with values of the topics. */
  @Test
  void stream_hasTheMessagesOfTheServicesOwnWebSocket() throws Exception {
    var pool = "network_id:pool_addresses";
    var address = "eth:0xC7bBeC68d12a0d1830360F8Ec58fA599bA1b0e9b"; // with upper case, as wallets show it
    var key = address.toLowerCase(Locale.ROOT).replace(':', '_');
    var at = Instant.ofEpochSecond(1_753_803_600);
    try (var client = new StreamClient(URI.create(root).getPort(), "/v1/stream", "x-cg-pro-api-key", KEY);
        var producer = producer("stream")) {
      var candles = client.subscribe("OnchainOHLCV");
      var tokens = client.subscribe("OnchainSimpleTokenPrice");
      var coins = client.subscribe("CGSimplePrice");
      client.send("message", candles, data("set_pools", pool, address).put("interval", "1m").put("token", "base"));
      client.send("message", tokens, data("set_tokens", "network_id:token_addresses", "polygon_pos:0x1"));
      client.send("message", coins, data("set_tokens", "coin_id", "ethereum"));
      client.send("message", coins, data("set_tokens", "coin_id", "bitcoin"));
      client.send("message", coins, data("unset_tokens", "coin_id", "bitcoin"));
      client.await(each -> each.path("message").asText().equals("Unsubscription is successful for bitcoin"));
      assertThat(client.await(each -> each.path("message").asText().contains(address)).toString())
          .isEqualTo("{\"code\":2000,\"message\":\"Subscription successful for " + address + ":1m:base\"}");
      for (var wrong : List.of(data("set_pools", pool, address).put("interval", "1s"), data("set_pools", pool, address),
          data("set_pools", pool, address).put("interval", "1m").put("token", "quote"),
          data("set_pools", pool, "0x1").put("interval", "1m"), data("set_tokens", pool, address))) {
        client.send("message", candles, wrong);
      }

      producer.beginTransaction();
      var written = Instant.now();
      var minute = Candle.newBuilder(candle(at, 2.5)).setInterval("1m").build();
      send(producer, topics.candles(topics.pool(), CandleInterval.MINUTE), key, minute, written);
      send(producer, topics.candles(topics.pool(), CandleInterval.MINUTE), "eth_0x1", minute, written);
      send(producer, topics.candles(topics.pool(), CandleInterval.DAY), key, candle(at, 9), written);
      send(producer, topics.openCandles(topics.pool()), key, OpenCandles.newBuilder().setCandles(List.of(
          Candle.newBuilder(minute).setStart(at.plusSeconds(60)).setVolumeUsdEstimate(null).build(), candle(at, 9)))
          .build(), written);
      var token = Token.newBuilder().setNetwork("polygon_pos").setAddress("0x1");
      send(producer, topics.token().state(), "polygon_pos_0x1", TokenState.newBuilder().setObservedAt(at).setKnown(
          token.setPrice(TokenPrice.newBuilder().setPriceUsd("3639.78228844745").build()).setValuation(
              TokenValuation.newBuilder().setMarketCapUsd("123").build()).build())
          .build(), written);
      for (var coin : List.of("bitcoin", "ethereum")) {
        send(producer, AggregateTopics.aggregate(topics, Venues.class), coin,
            Venues.newBuilder().setCoin(coin).setAt(at)
                .setMedianUsd(2591.08).setVolumeUsd(20.5).build(),
            written);
      }
      producer.commitTransaction();

      client.await(each -> each.path("ch").asText().equals("G3") && each.path("t").asLong() == at.getEpochSecond());
      client.await(each -> each.path("t").asLong() == at.getEpochSecond() + 60);
      client.await(each -> each.has("ta"));
      client.await(each -> each.has("vs"));
      var pair = address.split(":", 2)[1];
      assertThat(
          client.messages().map(JsonNode::toString).filter(each -> !each.contains("message") && !each.contains("type")))
          .containsExactlyInAnyOrder(
              "{\"ch\":\"G3\",\"n\":\"eth\",\"pa\":\"%s\",\"to\":\"base\",\"i\":\"1m\",\"o\":2.5,\"h\":2.5,\"l\":2.5,\"c\":2.5,\"v\":7.0,\"t\":1753803600}"
                  .formatted(pair),
              "{\"ch\":\"G3\",\"n\":\"eth\",\"pa\":\"%s\",\"to\":\"base\",\"i\":\"1m\",\"o\":2.5,\"h\":2.5,\"l\":2.5,\"c\":2.5,\"v\":null,\"t\":1753803660}"
                  .formatted(pair),
              "{\"c\":\"G1\",\"n\":\"polygon_pos\",\"ta\":\"0x1\",\"p\":3639.78228844745,\"pp\":null,\"m\":123,\"v\":null,\"t\":1753803600}",
              "{\"c\":\"C1\",\"i\":\"ethereum\",\"vs\":\"usd\",\"p\":2591.08,\"pp\":null,\"m\":null,\"v\":20.5,\"t\":1753803600}");
      assertThat(client.messages().filter(each -> each.path("type").asText().equals("error"))).hasSize(5)
          .allMatch(each -> each.path("code").asInt() == 400);
      client.send("unsubscribe", candles);
      client.await(each -> each.path("message").asText().equals("Unsubscription is successful for all pools"));
    }
  }

  /** A browser lets any page open a WebSocket, and sends the cookie with it. */
  @Test
  void stream_isOpenToPagesOfThisServer_andToKeys() throws Exception {
    var port = URI.create(root).getPort();
    var cookie = cookie();
    try (var own = new StreamClient(port, "/sources/main/v1/stream", "Cookie", cookie, "Origin", root)) {
      own.subscribe("new-pools", "where", "network == 'eth'");
    }
    try (var withKey = new StreamClient(port, "/v1/stream", "Authorization", "Bearer " + KEY, "Origin", "http://x")) {
      withKey.subscribe("trending");
    }
    for (var refused : Map.of(403, List.of("Cookie", cookie, "Origin", "http://x"), 401, List.of()).entrySet()) {
      assertThatThrownBy(() -> new StreamClient(port, "/v1/stream", refused.getValue().toArray(String[]::new)))
          .cause().isInstanceOfSatisfying(WebSocketHandshakeException.class,
              failure -> assertThat(failure.getResponse().statusCode()).isEqualTo(refused.getKey()));
    }
    assertThat(get("/v1/stream").statusCode()).isEqualTo(426);
  }

  private static ObjectNode data(String action, String member, String item) {
    var data = JSON.createObjectNode().put("action", action);
    data.putArray(member).add(item);
    return data;
  }

  /** {@link URI} allows no such address. */
  @Test
  void malformedEscape_isABadRequest() throws Exception {
    for (var path : List.of("/udf/symbols?symbol=%zz", "/udf/search?query=%zz",
        "/api/v3/onchain/networks/%zz/pools/0x1/ohlcv/day",
        "/api/v3/onchain/networks/eth/pools/0x1/ohlcv/day?limit=%zz")) {
      try (var socket = new Socket(InetAddress.getLoopbackAddress(), URI.create(root).getPort())) {
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            + "Authorization: Bearer " + KEY + "\r\n\r\n").getBytes(UTF_8));
        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).as(path).startsWith("HTTP/1.1 400");
      }
    }
  }

  private String cookie() throws Exception {
    var login = http.send(HttpRequest.newBuilder(URI.create(root + "/v1/login"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{\"key\":\"" + KEY + "\"}")).build(), BodyHandlers.ofString());
    return login.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  private KafkaProducer<String, byte[]> producer(String name) {
    var producer = new KafkaProducer<>(Map.of("bootstrap.servers", SharedBroker.bootstrapServers(),
        "transactional.id", topics.prefix() + name), new StringSerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private void writeCandles() {
    try (var producer = producer("candles")) {
      producer.beginTransaction();
      write(producer, topics.pool(), POOL);
      write(producer, topics.token(), "eth_" + WETH);
      write(producer, topics.ticker(), ticker.substring("TICKER:".length()));
      producer.commitTransaction();
    }
    for (var symbol : List.of("POOL:" + POOL, "TOKEN:eth_" + WETH, ticker)) {
      await().atMost(TIMEOUT).until(() -> udf("history", "resolution=1D&countback=1&to=" + (now + DAY) + "&symbol="
          + URLEncoder.encode(symbol, UTF_8)).at("/c/0").asInt() == CLOSED);
    }
  }

  private void write(KafkaProducer<String, byte[]> producer, ResourceTopics<?, ?> resource, String key) {
    for (var i = 0; i < CLOSED; i++) {
      var start = Instant.ofEpochSecond(now - (CLOSED - i) * DAY);
      send(producer, topics.candles(resource, CandleInterval.DAY), key, candle(start, i), start.plusSeconds(DAY + 2));
    }
    var start = Instant.ofEpochSecond(now);
    send(producer, topics.openCandles(resource), key,
        OpenCandles.newBuilder().setId(key).setCandles(List.of(candle(start, CLOSED))).build(), start.plusSeconds(1));
  }

  private static Candle candle(Instant start, double price) {
    return Candle.newBuilder().setInterval("1d").setStart(start).setEnd(start.plusSeconds(DAY)).setOpen(price)
        .setHigh(price).setLow(price).setClose(price).setVolumeUsdEstimate(7.0).build();
  }

  private <V extends SpecificRecord> void send(
      KafkaProducer<String, byte[]> producer, Topic<V> topic, String key, V value, Instant time) {
    producer.send(new ProducerRecord<>(topic.name(), null, time.toEpochMilli(), key,
        topic.serde(new BuiltInRegistry(topics.all())).encode(topic.name(), value)));
  }

  private JsonNode udf(String path, String parameters) throws Exception {
    var response = get("/udf/" + path + "?" + parameters);
    assertThat(response.statusCode()).as("%s %s", parameters, response.body()).isEqualTo(200);
    documented.check("/udf/" + path, "get", response, response.body());
    return JSON.readTree(response.body());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return http.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(root + path)).header("Authorization", "Bearer " + KEY);
  }
}
