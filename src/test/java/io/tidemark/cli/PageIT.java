package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.cli.command.SimulatedMarketServer;
import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.Role;
import io.tidemark.cli.wiring.RunningComponents;
import io.tidemark.config.Settings;
import io.tidemark.embedded.SharedBroker;
import io.tidemark.http.server.MarketServer;
import io.tidemark.http.server.ResponseJournal;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page in a real browser, over a simulated market with hostile names: one program and one browser for all tests,
 * since the aggregates come at the end of a minute.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PageIT {

  static final Duration TIMEOUT = Duration.ofSeconds(100);

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: "${WEB_PORT}" }
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s, trending_pools: 1s, search_pools: 1s, global: 1s, coin_tickers: 1s,
                     derivatives_exchange: 1s, treasury: 1s }
          watch:
            networks: { solana: { new-pools: {}, trending: { durations: [5m, 1h] } } }
            searches: [ { query: XSS, network: solana } ]
            global: {}
            coins: { bitcoin: { tickers: {} } }
            derivatives: { deribit: { tickers: all } }
            treasuries: { strategy: {} }
      """;

  /** Of each view, what it shows once it has data. */
  static final Map<String, String> DATA = Map.of(
      "#/live", "tbody tr", "#/new", "tbody tr", "#/trending", "tbody tr", "#/movers", "h2",
      "#/coins", "tbody tr", "#/coin/bitcoin", "tbody tr", "#/treasuries", "tbody tr", "#/launches", "tbody tr",
      "#/dominance", "tbody tr", "#/coverage", "tbody tr");

  static final RunningComponents CAPTURE = new RunningComponents();
  static MarketServer market;
  static Chromium browser;
  static RunningComponents web;
  static Map<String, String> environment;

  /** 0 until the web server has got one, which it has again after a restart. */
  static int port;

  @TempDir
  static Path folder;

  @BeforeAll
  static void openPage() throws Exception {
    var program = Chromium.program();
    assumeTrue(program != null, "needs Chromium");
    var world = new SimulatorSettings(7, Scenario.DIRTY_DATA, 50);
    market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "", world,
        operation -> Duration.ofSeconds(1), ResponseJournal.none());
    environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", SharedBroker.freshPrefix(), "MARKET",
        market.baseUrl().toString());
    new Application(settings(), folder.resolve("streams"), CAPTURE).start(EnumSet.of(Role.POLL, Role.STREAM));
    startWeb();
    browser = Chromium.start(Objects.requireNonNull(program), folder.resolve("profile"));
    browser.resize(1440, 900);
  }

  private static void startWeb() {
    web = new RunningComponents();
    var application = new Application(settings(), folder.resolve("web"), web);
    application.start(EnumSet.of(Role.WEB));
    port = application.webPort();
  }

  private static Settings settings() {
    return Settings.parse(
        "test.yaml", CONFIG, name -> name.equals("WEB_PORT") ? Integer.toString(port) : environment.get(name));
  }

  @AfterAll
  static void close() {
    if (browser != null) {
      browser.close();
    }
    if (web != null) {
      web.close();
    }
    CAPTURE.close();
    if (market != null) {
      market.close();
    }
  }

  @Test
  @Order(1)
  void liveChanges_come_andGoOnComing() {
    show("#/live");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length > 5"));
    var first = browser.evaluate("document.querySelector('main tbody tr').textContent").asText();

    await().atMost(TIMEOUT).until(() -> !browser.evaluate("document.querySelector('main tbody tr').textContent")
        .asText().equals(first));
    await().atMost(TIMEOUT).until(() -> level().equals("live") || level().equals("degraded"));
  }

  @Test
  @Order(2)
  void hostileName_isText() {
    show("#/new");
    browser.evaluate("""
        (field => {
          field.value = 'XSS';
          field.dispatchEvent(new Event('input'));
        })(document.querySelector('main input[type=search]'))""");

    await().atMost(TIMEOUT)
        .until(() -> browser.isTrue("document.querySelector('main').textContent.includes('<b>XSS</b>')"));

    assertThat(browser.isTrue("document.querySelector('main script, main img, main b')")).isFalse();
    assertThat(browser.isTrue("/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.textContent)")).isFalse();
  }

  @Test
  @Order(3)
  void pool_hasCandlesAndChanges() {
    show("#/live");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("""
        (window.poolThatMoved = [...document.querySelectorAll('main tbody tr')]
            .filter(row => row.querySelector('td.number').textContent !== '')
            .map(row => row.querySelector('a[href^="#/pool/"]')).find(link => link !== null)) !== undefined"""));
    browser.evaluate("window.poolThatMoved.click()");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main .chart canvas')"));
    await().atMost(TIMEOUT)
        .until(() -> browser.isTrue("document.querySelectorAll('main table.log tbody tr').length > 0"));
    assertThat(browser.evaluate("document.querySelector('main .price').textContent").asText())
        .matches("\\$[\\d.,₀-₉]+");
  }

  @Test
  @Order(4)
  void alert_showsItsEvidence() {
    show("#/alerts");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main details')"));

    browser.evaluate("document.querySelector('main details summary').click()");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main details[open] tbody tr')"));
    assertThat(browser.isTrue("document.querySelector('main details[open] form.silence button')")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"#/movers", "#/coins", "#/coin/bitcoin", "#/treasuries", "#/launches", "#/dominance",
    "#/coverage"})
  @Order(5)
  void view_hasData(String view) {
    show(view);

    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main " + DATA.get(view) + "')"));
  }

  @ParameterizedTest
  @CsvSource({"dark, 1440", "light, 390"})
  @Order(6)
  void views_areAccessible_andFit(String colors, int width) throws Exception {
    browser.prefer(colors);
    browser.resize(width, 900);
    browser.evaluate(axe());
    var found = new ArrayList<String>();
    for (var view : DATA.keySet()) {
      show(view);
      await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main " + DATA.get(view) + "')"));
      browser.evaluate("axe.run(document, {resultTypes: ['violations']}).then(found => found.violations"
          + ".filter(each => ['serious', 'critical'].includes(each.impact))"
          + ".map(each => each.id + ': ' + each.nodes.slice(0, 2).map(node => node.html.slice(0, 200)).join(' ')))")
          .forEach(each -> found.add(view + " " + each.asText()));
      if (browser.evaluate("document.documentElement.scrollWidth - window.innerWidth").asInt() > 0) {
        found.add(view + " is wider than the window");
      }
    }
    assertThat(found).isEmpty();
  }

  @Test
  @Order(7)
  void pageAsksNoOtherHost_andNothingGoesWrong() {
    assertThat(hosts()).containsExactly("http://127.0.0.1:" + port);
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  @Order(8)
  void serverRestarts_pageSaysSo_andResumes() {
    show("#/live");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length > 5"));

    web.close();
    await().atMost(TIMEOUT).until(() -> level().equals("lost"));
    assertThat(browser.evaluate("document.getElementById('status-text').textContent").asText())
        .startsWith("Reconnecting: ");
    startWeb();

    await().atMost(TIMEOUT).until(() -> !level().equals("lost") && !level().equals("waiting"));
    var first = browser.evaluate("document.querySelector('main tbody tr').textContent").asText();
    await().atMost(TIMEOUT).until(() -> !browser.evaluate("document.querySelector('main tbody tr').textContent")
        .asText().equals(first));
    browser.forgetProblems();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
    "text.js | m.visible('a\\u202eb\\u0000')                     | a[U+202E]b[U+0000]",
    "text.js | m.visible('\\u{1F469}\\u200d\\u{1F680}')          | \uD83D\uDC69\u200D\uD83D\uDE80",
    "text.js | m.visible('x'.repeat(10000), 3)                   | xxx…",
    "text.js | m.price('0.0000014523')                           | 0.0₅1452",
    "text.js | m.price('0.00009999999')                          | 0.0001000",
    "text.js | m.price(112544.72271)                             | 112,544.72",
    "text.js | m.price('NaN')                                    | –",
    "text.js | m.dollars(1238000)                                | $1.24M",
    "text.js | m.percent(-12.345)                                | −12.3%",
    "text.js | m.span(89000)                                     | 89s",
    "stream.js | m.pause(9, 0.5)                                   | 15000",
    "stream.js | new m.EventParser().push('id: 7\\ndata: {\\ndata: }\\n\\nid: 8\\n')[0].data.length | 3",
    "candles.js | new m.Candles(m.INTERVALS[0]).bars(0).length    | 0",
    "change.js | m.summary('pool', {price: {before: {base_token_price_usd: '2'}, after: {base_token_price_usd: '3'}}}).move | 50",
    "change.js | m.poolLink('polygon_pos', '0x1')                 | #/pool/polygon_pos/0x1",
    "condition.js | m.condition({now: 9e4, connection: {}, source: {name: 's', status: 'polling', heartbeatAt: 0}}).level | blind",
    "condition.js | m.condition({now: 9e4, connection: {state: 'waiting', message: 'gone'}, retryAt: 91e3}).text | Reconnecting: gone, next attempt in 1s",
    "condition.js | m.condition({now: 9e4, connection: {state: 'refused', status: 401}}).text | Not logged in",
    "condition.js | m.condition({now: 9e4, connection: {}, source: {name: 's', status: 'polling', heartbeatAt: 89e3, changedAt: 1e3}}).level | quiet",
    "condition.js | m.condition({now: 9e4, connection: {}, source: {name: 's', status: 'polling', heartbeatAt: 89e3, changedAt: 89e3, polledAt: 86e3}}).text | Live, polled 4s ago"})
  @Order(9)
  void function_hasValue(String module, String expression, String value) {
    show("#/live");

    assertThat(browser.evaluate("import('/page/" + module + "').then(m => String(" + expression + "))").asText())
        .isEqualTo(value);
  }

  @Test
  @Order(10)
  void windowsWithoutAChange_areFlat_andTheOpenCandleIsReplacedByTheClosedOne() {
    var bars = browser.evaluate("""
        import('/page/candles.js').then(m => {
          const candle = (start, close) => ({interval: '1m', start, open: 1, high: 3, low: 1, close});
          const candles = new m.Candles(m.INTERVALS[0]);
          candles.add(candle(60000, 2));
          candles.open({candles: [candle(240000, 3)]});
          const open = candles.bars(250000).map(bar => bar.close);
          candles.add(candle(240000, 1));
          return [open, candles.bars(250000).map(bar => bar.close)];
        })""");

    assertThat(bars).map(JsonNode::toString).containsExactly("[2,2,2,3]", "[2,2,2,1]");
  }

  private static void show(String view) {
    var page = "http://127.0.0.1:" + port + "/";
    if (browser.evaluate("location.href").asText().startsWith(page)) {
      browser.evaluate("location.hash = '" + view + "'");
    } else {
      browser.open(page + view);
    }
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main h1')"));
    var name = view.substring(2).split("/", 2)[0];
    await().atMost(TIMEOUT)
        .until(() -> browser.isTrue("document.querySelector('main').dataset.view === '" + name + "'"));
  }

  private static String level() {
    return browser.evaluate("document.getElementById('status').dataset.level").asText();
  }

  private static Set<String> hosts() {
    return browser.requests().stream().filter(address -> address.startsWith("http"))
        .map(address -> address.replaceAll("^(https?://[^/]+).*", "$1")).collect(Collectors.toSet());
  }

  private static String axe() throws Exception {
    try (var script = PageIT.class.getResourceAsStream("/axe.min.js")) {
      return new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
