package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.app.Role;
import io.tidemark.simulator.Scenario;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many tabs of one browser, which share one connection: a browser opens six to a host. */
class PageTabsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final int TABS = 20;
  private static final List<String> VIEWS = List.of("#/live", "#/trending", "#/new", "#/coverage");
  private static final String SOURCE = """
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

  /** Makes the first read of new pools fail without an answer, and the second one with 502. */
  private static final String FAILING_READS = """
      const read = window.fetch;
      let reads = 0;
      window.fetch = (address, options) => !address.includes('/new_pools?') || ++reads > 2 ? read(address, options)
        : reads > 1 ? Promise.resolve(new Response('', {status: 502})) : Promise.reject(new TypeError('Failed'))""";

  private static SimulatedPage page;

  @TempDir
  static Path folder;

  private final List<Chromium> tabs = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    page = new SimulatedPage(folder, Scenario.CALM, SOURCE);
    page.startCapture(Role.POLL);
    page.startWeb();
  }

  @AfterEach
  void closeTabs() throws Exception {
    for (var tab : tabs) {
      tab.closeTab();
    }
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void twentyTabs_areLiveOverOneConnection_alsoAfterAServerRestart() throws Exception {
    for (var number = 0; number < TABS; number++) {
      open(VIEWS.get(number % VIEWS.size()), "");
    }
    tabs.forEach(PageTabsIT::awaitChanges);

    page.stopWeb();
    tabs.forEach(tab -> await().atMost(TIMEOUT).until(() -> level(tab).equals("lost")));
    tabs.forEach(tab -> assertThat(tab.evaluate("document.getElementById('status-text').textContent").asText())
        .startsWith("Reconnecting: "));
    page.startWeb();

    tabs.forEach(PageTabsIT::awaitChanges);
    tabs.forEach(tab -> assertThat(tab.requests()).noneMatch(address -> address.contains("/v1/feeds?")));
  }

  /** A proxy answers 404 while the server behind it is away. */
  @Test
  void proxyWithoutItsServer_endsNoConnectionForGood() throws Exception {
    open("#/live", "");
    awaitChanges(tabs.getFirst());
    page.stopWeb();
    var requests = new AtomicInteger();
    var proxy = HttpServer
        .create(new InetSocketAddress(InetAddress.getLoopbackAddress(), URI.create(page.address()).getPort()), 0);
    proxy.createContext("/", exchange -> {
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
      requests.incrementAndGet();
    });
    proxy.start();
    await().atMost(TIMEOUT).until(() -> requests.get() > 1);
    proxy.stop(0);
    page.startWeb();

    awaitChanges(tabs.getFirst());
    open("#/live", "");
    awaitChanges(tabs.getLast());
  }

  @Test
  void recordFollowedByTwoTabs_reachesEachOnce_alsoTheLaterOne() throws Exception {
    open("#/live", "");
    awaitChanges(tabs.getFirst());
    open("#/live", "");
    awaitChanges(tabs.getLast());

    tabs.forEach(tab -> assertThat(tab.isTrue("""
        (rows => rows.length > 0 && new Set(rows.map(row => row.record.place)).size === rows.length)(
            [...document.querySelectorAll('main tbody tr')].filter(row => row.record))""")).isTrue());
  }

  @Test
  void firstReadOfAView_isRepeatedUntilItSucceeds() throws Exception {
    open("#/new", FAILING_READS);
    var tab = tabs.getFirst();

    await().atMost(TIMEOUT).until(() -> tab.evaluate("document.querySelector('main > .notice').textContent").asText()
        .startsWith("This view is not complete yet: the server answers 502"));
    await().atMost(TIMEOUT).until(() -> tab.isTrue("document.querySelector('main > .notice').hidden"));
    assertThat(tab.requests()).anyMatch(address -> address.contains("/new_pools?"));
  }

  /** Right after an outage, an answer of the mirror may count as fresh for minutes. */
  @Test
  void readsOfAView_areNeverAnsweredFromTheBrowsersCacheAlone() throws Exception {
    open("#/new", """
        const read = window.fetch;
        window.modes = [];
        window.fetch = (address, options) => {
          if (address.startsWith('/api/v3/')) {
            window.modes.push(options.cache);
          }
          return read(address, options);
        }""");
    var tab = tabs.getFirst();

    await().atMost(TIMEOUT).until(() -> tab.isTrue("window.modes.length > 0"));
    assertThat(tab.isTrue("window.modes.every(mode => mode === 'no-cache')")).isTrue();
  }

  @Test
  void withoutSharedWorker_oneTabConnects_andAnotherTakesOver() throws Exception {
    for (var number = 0; number < 3; number++) {
      open("#/live", "delete window.SharedWorker");
    }
    tabs.forEach(PageTabsIT::awaitChanges);
    var leaders = tabs.stream().filter(PageTabsIT::hasConnection).toList();
    assertThat(leaders).hasSize(1);
    assertThat(leaders.getFirst().requests()).noneMatch(address -> address.endsWith("/v1/status"));

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
    var tab = page.browser().openTab();
    tabs.add(tab);
    tab.runFirst(first);
    tab.open(page.address() + "/" + view);
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
