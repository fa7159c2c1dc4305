package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many tabs of one browser, which share one connection: a browser opens six to a host. */
class PageTabsIT {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final int TABS = 20;
  private static final List<String> VIEWS = List.of("#/live", "#/trending", "#/new", "#/coverage");
  private static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: "${WEB_PORT}" }
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s, trending_pools: 1s }
          watch:
            networks: { solana: { new-pools: {}, trending: { durations: [5m, 1h] } } }
      """;
  /** Notes whether the tab has got a change since the last time. */
  private static final String OBSERVE = """
      import('/page/feed.js').then(({Feed}) => {
        const take = Feed.prototype.take;
        Feed.prototype.take = function (message) {
          window.taken = (window.taken ?? 0) + (message.records?.length ?? 0);
          return take.call(this, message);
        };
      })""";

  private static final RunningComponents CAPTURE = new RunningComponents();
  private static RunningComponents web;
  private static MarketServer market;
  private static Chromium browser;
  private static Map<String, String> environment;
  private static int port;

  @TempDir
  static Path folder;

  private final List<Chromium> tabs = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    var program = Chromium.program();
    assumeTrue(program != null, "needs Chromium");
    market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "",
        new SimulatorSettings(7, Scenario.CALM, 50), operation -> Duration.ofSeconds(1), ResponseJournal.none());
    environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", SharedBroker.freshPrefix(), "MARKET",
        market.baseUrl().toString());
    new Application(settings(), folder.resolve("poll"), CAPTURE).start(EnumSet.of(Role.POLL));
    startWeb();
    browser = Chromium.start(Objects.requireNonNull(program), folder.resolve("profile"));
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

  @AfterEach
  void closeTabs() throws Exception {
    for (var tab : tabs) {
      tab.closeTab();
    }
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
  void twentyTabs_areLive_alsoAfterTheServerRestarted_overOneConnection() throws Exception {
    for (var number = 0; number < TABS; number++) {
      open(VIEWS.get(number % VIEWS.size()), "");
    }
    tabs.forEach(PageTabsIT::awaitChanges);

    web.close();
    tabs.forEach(tab -> await().atMost(TIMEOUT).until(() -> level(tab).equals("lost")));
    tabs.forEach(tab -> assertThat(tab.evaluate("document.getElementById('status-text').textContent").asText())
        .startsWith("Reconnecting: "));
    startWeb();

    tabs.forEach(PageTabsIT::awaitChanges);
    tabs.forEach(tab -> assertThat(tab.requests()).noneMatch(address -> address.contains("/v1/feeds?")));
  }

  @Test
  void recordThatTwoTabsFollow_comesToBothOnce_alsoToTheOneThatOpensLater() throws Exception {
    open("#/live", "");
    awaitChanges(tabs.getFirst());
    open("#/live", "");
    awaitChanges(tabs.getLast());

    tabs.forEach(tab -> assertThat(tab.isTrue("""
        (rows => rows.length > 0 && new Set(rows.map(row => row.record.place)).size === rows.length)(
            [...document.querySelectorAll('main tbody tr')].filter(row => row.record))""")).isTrue());
  }

  @Test
  void withoutASharedWorker_oneTabHasTheConnection_andAnotherTakesOver() throws Exception {
    for (var number = 0; number < 3; number++) {
      open("#/live", "delete window.SharedWorker");
    }
    tabs.forEach(PageTabsIT::awaitChanges);
    var leaders = tabs.stream().filter(PageTabsIT::hasConnection).toList();
    assertThat(leaders).hasSize(1);

    tabs.remove(leaders.getFirst());
    leaders.getFirst().closeTab();

    tabs.forEach(PageTabsIT::awaitChanges);
    await().atMost(TIMEOUT).until(() -> tabs.stream().filter(PageTabsIT::hasConnection).count() == 1);
  }

  @Test
  void withoutSharedWorkerAndLocks_aTabHasItsOwnConnection() throws Exception {
    open("#/live", "delete window.SharedWorker; Object.defineProperty(navigator, 'locks', {value: undefined})");

    awaitChanges(tabs.getFirst());
    assertThat(hasConnection(tabs.getFirst())).isTrue();
  }

  private void open(String view, String first) throws Exception {
    var tab = browser.openTab();
    tabs.add(tab);
    tab.runFirst(first);
    tab.open("http://127.0.0.1:" + port + "/" + view);
    await().atMost(TIMEOUT).until(() -> tab.isTrue("document.querySelector('main h1')"));
    tab.evaluate(OBSERVE);
  }

  private static void awaitChanges(Chromium tab) {
    tab.bringToFront();
    await().atMost(TIMEOUT).until(() -> level(tab).equals("live"));
    tab.evaluate("window.taken = 0");
    await().atMost(TIMEOUT).until(() -> tab.isTrue("window.taken > 0"));
    await().atMost(TIMEOUT).until(() -> tab.isTrue("document.querySelector('main tbody tr')"));
  }

  private static boolean hasConnection(Chromium tab) {
    return tab.requests().stream().anyMatch(address -> address.contains("/v1/feeds?"));
  }

  private static String level(Chromium tab) {
    return tab.evaluate("document.getElementById('status').dataset.level").asText();
  }
}
