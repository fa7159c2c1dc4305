package io.tidemark.program;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.app.Role;
import io.tidemark.rule.Rule;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.simulator.Scenario;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

  static final String SOURCE = """
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
  static final Map<String, String> DATA = Map.ofEntries(
      entry("#/overview", "tbody tr"), entry("#/live", "tbody tr"), entry("#/new", "tbody tr"),
      entry("#/trending", "tbody tr"), entry("#/movers", "h2"), entry("#/coins", "tbody tr"),
      entry("#/coin/bitcoin", "tbody tr"), entry("#/treasuries", "tbody tr"), entry("#/launches", "tbody tr"),
      entry("#/dominance", "tbody tr"), entry("#/coverage", "tbody tr"));

  static SimulatedPage page;
  static Chromium browser;

  @TempDir
  static Path folder;

  @BeforeAll
  static void openPage() throws Exception {
    page = new SimulatedPage(folder, Scenario.DIRTY_DATA, SOURCE);
    page.startCapture(Role.POLL, Role.STREAM);
    page.startWeb();
    browser = page.browser();
    browser.resize(1440, 900);
    for (var read : List.of("global", "coins/bitcoin/tickers", "derivatives/exchanges/deribit")) {
      await().atMost(TIMEOUT).until(() -> page.status("/api/v3/" + read) == 200);
    }
  }

  @AfterAll
  static void close() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  @Order(1)
  void liveChanges_come_andGoOnComing() {
    show("#/live");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length > 5"));
    var first = browser.evaluate("document.querySelector('main tbody tr').textContent").asText();

    await().atMost(TIMEOUT).until(() -> !browser.evaluate("document.querySelector('main tbody tr')?.textContent ?? ''")
        .asText().equals(first));
    await().atMost(TIMEOUT).until(() -> level().equals("live") || level().equals("degraded"));
  }

  @Test
  @Order(1)
  void viewThatWasHidden_staysAfterSeconds_andBeginsAnewAfterMinutes() {
    show("#/live");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length > 0"));
    browser.evaluate("""
        window.heading = document.querySelector('main h1');
        window.newestRow = document.querySelector('main tbody tr');
        window.hide = isHidden => {
          Object.defineProperty(document, 'hidden', {value: isHidden, configurable: true});
          document.dispatchEvent(new Event('visibilitychange'));
        };
        window.hide(true);
        window.hide(false);""");
    await().atMost(TIMEOUT)
        .until(() -> browser.isTrue("document.querySelector('main tbody tr') !== window.newestRow"));
    assertThat(browser.isTrue("window.heading.isConnected")).isTrue();

    browser.evaluate("""
        window.realNow = Date.now;
        window.hide(true);
        Date.now = () => window.realNow() + 6 * 60_000;
        window.hide(false);
        Date.now = window.realNow;""");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("!window.heading.isConnected"));
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length > 0"));
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
        .matches("\\$[\\d.,]+(e-\\d+)?");
    await().atMost(TIMEOUT).until(() -> {
      browser.drag("main .chart", 400); // to candles of before
      return browser.requests().stream().anyMatch(each -> each.contains("/udf/history?symbol=POOL"));
    });
    await().atMost(TIMEOUT).until(
        () -> browser.isTrue("document.querySelector('main .heading a[href^=\"https://solscan.io/account/\"]')"));
  }

  @Test
  @Order(3)
  void coin_hasTheCandlesOfAVenue_andOfAnother() {
    show("#/coin/bitcoin");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main .chart canvas')"));
    var other = chooseNextVenue();

    assertThat(other).startsWith("bitcoin/");
    assertThat(browser.evaluate("new URLSearchParams(location.hash.split('?')[1]).get('venue')").asText())
        .isEqualTo(other);
    await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(2)).until(() -> {
      var isCharted = browser.isTrue("!document.querySelector('main .chart').hidden");
      if (!isCharted) {
        chooseNextVenue(); // a venue whose price stands still has no candles
      }
      return isCharted;
    });
  }

  private static String chooseNextVenue() {
    return browser.evaluate("""
        (field => {
          field.selectedIndex = (field.selectedIndex + 1) % field.options.length;
          field.dispatchEvent(new Event('change'));
          return field.value;
        })(document.querySelector('main select'))""").asText();
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

  @Test
  @Order(11)
  void silenceThatIsBeingFilledIn_stays_asTheAlertGoesOn() {
    browser.evaluate(
        """
            import('/page/views/alerts.js').then(m => {
              const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => 9000, every() {},
                follow: options => window.takeAlert = options.topics[0] === 'alerts' ? options.onRecord : window.takeAlert});
              window.stepTo = (status, at) => window.takeAlert({value: {id: 'a', fingerprint: 'a', rule: 'r', status,
                severity: 'warning', event_time: at, subject: 's', summary: 't', evidence: [], labels: {}}});
              window.stepTo('pending', 1000);
              document.querySelector('main').replaceChildren(node);
            })""");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main details summary')"));
    browser.evaluate("document.querySelector('main details summary').click()");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main form.silence')"));
    browser.evaluate("document.querySelectorAll('main form.silence select').forEach(each =>"
        + " each.selectedIndex = each.length - 1)");

    browser.evaluate("window.stepTo('firing', 2000)");

    await().atMost(TIMEOUT)
        .until(() -> browser.isTrue("document.querySelectorAll('main details .steps li').length === 2"));
    assertThat(browser.evaluate("[...document.querySelectorAll('main form.silence select')]"
        + ".map(each => each.value).join()").asText()).isEqualTo("all,7d");
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
    assertThat(hosts()).containsExactly(page.address());
    assertThat(browser.problems()).isEmpty();
  }

  @Test
  @Order(8)
  void serverRestarts_pageSaysSo_andResumes() {
    show("#/live");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length > 5"));

    page.stopWeb();
    await().atMost(TIMEOUT).until(() -> level().equals("lost"));
    assertThat(browser.evaluate("document.getElementById('status-text').textContent").asText())
        .startsWith("Reconnecting: ");
    page.startWeb();

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
    "text.js | m.price('0.0000014523')                           | 0.0000014523",
    "text.js | m.price('0.00009999999')                          | 0.00010000",
    "text.js | m.price(112544.72271)                             | 112,544.72",
    "text.js | m.price('NaN')                                    | –",
    "text.js | m.dollars(1238000)                                | $1.24M",
    "text.js | m.percent(-12.345)                                | −12.3%",
    "text.js | m.span(89000)                                     | 89s",
    "text.js | m.price('0.00000000002033')                       | 2.0330e-11",
    "text.js | m.price('-0.5')                                   | -0.50000",
    "text.js | m.dollars('1e300')                                | $1.00e+300",
    "text.js | m.dollars(0.0123)                                 | $0.0123",
    "text.js | m.percent(0.00423)                                | +0.0042%",
    "text.js | m.span(1354 * 864e5)                              | 3y",
    "text.js | m.counted(1, 'holder')                            | 1 holder",
    "text.js | m.counted(1200, 'holder')                         | 1,200 holders",
    "text.js | m.moment(new Date(2023, 4, 1, 10, 0).getTime(), new Date(2026, 2, 1).getTime()) | 1 May 2023, 10:00",
    "text.js | m.moment(new Date(2026, 1, 1, 10, 0).getTime(), new Date(2026, 2, 1).getTime()) | 1 Feb, 10:00",
    "text.js | m.when(new Date(2026, 1, 1, 10, 0, 5).getTime(), new Date(2026, 1, 1, 23, 0).getTime()) | 10:00:05",
    "text.js | m.when(new Date(2026, 1, 1, 10, 0, 5).getTime(), new Date(2026, 1, 2, 9, 0).getTime()) | 1 Feb, 10:00",
    "text.js | m.when(null) | –",
    "stream.js | m.pause(9, 0.5)                                   | 15000",
    "stream.js | new m.EventParser().push('id: 7\\ndata: {\\ndata: }\\n\\nid: 8\\n')[0].data.length | 3",
    "candles.js | new m.Candles(m.INTERVALS[0]).bars(0).length    | 0",
    "candles.js | m.average([1, 2, 3, 4], 2)                      | ,1.5,2.5,3.5",
    "candles.js | m.relativeStrength([1, 2, 3, 2], 2)             | ,,100,50",
    "views/treasuries.js | m.heldInPercent({amount: 10}, [{at: 5000, by: 2}, {at: 5000, by: 3}], 9000).map(each => each.value).join() | 50,100,100",
    "change.js | m.summary('pool', {price: {before: {base_token_price_usd: '2'}, after: {base_token_price_usd: '3'}}}).move | 50",
    "change.js | m.summary('pool', {liquidity: {before: {reserve_in_usd: '2'}, after: {reserve_in_usd: '3'}}}).move | null",
    "change.js | m.summary('pool', {liquidity: {before: {reserve_in_usd: '2'}, after: {reserve_in_usd: '3'}}}).otherMove | +50.0%",
    "change.js | m.changedFacets({valuation: {before: {fdv_usd: '1'}, after: {fdv_usd: '2'}}, volume: {before: {v: 1}, after: {v: 2}}, liquidity: {before: {reserve_in_usd: '1'}, after: {reserve_in_usd: '2'}}, price: {before: {last: 1}, after: {last: 2}}}).map(facet => facet.name) | price,liquidity,volume,valuation",
    "change.js | m.isFollowing('pool', {valuation: {before: {fdv_usd: '1'}, after: {fdv_usd: '2'}}, activity: {before: {volume_usd: {m5: '1'}}, after: {volume_usd: {m5: '2'}}}}) | true",
    "change.js | m.isFollowing('pool', {valuation: {before: {fdv_usd: '1'}, after: {fdv_usd: '2'}}, liquidity: {before: {reserve_in_usd: '1'}, after: {reserve_in_usd: '2'}}}) | false",
    "change.js | m.beforeAndAfter({name: 'reserve_in_usd', before: '1238000', after: '1238001'}) | $1.238000M,$1.238001M",
    "change.js | m.beforeAndAfter({name: 'price_usd', before: '0.0000014523001', after: '0.0000014523002'}) | 0.0000014523001,0.0000014523002",
    "change.js | m.beforeAndAfter({name: 'amount', before: '0', after: '0.0'}) | 0,0.0",
    "text.js   | m.canonicalAddress('0x88E6A0c2dDD26FEEb64F039a2c41296FcB3f5640') | 0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
    "change.js | m.poolLink('polygon_pos', '0x1')                 | #/pool/polygon_pos/0x1",
    "views/pools.js | m.updateRow({price: 9, reserve: 9}, {about: {price_usd: null, reserve_usd: 5}}).price | null",
    "views/pools.js | m.updateRow({fdv: 9, marketCap: 9}, {about: {}, valuation: {after: {fdv_usd: '5', market_cap_usd: null}}}).marketCap | null",
    "views/pools.js | m.updateRow({fdv: 9, marketCap: 9}, {about: {}}).marketCap | 9",
    "views/pools.js | m.updateRow({volumes: {h1: 9}}, {about: {}, activity: {after: {volume_usd: null}}}).volumes.h1 | undefined",
    "views/coin-rows.js | m.tickerAfter({price: 9, spread: 9}, {about: {price_usd: null}}).price | null",
    "views/coin-rows.js | m.tickerAfter({spread: 9}, {about: {}, spread: {after: {bid_ask_spread_percentage: null}}}).spread | null",
    "views/coin-rows.js | m.tickerAfter({spread: 9}, {about: {}}).spread | 9",
    "views/coin-rows.js | m.contractAfter({funding: 9}, {about: {}, funding: {after: {funding_rate: null}}}).funding | null",
    "views/coin-rows.js | m.contractAfter({funding: 9}, {about: {}}).funding | 9",
    "condition.js | m.condition({now: 9e4, connection: {}, source: {name: 's', status: 'polling', heartbeatAt: 0}}).level | blind",
    "condition.js | m.condition({now: 9e4, connection: {state: 'waiting', message: 'gone'}, retryAt: 91e3}).text | Reconnecting: gone, next attempt in 1s",
    "condition.js | m.condition({now: 9e4, connection: {state: 'refused', status: 401}}).text | Not logged in",
    "condition.js | m.condition({now: 9e4, connection: {}, source: {name: 's', status: 'polling', heartbeatAt: 89e3, changedAt: 1e3}}).level | quiet",
    "condition.js | m.condition({now: 9e4, connection: {}, source: {name: 's', status: 'polling', heartbeatAt: 89e3, changedAt: 89e3, polledAt: 86e3}}).text | Live, polled 4s ago",
    "condition.js | m.condition({now: 9e4, connection: {}, health: [{name: 'program', status: 'up'}, {name: 'streams of s', status: 'down', message: 'error'}], source: {name: 's', status: 'polling', heartbeatAt: 89e3, changedAt: 1e3, polledAt: 86e3}}).text | Degraded: streams of s: error, polled 4s ago",
    "condition.js | m.condition({now: 9e4, connection: {}, health: [{name: 'program', status: 'up'}], source: {name: 's', status: 'polling', heartbeatAt: 89e3, changedAt: 89e3}}).text | Live"})
  @Order(9)
  void function_hasValue(String module, String expression, String value) {
    show("#/live");

    assertThat(browser.evaluate("import('/page/" + module + "').then(m => String(" + expression + "))").asText())
        .isEqualTo(value);
  }

  @Test
  @Order(10)
  void windowsWithoutChange_areFlat_closedCandleReplacesTheOpenOne() {
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

  @Test
  @Order(11)
  void enteredExitedMoved_areInOrderOfTime_andABaselineIsNone() {
    var names = inTrending("""
        const listing = (name, at, baseline) => take({topic: 'pool.listing', value: {
          list: 'eth/trending/1h', network: 'eth', pool: 'eth_' + name, action: 'exited', rank_before: 1,
          about: {name}, origin: {observed_at: at, baseline}}});
        [['a', 1000], ['c', 3000], ['e', 5000], ['b', 2000], ['d', 4000]].forEach(each => listing(...each, false));
        listing('f', 6000, true);
        return [...node.querySelectorAll('.happenings a')].map(each => each.textContent).join('');""");

    assertThat(names.asText()).isEqualTo("edcba");
  }

  @Test
  @Order(11)
  void moveThatLeavesARank_isANewOrder() {
    var text = inTrending("""
        take({topic: 'pool.listing', value: {list: 'eth/trending/1h', network: 'eth', pool: 'eth_a', action: 'moved',
          rank: 8, rank_before: 8, about: {name: 'a'}, origin: {observed_at: 1000, baseline: false}}});
        return node.querySelector('.happenings li').lastElementChild.textContent;""");

    assertThat(text.asText()).isEqualTo("reordered at 8");
  }

  /** The topic keeps older records of a key for a while, so an alert that ended days ago comes as firing first. */
  @Test
  @Order(11)
  void alertThatEndedLongAgo_isNotFiring() {
    browser.evaluate("""
        import('/page/views/alerts.js').then(m => {
          const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => 9000, every() {},
            follow: options => window.takeAlert = options.topics[0] === 'alerts.state' ? options.onRecord : null});
          const alert = (key, status) => takeAlert({key, value: {id: 'r/' + key, fingerprint: key, rule: 'r', status,
            severity: 'warning', event_time: 1000, subject: 's', summary: 't', evidence: [], labels: {}}});
          alert('a', 'firing');
          alert('b', 'firing');
          alert('a', 'resolved');
          document.querySelector('main').replaceChildren(node);
        })""");

    await().atMost(TIMEOUT).until(() -> browser.evaluate("document.querySelector('main').textContent").asText()
        .contains("1 firing, 1 in the last 24 hours"));
  }

  @Test
  @Order(11)
  void holderThatIsNotAmongTheLargestAnyMore_leavesTheTable() {
    browser.evaluate(
        """
            import('/page/views/treasuries.js').then(m => {
              const readers = {};
              const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => 9000, every() {},
                onEnd() {}, follow: options => readers[options.topics[0]] = options.onRecord});
              document.querySelector('main').replaceChildren(node);
              const held = (...entities) => readers.treasuries({key: 'bitcoin', value: {coin: 'bitcoin', amount: 2, at: 1000,
                value_usd: 9, entry_value_usd: 1, holders: 2, percentage_of_total_supply: 1,
                largest: entities.map(entity => ({entity, name: entity, value_usd: 9, amount: 1, visible: true}))}});
              held('one', 'two');
              held('two', 'three');
            })""");

    await().atMost(TIMEOUT).until(() -> names().equals("three,two"));
  }

  @Test
  @Order(11)
  void treasuries_countTheirAge_andTradesLeaveAfterThirtyDays() {
    browser.evaluate(
        """
            import('/page/views/treasuries.js').then(m => {
              const readers = {};
              const ticks = [];
              let now = 9000;
              const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => now,
                every: (pause, task) => ticks.push(task), onEnd() {},
                follow: options => readers[options.topics[0]] = options.onRecord});
              document.querySelector('main').replaceChildren(node);
              readers.treasuries({key: 'bitcoin', value: {coin: 'bitcoin', amount: 2, at: 1000, value_usd: 9,
                entry_value_usd: 1, holders: 1, percentage_of_total_supply: 1, largest: []}});
              readers['holding.changes']({partition: 0, offset: 0, value: {entity: 'one', coin_id: 'bitcoin',
                origin: {observed_at: 8000}, position: {before: {amount: 1}, after: {amount: 2}}}});
              window.laterBy = by => {
                now += by;
                ticks.forEach(task => task());
              };
            })""");
    await().atMost(TIMEOUT).until(() -> ageAndTrades().equals("8s ago, 1"));

    browser.evaluate("window.laterBy(3000)");
    await().atMost(TIMEOUT).until(() -> ageAndTrades().equals("11s ago, 1"));

    browser.evaluate("window.laterBy(30 * 86_400_000)");
    await().atMost(TIMEOUT).until(() -> ageAndTrades().equals("30d ago, 0"));
  }

  private static String ageAndTrades() {
    return browser.evaluate("""
        document.querySelector('main dl.figures small').textContent.split('; ')[1] + ', '
            + document.querySelectorAll('main [aria-label^=Buys] tbody tr').length""").asText();
  }

  @Test
  @Order(11)
  void timeSinceTheLastTradeOfATicker_counts() {
    browser.evaluate(
        """
            import('/page/views/coin.js').then(m => {
              const ticks = [];
              const status = {sources: [{targets: []}]};
              let now = 9000;
              const node = m.show({parameters: {path: ['bitcoin']}, chosen: (name, otherwise = '') => otherwise, choose() {},
                now: () => now, every: (pause, task) => ticks.push(task), onEnd() {}, status,
                onStatus: listener => listener(status), follow: () => () => {},
                json: async address => ({name: 'Bitcoin', tickers: address.endsWith('=1') ? [{base: 'BTC', target: 'USD',
                  market: {identifier: 'x', name: 'X'}, last_traded_at: new Date(1000).toISOString()}] : []})});
              document.querySelector('main').replaceChildren(node);
              window.laterBy = by => {
                now += by;
                ticks.forEach(task => task());
              };
            })""");
    await().atMost(TIMEOUT).until(() -> traded().equals("8s ago"));

    browser.evaluate("window.laterBy(3000)");

    await().atMost(TIMEOUT).until(() -> traded().equals("11s ago"));
  }

  @Test
  @Order(11)
  void tickerThatChangedBeforeTheMirrorAnswered_keepsWhatBothSay() {
    browser.evaluate(
        """
            import('/page/views/coin.js').then(m => {
              const readers = {};
              const status = {sources: [{targets: []}]};
              const node = m.show({parameters: {path: ['bitcoin']}, chosen: (name, otherwise = '') => otherwise, choose() {},
                now: () => 9000, every() {}, onEnd() {}, status, onStatus: listener => listener(status),
                follow: options => {
                  readers[options.topics[0]] = options.onRecord;
                  return () => {};
                },
                json: address => new Promise(resolve => address.includes('/tickers') && (window.answer = () =>
                  resolve({name: 'Bitcoin', tickers: [{base: 'BTC', target: 'USD', market: {identifier: 'x', name: 'X'},
                    converted_last: {usd: 2}, is_anomaly: true}]})))});
              document.querySelector('main').replaceChildren(node);
              readers['ticker.changes']({value: {coin: 'bitcoin', market: 'x', base: 'BTC', target: 'USD',
                about: {price_usd: 3}}});
            })""");
    await().atMost(TIMEOUT).until(() -> priceAndState().equals("3.0000 "));

    browser.evaluate("window.answer()");

    await().atMost(TIMEOUT).until(() -> priceAndState().equals("3.0000 anomalous"));
  }

  private static String priceAndState() {
    return browser.evaluate("[2, 8].map(at => document.querySelector("
        + "`main [aria-label=Tickers] tbody td:nth-child(${at})`)?.textContent).join(' ')").asText();
  }

  private static String traded() {
    return browser
        .evaluate("document.querySelector('main [aria-label=Tickers] tbody td:nth-child(7)')?.textContent ?? ''")
        .asText();
  }

  @Test
  @Order(11)
  void sharesOfTheMarket_leaveTheChartAfterADay() {
    browser.evaluate(
        """
            import('/page/views/dominance.js').then(m => {
              const readers = {};
              const ticks = [];
              let now = 100_000_000;
              const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => now, onEnd() {},
                every: (pause, task) => ticks.push(task), json: () => new Promise(() => {}),
                follow: options => readers[options.topics[0]] = options.onRecord});
              document.querySelector('main').replaceChildren(node);
              [90_000_000, 99_000_000].forEach((at, place) => readers['global.changes']({value: {origin: {observed_at: at},
                dominance: {after: {market_cap_percentage: {btc: 50 + place}}}}}));
              window.laterBy = by => {
                now += by;
                ticks.forEach(task => task());
              };
            })""");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main .chart canvas') !== null"));
    assertThat(browser.isTrue("document.querySelector('main .chart').hidden")).isFalse();

    browser.evaluate("window.laterBy(80_000_000)");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main .chart').hidden"));
  }

  @Test
  @Order(11)
  void flatCandles_endAtTheNewestObservation() {
    browser.evaluate(
        """
            Promise.all([import('/page/views/candle-chart.js'), import('/page/text.js')]).then(([{candleChart}, {when}]) => {
              const readers = {};
              const observedAt = Math.floor(Date.now() / 60_000) * 60_000 - 7_200_000;
              const chart = candleChart({now: Date.now, chosen: (name, otherwise = '') => otherwise, choose() {}, every() {},
                onEnd() {}, status: {sources: [{targets: [{observedAt: null}, {observedAt: observedAt + 30_000}]}]},
                follow: options => {
                  readers[options.topics[0]] = options.onRecord;
                  return () => {};
                }}, 'pool');
              document.querySelector('main').replaceChildren(chart.node);
              chart.show('eth_0x1');
              readers['pool.candles.1m']({value: {interval: '1m', start: observedAt - 180_000, open: 1, high: 3, low: 1, close: 2}});
              window.lastCandle = `1m from ${when(observedAt)}: open 2.0000, high 2.0000, low 2.0000, close 2.0000 (no change)`;
            })""");

    await().atMost(TIMEOUT).untilAsserted(
        () -> assertThat(browser.evaluate("document.querySelector('main .legend').textContent").asText())
            .isEqualTo(browser.evaluate("window.lastCandle").asText()));
  }

  /** The records before that position are ignored, since they come again when the tab resumes. */
  @Test
  @Order(11)
  void positionThatComesWhileATabIsHidden_isIgnored() {
    var positions = browser.evaluate("""
        import('/page/feed.js').then(({Feed}) => {
          const posted = [];
          const real = window.SharedWorker;
          window.SharedWorker = class { port = {postMessage: message => posted.push(message)}; };
          const feed = new Feed({});
          window.SharedWorker = real;
          feed.follow({topic: 'alerts'});
          feed.follow({topic: 'pool.changes', isKept: true});
          const ping = position => feed.take({type: 'ping', positions: [[1, position], [2, position]]});
          ping('T.5');
          feed.suspend();
          ping('T.9');
          feed.resume();
          feed.take({type: 'unknown'});
          return posted.filter(each => each.type === 'follow').slice(-3).map(each => `${each.topic} ${each.position}`);
        })""");

    assertThat(positions).map(JsonNode::asText).containsExactly("alerts T.5", "alerts T.5", "pool.changes T.9");
  }

  @Test
  @Order(11)
  void targetThatIsNotWatchedAnyMore_leavesCoverage() {
    browser.evaluate(
        """
            import('/page/views/coverage.js').then(m => {
              const target = name => ({target: name, operation: 'pool', observedAt: 1000, previousObservedAt: null, asOf: null,
                members: 1, complete: true, contiguous: true, retry: null});
              const node = m.show({now: () => 9000, every() {}, follow() {}, chosen: (name, otherwise) => otherwise,
                onStatus: draw => window.watch = names => draw({health: [], sources: [{name: 's', status: 'polling',
                  budget: null, heartbeatAt: 1000, watchingSince: null, targets: names.map(target)}]})});
              document.querySelector('main').replaceChildren(node);
              window.watch(['/a', '/b']);
            })""");
    await().atMost(TIMEOUT).until(() -> names().equals("/a,/b"));

    browser.evaluate("window.watch(['/b'])");

    await().atMost(TIMEOUT).until(() -> names().equals("/b"));
  }

  private static String names() {
    return browser.evaluate("[...document.querySelectorAll('main tbody bdi.name')].map(each => each.textContent)"
        + ".sort().join()").asText();
  }

  @Test
  @Order(12)
  void changesOfCapsAndWindows_areFolded_untilTheSwitchShowsThem() {
    browser.evaluate("""
        import('/page/views/live.js').then(m => {
          const ticks = [];
          const node = m.show({now: () => 9000, every: (pause, task) => ticks.push(task), choose() {},
            chosen: (name, otherwise = '') => otherwise, follow: options => window.take = options.onRecord});
          document.querySelector('main').replaceChildren(node);
          const change = (place, facets) => window.take({topic: 'pool.changes', partition: 0, offset: place, key: 'k',
            timestamp: place, value: {network: 'eth', address: '0x1', about: {name: 'P' + place}, ...facets}});
          window.priceMoves = at => change(at, {
            price: {move_percent: 50, before: {base_token_price_usd: '2'}, after: {base_token_price_usd: '3'}},
            liquidity: {before: {reserve_in_usd: '1000'}, after: {reserve_in_usd: '2000'}}});
          window.capMoves = at => change(at, {valuation: {before: {fdv_usd: '2'}, after: {fdv_usd: '3'}}});
          window.reserveMoves = at => change(at, {
            liquidity: {before: {reserve_in_usd: '1000000'}, after: {reserve_in_usd: '1000001'}}});
          window.tick = () => ticks.forEach(each => each());
          window.capMoves(1);
          window.priceMoves(2);
          window.reserveMoves(3);
        })""");

    browser.evaluate("window.tick()");
    assertThat(rows()).isEqualTo("P3,P2");
    assertThat(browser.evaluate("document.querySelectorAll('main tbody tr td:nth-child(4)')[1].textContent").asText())
        .isEqualTo("price 2.0000 → 3.0000 +1");
    assertThat(browser.evaluate("document.querySelectorAll('main tbody tr td:nth-child(5)')[1].textContent").asText())
        .isEqualTo("+50.0%");
    assertThat(browser.evaluate("document.querySelectorAll('main tbody tr td:nth-child(4)')[0].textContent").asText())
        .isEqualTo("liquidity $1.000000M → $1.000001M +0.00010%");
    assertThat(browser.evaluate("document.querySelectorAll('main tbody tr td:nth-child(5)')[0].textContent").asText())
        .isEmpty();
    var button = "[...document.querySelectorAll('main .tools button')].find(each => each.ariaPressed !== null"
        + " && each.textContent.startsWith('Caps'))";
    assertThat(browser.evaluate(button + ".textContent").asText()).isEqualTo("Caps and windows: 1 folded");

    browser.evaluate(button + ".click()");
    browser.evaluate("window.capMoves(4)");
    browser.evaluate("window.tick()");

    assertThat(rows()).isEqualTo("P4,P3,P2,P1");
  }

  @Test
  @Order(13)
  void choices_areInTheAddress_andBackRestoresThem() {
    show("#/live");
    browser.evaluate("[...document.querySelectorAll('main .choice button')].find(each => each.textContent === 'Pools')"
        + ".click()");
    type("name, symbol or key", "sol");
    assertThat(browser.evaluate("location.hash").asText()).isEqualTo("#/live?resources=pool&text=sol");

    browser.open(page.address() + "/#/live?resources=pool&text=sol");
    await().atMost(TIMEOUT).until(() -> chosenResources().equals("Pools"));
    assertThat(browser.evaluate("document.querySelector('main input[type=search]').value").asText()).isEqualTo("sol");

    show("#/new");
    browser.evaluate("[...document.querySelectorAll('main thead button')].find(each => each.textContent === 'Price')"
        + ".click()");
    assertThat(browser.evaluate("location.hash").asText()).isEqualTo("#/new?sort=-Price");
    browser.evaluate("history.back()");
    await().atMost(TIMEOUT).until(() -> browser.evaluate("location.hash").asText().equals("#/new"));
    await().atMost(TIMEOUT)
        .until(() -> browser.isTrue("document.querySelector('main th[aria-sort] button')?.textContent"
            + " === 'Age'"));
  }

  private static void type(String placeholder, String text) {
    browser.evaluate("(field => { field.value = '" + text + "'; field.dispatchEvent(new Event('input')); })"
        + "(document.querySelector('main input[placeholder=\"" + placeholder + "\"]'))");
  }

  private static String chosenResources() {
    return browser.evaluate("document.querySelector('main .choice [aria-pressed=true]')?.textContent ?? ''").asText();
  }

  @Test
  @Order(13)
  void markedPool_isOnMyList_whichOpensFirst() {
    show("#/new");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main tbody .star')"));
    var pool = browser.evaluate("(row => { row.querySelector('.star').click(); return row.querySelector('a').hash; })"
        + "(document.querySelector('main tbody tr'))").asText();

    browser.open(page.address() + "/#/coverage");
    browser.open(page.address() + "/");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main')?.dataset.view === 'mine'"));
    await().atMost(TIMEOUT)
        .until(() -> browser.evaluate("document.querySelector('main tbody a')?.hash ?? ''").asText().equals(pool));

    browser.evaluate("document.querySelector('main tbody .star').click()");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main tbody tr') === null"));
  }

  @Test
  @Order(13)
  void markedTreasury_isOnMyList() {
    show("#/treasuries");
    var holders = "main [aria-label='Largest holders']";
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector(\"" + holders + " .star\")"));
    browser.evaluate("document.querySelector(\"" + holders + " .star\").click()");

    show("#/mine");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main tbody .star')"));
    browser.evaluate("document.querySelector('main tbody .star').click()");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelector('main tbody tr') === null"));
  }

  @Test
  @Order(13)
  void tableUnderTheMouse_staysAsItIs() {
    var keys = browser.evaluate("""
        import('/page/table.js').then(async ({LiveTable}) => {
          const table = new LiveTable({caption: 'Test', order: 'N', columns: [
            {title: 'N', sort: row => row.n, cell: row => String(row.n)}]});
          document.querySelector('main').replaceChildren(table.node);
          const drawn = () => [...table.node.querySelectorAll('tbody td')].map(cell => cell.textContent).join();
          const soon = () => new Promise(resolve => setTimeout(() => requestAnimationFrame(resolve), 300));
          const mouse = type => table.node.dispatchEvent(new PointerEvent(type, {pointerType: 'mouse'}));
          table.set('a', {n: 1});
          table.set('b', {n: 2});
          await soon();
          mouse('pointerenter');
          table.set('a', {n: 3});
          table.set('c', {n: 4});
          await soon();
          const held = drawn();
          mouse('pointerleave');
          await soon();
          return [held, drawn(), table.csv()];
        })""");

    assertThat(keys).map(JsonNode::asText).containsExactly("2,3", "4,3,2", "N\r\n4\r\n3\r\n2\r\n");
  }

  @Test
  @Order(13)
  void notices_showAlertsAsSevereAsChosen_once() {
    var shown = browser.evaluate(
        """
            import('/page/notices.js').then(async ({chooseNotices, showNotices}) => {
              const shown = [];
              const real = window.Notification;
              window.Notification = class {
                static permission = 'granted';
                static requestPermission = async () => 'granted';
                constructor(title, {body, tag}) { shown.push([title, body, tag].join('|')); }
              };
              let follow = null;
              showNotices({follow: options => { follow = options; return () => follow = null; }}, () => 100_000);
              const chosen = await chooseNotices('warning');
              const alert = (id, status, severity, more) => follow.onRecord({timestamp: 90_000,
                  value: {id, status, severity, rule: 'r', summary: 's', ...more}});
              alert('a', 'firing', 'critical');
              alert('b', 'fired', 'warning');
              alert('c', 'firing', 'info');
              alert('d', 'resolved', 'critical');
              alert('e', 'firing', 'critical', {silenced: true});
              follow.onRecord({timestamp: -90_000, value: {id: 'f', status: 'firing', severity: 'critical', rule: 'r', summary: 's'}});
              await chooseNotices('none');
              window.Notification = real;
              return [chosen, ...shown, String(follow)];
            })""");

    assertThat(shown).map(JsonNode::asText)
        .containsExactly("warning",
            "Notices are on|Alerts of severity warning or higher are shown like this.|chosen", "critical: r|s|a",
            "warning: r|s|b", "null");
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '"', value = {
    "class { static permission = 'granted'; static requestPermission = async () => 'granted'; }, critical critical",
    "class { static permission = 'granted'; static requestPermission = async () => 'granted'; constructor() { throw new TypeError(); } }, none none",
    "class { static permission = 'denied'; static requestPermission = async () => 'granted'; }, critical none",
    "undefined, none none"})
  @Order(13)
  void chosenNotices_areThoseThatTheBrowserCanShow(String notification, String chosen) {
    var choices = browser.evaluate("""
        import('/page/notices.js').then(async ({chooseNotices, chosenNotices}) => {
          const real = window.Notification;
          window.Notification = %s;
          const chosen = [await chooseNotices('critical'), chosenNotices()];
          await chooseNotices('none');
          window.Notification = real;
          return chosen.join(' ');
        })""".formatted(notification));

    assertThat(choices.asText()).isEqualTo(chosen);
  }

  @Test
  @Order(13)
  void priceAlert_isARuleThatCanBeApplied() {
    var text = browser.evaluate("""
        import('/page/price-alert.js').then(m => [m.priceRule({network: 'solana', address: 'So1"ana'}, 'above', 2),
            ...['bitcoin', 'wrapped-bitcoin', 'wrapped-bitcoin-universal', 'x'.repeat(60) + 'a', 'x'.repeat(60) + 'b']
                .map(coin => m.coinPriceRule(coin, 'below', 1e5).replace('rules:\\n', ''))].join(''))""").asText();

    var rules =
        RuleSetReader.read(List.of(new RuleDocument("mine.yaml", text)), page.topics().ruleSchemas(), List.of());

    assertThat(rules.rules()).map(Rule::name).startsWith("price-above-2-solana-so1-ana", "price-below-100000-bitcoin",
        "price-below-100000-wrapped-bitcoin", "price-below-100000-wrapped-bitcoin-universal").hasSize(6);
  }

  @Test
  @Order(13)
  void levelWithAComma_isExplained() {
    var said = browser.evaluate("""
        import('/page/price-alert.js').then(m => {
          const scope = {json: () => Promise.reject(new Error()), every() {}, now: Date.now, follow() {}};
          const form = m.poolPriceAlertForm(scope, {network: 'eth', address: '0x1'}, () => 2);
          return ['', '0,0045', '0.0045'].map(text => {
            form.querySelector('input').value = text;
            form.querySelector('input').dispatchEvent(new Event('input'));
            return form.querySelector('p.muted').textContent;
          });
        })""");

    assertThat(said).map(JsonNode::asText).containsExactly("The price is 2.0000.",
        "The level is a number above 0 with a decimal point, such as 0.0045.", "Reading the last hour.");
  }

  @Test
  @Order(13)
  void alerts_showOpenOnesFirst_andSayHowManyAreNotShown() {
    browser.evaluate("""
        import('/page/views/alerts.js').then(({show}) => {
          const follows = [];
          const view = show({now: () => 1e12, chosen: (choice, otherwise = '') => otherwise, choose() {}, every() {},
            follow: ({onRecord}) => follows.push(onRecord)});
          view.id = 'many-alerts';
          document.body.append(view);
          const take = (id, status, age) => follows[0]({key: id, value: {id, status, fingerprint: id, severity: 'info',
            rule: id, subject: 's', summary: 's', event_time: 1e12 - age, evidence: []}});
          take('open-1', 'pending', 3_000_000);
          take('open-2', 'firing', 2_000_000);
          for (let at = 0; at < 1_010; at++) {
            take(`event-${at}`, 'fired', 1_000_000 - at);
          }
        })""");

    await().atMost(TIMEOUT)
        .until(() -> browser.isTrue("document.querySelectorAll('#many-alerts .card').length === 150"));
    var shown = browser.evaluate(
        """
            (view => {
              const said = [...[...view.querySelectorAll('.card')].slice(0, 3).map(card => card.querySelector('span.muted').textContent),
                view.querySelector('.tools').textContent, view.lastChild.textContent];
              view.remove();
              return said;
            })(document.getElementById('many-alerts'))""");

    assertThat(shown).map(JsonNode::asText).containsExactly("open-2", "open-1", "event-1009",
        "1 firing, more than 1,002 in the last 24 hours",
        "852 more are not shown; choose a status, a severity or a name. Of those that ended, only the newest 1,000 are here.");
  }

  @Test
  @Order(13)
  void crossings_areCountedWithinTheHour() {
    var counts = browser.evaluate(
        """
            import('/page/price-alert.js').then(m => {
              const bars = [[0, 1], [5000, 1], [5060, 3], [5120, 3], [5180, 1], [5240, 2]].map(([time, close]) => ({time, close}));
              return [m.crossings(bars, 'above', 2, 6000000), m.crossings(bars, 'below', 2, 6000000), m.crossings(bars, 'above', 2, 9e9)];
            })""");

    assertThat(counts).map(JsonNode::asInt).containsExactly(2, 1, 0);
  }

  /** The address of the feed that all tabs share has at most 8 KiB, or the server refuses it. */
  @Test
  @Order(13)
  void keysOfManyTabs_areLeftOutOfTheAddress() {
    var lengths = browser.evaluate(
        """
            import('/page/hub.js').then(async ({Hub}) => {
              const ask = window.fetch;
              const asked = [];
              window.fetch = address => { asked.push(address); return new Promise(() => {}); };
              const topics = ['pool.candles.1m', 'pool.candles.open', 'trending', 'pool.changes', 'alerts'];
              const addressOf = async tabs => {
                const hub = new Hub();
                for (let tab = 0; tab < tabs; tab++) {
                  hub.take(tab, () => {}, {type: 'hello'});
                  topics.forEach((topic, id) => hub.take(tab, () => {},
                    {type: 'follow', id, topic, from: 'now', key: `solana_${tab}_${'x'.repeat(40)}`, position: ''}));
                }
                while (asked.length === 0) {
                  await new Promise(resolve => setTimeout(resolve, 0));
                }
                for (let tab = 0; tab < tabs; tab++) {
                  hub.take(tab, () => {}, {type: 'bye'});
                }
                return asked.pop();
              };
              const addresses = [await addressOf(5), await addressOf(40)];
              window.fetch = ask;
              return addresses.map(each => [each.length, each.split('key.').length - 1]);
            })""");

    assertThat(lengths.get(0).get(1).asInt()).isEqualTo(25);
    assertThat(lengths.get(1).get(0).asInt()).isLessThan(4_000);
    assertThat(lengths.get(1).get(1).asInt()).isZero();
  }

  @Test
  @Order(13)
  void networks_areThoseOfTheFirstSource() {
    var networks = browser.evaluate("""
        import('/page/views/pools.js').then(m => m.networksOf({sources: [
          {targets: [{target: '/networks/solana/new_pools', operation: 'new_pools'}]},
          {targets: [{target: '/networks/base/new_pools', operation: 'new_pools'}]}]}, 'new_pools'))""");

    assertThat(networks).map(JsonNode::asText).containsExactly("solana");
  }

  @Test
  @Order(13)
  void csv_isQuoted_andHasNoFormula() {
    var text = browser.evaluate("import('/page/table.js').then(m => m.csvOf([['a,\"b\"', '=1+1', '-5', 1.5, null]]))");

    assertThat(text.asText()).isEqualTo("\"a,\"\"b\"\"\",'=1+1,-5,1.5,\r\n");
  }

  @Test
  @Order(13)
  void recentChanges_countThoseThatNobodySaw_andKeepOneOfEachResource() {
    var counts = browser.evaluate(
        """
            import('/page/recent-changes.js').then(({RecentChanges}) => {
              const changes = new RecentChanges(1000, 150);
              const add = (from, count) => Array.from({length: count}, (_, at) => changes.add({at: from + at, topic: 't', key: at % 3}));
              const all = () => true;
              add(0, 400);
              changes.newest(all, false);
              const before = changes.unseen;
              add(400, 250);
              const shown = changes.newest(all, false);
              return [before, changes.unseen, shown.length, shown[0].at, changes.newest(all, true).map(each => each.at).join()];
            })""");

    assertThat(counts).map(JsonNode::asText).containsExactly("0", "100", "150", "649", "649,648,647");
  }

  @Test
  @Order(13)
  void rareChangesThatPassTheFilter_stay_howeverManyOthersCome() {
    var shown = browser.evaluate(
        """
            import('/page/recent-changes.js').then(({RecentChanges}) => {
              const changes = new RecentChanges(1000, 3);
              const rare = row => row.kind === 'rare';
              const rareAt = () => changes.newest(rare, false).map(each => each.at).join();
              let at = 0;
              const add = (kind, count) => Array.from({length: count}, () => changes.add({at: at++, topic: 't', key: at, kind}, rare));
              add('rare', 2);
              const shown = [rareAt()];
              add('often', 2500);
              shown.push(rareAt());
              add('rare', 1);
              add('often', 1500); // nothing is drawn meanwhile
              shown.push(rareAt(), changes.unseen);
              add('rare', 3);
              shown.push(rareAt());
              return shown;
            })""");

    assertThat(shown).map(JsonNode::asText)
        .containsExactly("1,0", "1,0", "2502,1,0", "0", "4005,4004,4003");
  }

  @Test
  @Order(13)
  void coverage_forgetsWhatIsOlderThanTenMinutes() {
    browser.evaluate(
        """
            import('/page/views/coverage.js').then(m => {
              let now = 1_000_000;
              const readers = {};
              const status = {health: [], sources: [{name: 's', status: 'polling', budget: null, heartbeatAt: now,
                watchingSince: null, targets: [{target: '/a', operation: 'new_pools', observedAt: 995_000, asOf: null,
                previousObservedAt: 994_000, members: 1, complete: true, contiguous: true, retry: null}]}]};
              const node = m.show({now: () => now, every() {}, chosen: (name, otherwise) => otherwise,
                follow: options => readers[options.topics[0]] = options, onStatus: draw => window.drawCoverage = draw});
              readers['target.state'].onRecord({value: {target: '/a', operation: 'new_pools', observed_at: 900_000,
                previous_observed_at: 840_000, as_of: 898_000, complete: true, changed: true, missed: 3}});
              readers['target.state'].onRecord({value: {target: '/a', operation: 'new_pools', observed_at: 900_000,
                previous_observed_at: 840_000, as_of: null, complete: false, changed: true, missed: 3}});
              readers['pool.listing'].onRecord({value: {kind: 'new', action: 'entered', pool: 'p',
                origin: {baseline: false, observed_at: 950_000}}});
              Object.values(readers).forEach(each => each.onCaughtUp?.());
              document.querySelector('main').replaceChildren(node);
              window.coverageAt = at => {
                now = at;
                window.drawCoverage(status);
                return ['After refresh', 'New pools observed'].map(title =>
                  [...node.querySelectorAll('dt')].find(each => each.textContent === title).nextSibling.textContent).join();
              };
            })""");

    assertThat(browser.evaluate("window.coverageAt(1000000)").asText())
        .isEqualTo("2smedian; p95 2s, 10 minutes,25.0%1 observed, about 3 missed, 10 minutes");
    await().atMost(TIMEOUT).until(() -> longestGap().equals("60s"));

    assertThat(browser.evaluate("window.coverageAt(1550000)").asText())
        .isEqualTo("–no change of a body in 10 minutes,–no new pool in 10 minutes");
    await().atMost(TIMEOUT).until(() -> longestGap().equals("1s"));
  }

  private static String longestGap() {
    return browser.evaluate("document.querySelector('main tbody td:nth-child(3)')?.textContent ?? ''").asText();
  }

  @Test
  @Order(13)
  void alertsOfATimeWithoutConnection_areToldAfterIt_manyAsOneNotice() {
    var shown = browser.evaluate(
        """
            Promise.all([import('/page/notices.js'), import('/page/text.js')]).then(async ([{chooseNotices, showNotices}, {moment}]) => {
              const shown = [];
              const due = [];
              const real = {Notification: window.Notification, setTimeout: window.setTimeout, now: Date.now};
              let time = 0;
              window.Notification = class {
                static permission = 'granted';
                static requestPermission = async () => 'granted';
                constructor(title, {body, tag}) { shown.push([title, body, tag].join('|')); }
              };
              let follow = null;
              showNotices({follow: options => { follow = options; return () => follow = null; }}, () => time + 500_000);
              await chooseNotices('none');
              window.setTimeout = task => due.push(task);
              Date.now = () => time;
              const alert = (id, timestamp, severity = 'critical') => follow.onRecord({timestamp,
                  value: {id, status: 'firing', severity, rule: 'r' + id, summary: 's'}});
              const tell = () => due.splice(0).forEach(task => task());
              await chooseNotices('warning');
              time = 28_800_000; // eight hours asleep
              alert('before', 300_000);
              alert('a', 900_000);
              alert('info', 900_000, 'info');
              alert('now', 29_299_000);
              tell();
              ['b', 'c', 'd', 'e'].forEach((id, at) => alert(id, 1_000_000 + at));
              tell();
              Object.assign(window, {Notification: real.Notification, setTimeout: real.setTimeout});
              Date.now = real.now;
              await chooseNotices('none');
              return [...shown.map(each => each.replaceAll(moment(900_000, 29_300_000), 'A').replaceAll(moment(1_000_000, 29_300_000), 'B'))];
            })""");

    assertThat(shown).map(JsonNode::asText).containsExactly(
        "Notices are on|Alerts of severity warning or higher are shown like this.|chosen", "critical: rnow|s|now",
        "critical: ra|A: s|a",
        "4 alerts since B|critical: rb, critical: rc, critical: rd, critical: re|late");
  }

  @ParameterizedTest
  @CsvSource({"150, 45, 3, 45", "20, 20, 1, 20", "150, 40, 3, 40", "0, 45, 1, 20", ", 45, 3, 45", ", 400, 10, 200"})
  @Order(13)
  void list_isReadPageByPage(@Nullable Integer members, int watched, int requests, int pools) {
    var read = browser.evaluate(
        """
            import('/page/pages.js').then(async ({readPools}) => {
              const asked = [];
              const status = {sources: [{targets: [{target: '/other', members: 1}, {target: '/list', members: %s}]}]};
              const pools = await readPools({status, json: async address => {
                asked.push(address);
                const from = 20 * (asked.length - 1);
                if (from >= %d) {
                  throw Object.assign(new Error('not watched'), {status: 404});
                }
                return {data: Array.from({length: Math.min(20, %d - from)}, (_, at) => ({id: from + at}))};
              }}, '/a?b=c', target => %s && target === '/list');
              return [asked.at(-1), asked.length, pools.length];
            })""".formatted(members, watched, watched, members != null));

    assertThat(read).map(JsonNode::asText)
        .containsExactly("/a?b=c&page=" + requests, String.valueOf(requests), String.valueOf(pools));
  }

  @Test
  @Order(13)
  void trendingList_hasThePoolsOfAllPages_eachOnce() {
    browser.evaluate("""
        import('/page/views/trending.js').then(m => {
          const status = {sources: [{targets: [
            {target: '/networks/eth/trending_pools?duration=1h', operation: 'trending_pools', members: 22}]}]};
          const pool = at => ({id: `eth_${at}`, attributes: {address: `${at}`, name: `P${at}`}});
          const node = m.show({
            chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => 9000, every() {}, follow() {}, status,
            json: async address => ({data: Array.from({length: address.endsWith('=1') ? 20 : 3}, (_, at) =>
              pool(address.endsWith('=1') ? at + 1 : at + 20))}),
            onStatus: listener => listener(status),
          });
          document.querySelector('main').replaceChildren(node);
        })""");

    await().atMost(TIMEOUT).until(() -> browser.evaluate(
        "[...document.querySelectorAll('main tbody td:nth-child(1)')].slice(18).map(each => each.textContent).join()")
        .asText().equals("19,20,21,22"));
  }

  @Test
  @Order(13)
  void tableThatDrawsSomeOfItsRows_saysOfHowMany() {
    var texts = browser.evaluate("""
        import('/page/table.js').then(async ({LiveTable}) => {
          const table = new LiveTable({caption: 'Test', order: 'N', limit: 2, columns: [
            {title: 'N', sort: row => row.n, cell: row => String(row.n)}]});
          document.querySelector('main').replaceChildren(table.node);
          const soon = () => new Promise(resolve => setTimeout(() => requestAnimationFrame(resolve), 300));
          const note = () => table.node.lastElementChild.hidden ? '' : table.node.lastElementChild.textContent;
          [1, 2, 3].forEach(n => table.set(n, {n}));
          await soon();
          const cut = note();
          table.delete(2);
          await soon();
          return [cut, note()];
        })""");

    assertThat(texts).map(JsonNode::asText).containsExactly("The first 2 of 3 rows, in this order.", "");
  }

  @Test
  @Order(13)
  void tableWhoseFilterNoRowPasses_saysSo() {
    var texts = browser.evaluate(
        """
            import('/page/table.js').then(async ({LiveTable}) => {
              const table = new LiveTable({caption: 'Test', empty: 'Reading.', columns: [{title: 'N', cell: row => `${row}`}]});
              document.querySelector('main').replaceChildren(table.node);
              const note = table.node.querySelector('.notice');
              const said = [];
              const say = async () => {
                await new Promise(resolve => setTimeout(() => requestAnimationFrame(resolve), 300));
                said.push(note.hidden ? '' : note.textContent);
              };
              await say();
              table.set(1, 1);
              table.set(2, 2);
              await say();
              table.refresh(() => false);
              await say();
              table.sayIfEmpty('There is none.');
              table.clear();
              await say();
              return said;
            })""");

    assertThat(texts).map(JsonNode::asText)
        .containsExactly("Reading.", "", "None of the 2 rows passes these filters.", "There is none.");
  }

  @Test
  @Order(13)
  void alertsOfWhichNonePassesTheFilters_areNotDenied() {
    browser.evaluate(
        """
            import('/page/views/alerts.js').then(m => {
              const readers = {};
              const node = m.show({chosen: (name, otherwise = '') => name === 'severity' ? 'critical' : otherwise, choose() {},
                now: () => 9000, every() {}, follow: options => readers[options.topics[0]] = options.onRecord});
              document.querySelector('main').replaceChildren(node);
              readers.alerts({value: {id: 'a', fingerprint: 'a', rule: 'r', status: 'firing', severity: 'warning',
                event_time: 1000, subject: 's', summary: 't', evidence: [], labels: {}}});
            })""");

    await().atMost(TIMEOUT).until(() -> browser.evaluate("document.querySelector('main').textContent").asText()
        .contains("None of the 1 alert passes these filters."));
  }

  @Test
  @Order(13)
  void alertsOfMoreThanADayAgo_areForgotten_unlessTheyFire() {
    browser.evaluate("""
        import('/page/views/alerts.js').then(m => {
          const readers = {};
          let now = 1_000_000;
          const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => now,
            every: (pause, task) => pause === 60_000 && (window.nextDay = () => { now += 86_400_000; task(); }),
            follow: options => readers[options.topics[0]] = options.onRecord});
          const alert = (id, status) => readers.alerts({value: {id, fingerprint: id, rule: 'r', status,
            severity: 'warning', event_time: 900_000, subject: 's', summary: 't', evidence: [], labels: {}}});
          alert('a', 'firing');
          alert('b', 'fired');
          document.querySelector('main').replaceChildren(node);
        })""");
    await().atMost(TIMEOUT).until(() -> alertCounts().equals("1 firing, 2 in the last 24 hours"));

    browser.evaluate("window.nextDay()");

    await().atMost(TIMEOUT).until(() -> alertCounts().equals("1 firing, 0 in the last 24 hours"));
    assertThat(browser.evaluate("document.querySelectorAll('main details.card').length").asInt()).isEqualTo(1);
  }

  private static String alertCounts() {
    return browser.evaluate("document.querySelector('main .heading .tools .muted')?.textContent ?? ''").asText();
  }

  @Test
  @Order(13)
  void newPools_leaveAfterSixHours() {
    browser.evaluate("""
        import('/page/views/new-pools.js').then(m => {
          let now = 1_000_000_000;
          const readers = {};
          const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => now, onStatus() {},
            every: (pause, task) => pause === 1000 && (window.laterBy = by => { now += by; task(); }),
            follow: options => readers[options.topics[0]] = options.onRecord});
          readers['pool.changes']({key: 'eth_a', value: {network: 'eth', address: 'a', appeared: {kind: 'created'},
            about: {name: 'A', created_at: now}}});
          document.querySelector('main').replaceChildren(node);
        })""");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length === 1"));

    browser.evaluate("window.laterBy(21_600_001)");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("document.querySelectorAll('main tbody tr').length === 0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"new-pools", "mine"})
  @Order(13)
  void poolThatChangedBeforeTheMirrorAnswered_keepsWhatBothSay(String view) {
    browser.evaluate(
        """
            Promise.all([import('/page/views/%s.js'), import('/page/storage.js')]).then(([m, {remember}]) => {
              const takers = [];
              const createdAt = Date.now() - 60_000;
              const status = {sources: [{targets: [{target: '/networks/eth/new_pools', operation: 'new_pools'}]}]};
              const pool = {id: 'eth_1', attributes: {address: '1', name: 'P', base_token_price_usd: '2', fdv_usd: '5000000',
                pool_created_at: new Date(createdAt).toISOString()}};
              remember('marked', [{kind: 'pool', network: 'eth', address: '1', name: 'P'}]);
              const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, title() {}, now: Date.now,
                every() {}, onEnd: end => end(), status, onStatus: listener => listener(status),
                json: address => new Promise(resolve => window.answer = () =>
                  resolve({data: address.includes('/new_pools') ? [pool] : pool})),
                follow: options => {
                  if (options.topics[0] === 'pool.changes') {
                    takers.push(options.onRecord);
                  }
                  return () => {};
                }});
              remember('marked', []);
              document.querySelector('main').replaceChildren(node);
              takers.forEach(take => take({key: 'eth_1', value: {network: 'eth', address: '1',
                about: {name: 'P', price_usd: 3, reserve_usd: 7, created_at: new Date(createdAt).toISOString()}}}));
            })"""
            .formatted(view));
    await().atMost(TIMEOUT).until(() -> figures().equals("3.0000 $7 –"));

    browser.evaluate("window.answer()");

    await().atMost(TIMEOUT).until(() -> figures().equals("3.0000 $7 $5.00M"));
  }

  private static String figures() {
    return browser.evaluate("""
        (table => ['Price', 'Liquidity', 'FDV'].map(title => table?.querySelector('tbody td:nth-child('
            + ([...table.querySelectorAll('thead tr > *')].findIndex(each => each.textContent === title) + 1)
            + ')')?.textContent).join(' '))(document.querySelector('main table'))""").asText();
  }

  @Test
  @Order(13)
  void rarePoolThatPassesTheFilters_stays_howeverManyOthersCome() {
    browser.evaluate("""
        import('/page/views/new-pools.js').then(m => {
          const readers = {};
          const node = m.show({chosen: (name, otherwise = '') => name === 'network' ? 'eth' : otherwise, choose() {},
            now: () => 1_000_000_000, onStatus() {}, every() {},
            follow: options => readers[options.topics[0]] = options.onRecord});
          const create = (network, at) => readers['pool.changes']({key: `${network}_${at}`, value: {network,
            address: `${at}`, appeared: {kind: 'created'}, about: {name: `P${at}`, created_at: 999_000_000 + at}}});
          create('eth', 0);
          for (let at = 1; at <= 500; at++) {
            create('solana', at);
          }
          document.querySelector('main').replaceChildren(node);
        })""");

    await().atMost(TIMEOUT).until(() -> browser.isTrue(
        "[...document.querySelectorAll('main tbody tr')].map(row => row.textContent.includes('P0')).join() === 'true'"));
  }

  /** Shows a pool's view without data; {@code takeChange} is its reader of changes. */
  private static void showPoolAlone() {
    browser.evaluate(
        """
            import('/page/views/pool.js').then(m => {
              const node = m.show({parameters: {path: ['eth', '0x1']}, chosen: (name, otherwise = '') => otherwise, choose() {},
                title: text => document.title = `${text} · Tidemark`, now: () => 9000, every() {}, onEnd() {},
                json: async () => { throw new Error('none'); },
                follow: options => {
                  if (options.topics[0] === 'pool.changes') {
                    window.keptKey = options.isKept ? options.key : null;
                    window.takeChange = (at, facets) => options.onRecord({topic: 'pool.changes', key: 'eth_0x1', timestamp: at,
                      value: {network: 'eth', address: '0x1', origin: {observed_at: at}, about: {name: 'P', price_usd: 2}, ...facets}});
                  }
                  return () => {};
                }});
              document.querySelector('main').replaceChildren(node);
            })""");
  }

  @Test
  @Order(13)
  void poolThatIsNotVisibleOrRemoved_isMarked_untilAChangeSaysOtherwise() {
    showPoolAlone();

    browser.evaluate("window.takeChange(1000, {visibility: {visible: false}})");
    await().atMost(TIMEOUT).until(() -> poolState().equals("not visible, 2.0000 P · Tidemark"));
    browser.evaluate("window.takeChange(2000, {removed: {}})");
    await().atMost(TIMEOUT).until(() -> poolState().equals("removed, P · Tidemark"));
    browser.evaluate("window.takeChange(3000, {visibility: {visible: true}})");
    await().atMost(TIMEOUT).until(() -> poolState().equals(", 2.0000 P · Tidemark"));
  }

  @Test
  @Order(13)
  void priceThatIsNotKnownAnyMore_leavesThePool() {
    showPoolAlone();

    browser.evaluate("window.takeChange(1000, {})");
    await().atMost(TIMEOUT).until(() -> poolPrice().equals("$2.0000"));
    browser.evaluate("window.takeChange(2000, {price: {after: {base_token_price_usd: null}},"
        + " about: {name: 'P', price_usd: null}})");
    await().atMost(TIMEOUT).until(() -> poolPrice().equals("$–"));
  }

  private static String poolPrice() {
    return browser.evaluate("document.querySelector('main .price').textContent").asText();
  }

  private static String poolState() {
    return browser.evaluate("[...document.querySelectorAll('main .named .chip')].map(each => each.textContent).join()"
        + " + ', ' + document.title").asText();
  }

  @Test
  @Order(13)
  void pricesInTheTitleOfATab_areFollowedWhileItIsHidden() {
    showPoolAlone();
    assertThat(browser.evaluate("window.keptKey").asText()).isEqualTo("eth_0x1");

    var titles = browser.evaluate(
        """
            import('/page/storage.js').then(async ({remember}) => {
              const {show} = await import('/page/views/mine.js');
              const pool = address => ({kind: 'pool', network: 'eth', address, name: `P${address}`});
              remember('marked', [pool('1'), pool('2')]);
              const kept = new Map();
              show({chosen: (name, otherwise = '') => otherwise, choose() {}, title() {}, now: () => 9000, every() {}, onEnd() {},
                json: () => new Promise(() => {}), follow: ({key, isKept, onRecord}) => {
                  if (isKept) {
                    kept.set(key, onRecord);
                  }
                  return () => kept.delete(key);
                }});
              const keys = [...kept.keys()].join();
              kept.get('eth_1')({key: 'eth_1', value: {address: '1', about: {price_usd: 3}}});
              remember('marked', [pool('2')]);
              const {star} = await import('/page/watchlist.js');
              star(pool('3')).click();
              const left = [...kept.keys()].join();
              remember('marked', []);
              return [keys, left];
            })""");

    assertThat(titles).map(JsonNode::asText).containsExactly("eth_1", "eth_2");
  }

  @Test
  @Order(13)
  void poolThatWasLeftBeforeTheMirrorAnswered_doesNotNameTheTab() {
    show("#/overview");
    browser.evaluate("""
        window.realFetch = window.fetch;
        window.fetch = (address, options) => !address.includes('/pools/0x1') ? window.realFetch(address, options)
            : new Promise(resolve => window.answer = () => resolve(new Response(JSON.stringify({data: {attributes: {
                name: 'P', base_token_price_usd: '2'}}}))));""");
    show("#/pool/eth/0x1");
    await().atMost(TIMEOUT).until(() -> browser.isTrue("window.answer"));
    browser.evaluate("window.poolName = document.querySelector('main h1')");
    show("#/coverage");

    browser.evaluate("window.answer()");

    await().atMost(TIMEOUT).until(() -> browser.evaluate("window.poolName.textContent").asText().equals("P"));
    browser.evaluate("window.fetch = window.realFetch");
    assertThat(browser.evaluate("document.title").asText()).isEqualTo("Coverage · Tidemark");
  }

  @Test
  @Order(13)
  void contractWhoseSymbolHasASlash_isOneRow() {
    browser.evaluate(
        """
            import('/page/views/coin.js').then(m => {
              const readers = {};
              const status = {sources: [{targets: [{target: '/derivatives/exchanges/deribit', operation: 'derivatives_exchange'}]}]};
              const node = m.show({parameters: {path: ['bitcoin']}, chosen: (name, otherwise = '') => otherwise, choose() {},
                now: () => 9000, every() {}, onEnd() {}, status, onStatus: listener => listener(status),
                json: async address => address.includes('/derivatives/')
                  ? {tickers: [{coin_id: 'bitcoin', symbol: 'BTC/USD 5%', contract_type: 'perpetual', last: '2'}]}
                  : {name: 'Bitcoin', tickers: []},
                follow: options => readers[options.topics[0]] = options.onRecord});
              document.querySelector('main').replaceChildren(node);
              window.changeContract = last => readers['contract.changes']({key: 'deribit/BTC%2FUSD%205%25', value: {
                exchange: 'deribit', symbol: 'BTC/USD 5%', about: {coin_id: 'bitcoin', last}}});
            })""");
    await().atMost(TIMEOUT).until(() -> contracts().equals("2.0000"));

    browser.evaluate("window.changeContract(3)");

    await().atMost(TIMEOUT).until(() -> contracts().equals("3.0000"));
  }

  private static String contracts() {
    return browser.evaluate("[...document.querySelectorAll('main [aria-label=Derivatives] tbody tr td:nth-child(2)')]"
        + ".map(each => each.textContent).join()").asText();
  }

  @Test
  @Order(13)
  void coverageOfTwoSources_hasTheTargetsAndFeedsOfTheFirst() {
    var shown = browser.evaluate(
        """
            import('/page/views/coverage.js').then(m => {
              const source = (name, target) => ({name, status: 'polling', budget: null, heartbeatAt: 1000, watchingSince: null,
                targets: [{target, operation: 'pool', observedAt: 1000, previousObservedAt: null, asOf: null, members: 1,
                  complete: true, contiguous: true, retry: null}]});
              const node = m.show({now: () => 9000, every() {}, follow() {}, chosen: (name, otherwise) => otherwise,
                onStatus: draw => draw({health: [], sources: [source('one', '/a'), source('two', '/b')]})});
              document.querySelector('main').replaceChildren(node);
              return [...node.querySelectorAll('dl.figures')].map(each =>
                [...each.querySelectorAll('dt')].map(title => title.textContent).join());
            })""");

    assertThat(shown).map(JsonNode::asText).containsExactly(
        "Staleness,After refresh,New pools observed,Dead letters,Heartbeat", "Staleness,Heartbeat");
    await().atMost(TIMEOUT).until(() -> names().equals("/a"));
  }

  @Test
  @Order(13)
  void trendingListThatWasAskedFor_isShownAgain_afterAStatusWithoutIt() {
    var chosen = browser.evaluate(
        """
            import('/page/views/trending.js').then(m => {
              const query = new URLSearchParams('network=eth&duration=5m');
              let take;
              const node = m.show({chosen: (name, otherwise = '') => query.get(name) ?? otherwise, choose() {}, now: () => 9000,
                every() {}, follow() {}, json: () => new Promise(() => {}), onStatus: listener => take = listener});
              const watch = (...lists) => {
                take({sources: [{targets: lists.map(([network, duration]) => ({operation: 'trending_pools',
                  target: `/networks/${network}/trending_pools?duration=${duration}`}))}]});
                return `${node.querySelector('select')?.value} ${node.querySelector('.choice [aria-pressed=true]')?.textContent}`;
              };
              return [watch(), watch(['solana', '1h']), watch(['solana', '1h'], ['eth', '1h']), watch(),
                watch(['solana', '1h'], ['eth', '1h'], ['eth', '5m'])];
            })""");

    assertThat(chosen).map(JsonNode::asText)
        .containsExactly(" undefined", "solana 1h", "eth 1h", "eth 1h", "eth 5m");
  }

  @Test
  @Order(13)
  void listOfChangesOfAPool_keepsPriceChanges_howeverManyCapsMove() {
    browser.evaluate(
        """
            import('/page/views/pool-changes.js').then(m => {
              const {node, take} = m.poolChanges();
              document.querySelector('main').replaceChildren(node);
              const change = (at, facets) => take({key: 'k', timestamp: at, value: {network: 'eth', address: '0x1', ...facets}});
              change(1, {price: {before: {base_token_price_usd: '2'}, after: {base_token_price_usd: '3'}}});
              for (let at = 2; at < 400; at++) {
                change(at, {valuation: {before: {fdv_usd: '2'}, after: {fdv_usd: '3'}}});
              }
            })""");

    await().atMost(TIMEOUT).until(() -> browser.isTrue("""
        (rows => rows.length === 121 && rows.filter(row => !row.classList.contains('following')).length === 1)(
            [...document.querySelectorAll('main tbody tr')])"""));
  }

  @Test
  @Order(13)
  void timeOfARowThatStays_getsItsDate_whenTheDayIsOver() {
    var times = browser.evaluate(
        """
            Promise.all(['views/pool-changes.js', 'views/live-lines.js', 'dom.js', 'text.js'].map(each => import(`/page/${each}`)))
                .then(async ([{poolChanges}, {liveLines}, {renewTimes}, {clock, moment}]) => {
                  const at = Date.now();
                  const {node, take} = poolChanges();
                  document.querySelector('main').replaceChildren(node,
                    ...liveLines({at, kind: 'pool', name: 'P', link: null, asOf: null, summary: {text: 't', tone: 'muted'}}));
                  take({key: 'k', timestamp: at, value: {network: 'eth', address: '0x1',
                    price: {before: {base_token_price_usd: '2'}, after: {base_token_price_usd: '3'}}}});
                  const shown = () => [...document.querySelectorAll('main .time')]
                    .map(each => ({[clock(at)]: 'clock', [moment(at)]: 'moment'})[each.textContent]).join();
                  await new Promise(resolve => setTimeout(() => requestAnimationFrame(resolve), 300));
                  const today = shown();
                  renewTimes(at + 48 * 3_600_000);
                  return [today, shown()];
                })""");

    assertThat(times).map(JsonNode::asText).containsExactly("clock,clock", "moment,moment");
  }

  @Test
  @Order(13)
  void timesOfAnotherDay_haveTheirDate_inTrendingAndCoverage() {
    var entered = inTrending("""
        take({topic: 'pool.listing', value: {list: 'eth/trending/1h', network: 'eth', pool: 'eth_a', action: 'exited',
          rank_before: 1, about: {name: 'a'}, origin: {observed_at: 1000, baseline: false}}});
        return node.querySelector('.happenings .time').textContent;""").asText();
    browser.evaluate(
        """
            import('/page/views/coverage.js').then(m => {
              const node = m.show({now: Date.now, every() {}, follow() {}, chosen: (name, otherwise) => otherwise,
                onStatus: draw => draw({health: [], sources: [{name: 's', status: 'polling', heartbeatAt: 1000,
                  budget: {per_month: 9, per_minute: 9, last_minute: 1, counted_at: 1000}, watchingSince: null,
                  targets: [{target: '/a', operation: 'pool', observedAt: 1000, previousObservedAt: null, asOf: null, members: 1,
                    complete: true, contiguous: true, retry: {failures: 1, next_at: 1000, reason: 'r'}}]}]})});
              document.querySelector('main').replaceChildren(node);
            })""");
    var moment = browser.evaluate("import('/page/text.js').then(m => m.moment(1000))").asText();

    assertThat(entered).isEqualTo(moment);
    await().atMost(TIMEOUT).until(() -> browser.evaluate("document.querySelector('main').textContent").asText()
        .contains("failed 1×, next " + moment));
    assertThat(browser.evaluate("document.querySelector('main').textContent").asText()).contains("of 9 at " + moment);
  }

  @Test
  @Order(13)
  void networkOfLaunches_andOrdersOfMovers_areInTheAddress() {
    var chosen = browser.evaluate("""
        Promise.all([import('/page/views/launches.js'), import('/page/views/movers.js')]).then(([launches, movers]) => {
          const query = new URLSearchParams('network=eth&losers-eth=-Price');
          let take;
          const scope = {chosen: (name, otherwise = '') => query.get(name) ?? otherwise,
            choose: (name, value) => query.set(name, value), now: () => 9000, every() {},
            follow: options => take = options.onRecord};
          const field = launches.show(scope).querySelector('select');
          const shown = [field.value];
          field.value = '';
          field.dispatchEvent(new Event('change'));
          const node = movers.show(scope);
          const span = {measured: 0, up: 0, down: 0, gainers: [], losers: []};
          take({key: 'eth', value: {network: 'eth', at: 9000, pools: 0, visible: 0, m5: span, h1: span, h24: span}});
          const tables = [...node.querySelectorAll('table.grid')];
          shown.push(...tables.map(table => table.querySelector('th[aria-sort] button').textContent));
          [...tables[0].querySelectorAll('thead button')].find(each => each.textContent === 'Move').click();
          return [...shown, query.toString()];
        })""");

    assertThat(chosen).map(JsonNode::asText)
        .containsExactly("eth", "#", "Price", "network=&losers-eth=-Price&gainers-eth=-Move");
  }

  @Test
  @Order(13)
  void launches_areDrawnOnceForManyRecords_andTheirHoursMoveOn() {
    var isDrawnForEach = browser.evaluate(
        """
            import('/page/views/launches.js').then(m => {
              let now = 100 * 3_600_000;
              let take;
              const node = m.show({chosen: (name, otherwise = '') => otherwise, choose() {}, now: () => now,
                every: (pause, task) => window.laterBy = by => { now += by; task(); },
                follow: options => take = options.onRecord});
              document.querySelector('main').replaceChildren(node);
              const first = node.querySelector('.hours').firstChild;
              const outcome = {held: 0, lost: 0, not_observed: 0, pending: 1};
              for (let at = 0; at < 3; at++) {
                take({key: `${at}`, value: {network: 'eth', dex: `${at}`, start: now, pools: 1, visible: 1, reserve_usd: 1,
                  after_1h: outcome, after_24h: outcome, at: now}});
              }
              return node.querySelector('.hours').firstChild !== first;
            })""");

    assertThat(isDrawnForEach.asBoolean()).isFalse();
    await().atMost(TIMEOUT).until(() -> launchesByHour().endsWith(",3"));

    browser.evaluate("window.laterBy(3_600_000)");

    await().atMost(TIMEOUT).until(() -> launchesByHour().endsWith(",3,0"));
  }

  private static String launchesByHour() {
    return browser.evaluate("[...document.querySelectorAll('main .hour')].map(each =>"
        + " each.title.split(': ')[1].split(' ')[0]).join()").asText();
  }

  /** Evaluates a script in an empty view of trending pools: {@code take} is its reader of records, {@code node} the view. */
  private static JsonNode inTrending(String script) {
    return browser.evaluate("""
        import('/page/views/trending.js').then(m => {
          let take;
          const query = new URLSearchParams('network=eth&duration=1h');
          const node = m.show({
            chosen: (name, otherwise = '') => query.get(name) ?? otherwise, choose() {}, now: () => 9000,
            every() {}, json: () => new Promise(() => {}),
            onStatus: listener => listener({sources: [{targets: [
              {target: '/networks/eth/trending_pools?duration=1h', operation: 'trending_pools'}]}]}),
            follow: options => take = options.topics.includes('pool.listing') ? options.onRecord : take,
          });
        """ + script + "})");
  }

  private static String rows() {
    return browser.evaluate(
        "[...document.querySelectorAll('main tbody tr')].map(row => row.record.name).join()").asText();
  }

  private static void show(String view) {
    var address = page.address() + "/";
    if (browser.evaluate("location.href").asText().startsWith(address)) {
      browser.evaluate("location.hash = '" + view + "'");
    } else {
      browser.open(address + view);
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
