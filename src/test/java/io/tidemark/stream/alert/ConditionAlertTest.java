package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.LIST;
import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.baseline;
import static io.tidemark.stream.PoolChanges.change;
import static io.tidemark.stream.PoolChanges.entered;
import static io.tidemark.stream.PoolChanges.keyFrame;
import static io.tidemark.stream.PoolChanges.moved;
import static io.tidemark.stream.PoolChanges.notVisible;
import static io.tidemark.stream.PoolChanges.removed;
import static io.tidemark.stream.PoolChanges.visible;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Removed;
import io.tidemark.event.TargetState;
import io.tidemark.event.Visibility;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The states of a condition: the price of a pool is above 2 for a minute, and 30 seconds more. */
class ConditionAlertTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  static final String DEAR = """
      rules:
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > settings.limit
          for: 1m
          keep_firing_for: 30s
          no_data_for: 5m
          settings: { limit: 2 }
          severity: warning
          labels: { dex: "{{ about.dex }}" }
          annotations: { summary: "{{ about.name }} costs {{ price.base_token_price_usd }}", help: "sell" }
      """;

  static final String BY_DEX = """
      rules:
        - name: by-dex
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 2.0
          once: [about.dex]
          labels: { dex: "{{ about.dex }}" }
          annotations: { summary: "dear" }
      """;

  /** A rule and a mute of it, with its name, begin and end. */
  static final String AT_ONCE = """
      mutes: [ { name: %s, rules: [at-once], from: "%s", to: "%s" } ]
      rules:
        - name: at-once
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 2.0
          annotations: { summary: "dear" }
      """;

  private final TopologyRun run = TopologyRun.start();

  @BeforeEach
  void rules() {
    run.rules(NOON.minusSeconds(60), DEAR);
    run.change(baseline(NOON.minusSeconds(30), "1.0"));
    run.ticks(NOON.minusSeconds(29), NOON);
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void conditionThatHolds_isPendingAndFiresWhenItHeldLongEnough() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(70));
    assertThat(published()).containsExactly("pending 10");

    run.tick(at(71));

    assertThat(published()).containsExactly("firing 70");
  }

  @Test
  void conditionObservedBeforeTheEndOfAMute_andCommittedAfterIt_isNotMuted() {
    run.rules(at(1), AT_ONCE.formatted("noon", "11:00", "12:01"));
    run.ticks(at(2), at(50));
    run.change(moved(at(51), "1.0", "3.0"));
    run.change(moved(at(53), "3.0", "1.0"));
    run.ticks(at(54), at(61));
    run.change(moved(at(59), "1.0", "3.0"), at(62));
    run.ticks(at(63), at(64));

    assertThat(run.alerts()).filteredOn(alert -> alert.getRule().equals("at-once"))
        .extracting(alert -> alert.getStatus() + " " + alert.getSilenced())
        .containsExactly("firing noon", "resolved noon", "firing null");
  }

  @Test
  void conditionThatHolds_isPublishedOnce_afterAnOutageOfSeveralMutes() {
    run.rules(at(1), AT_ONCE.formatted("lunch", "13:00", "14:00"));
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(12));
    run.tick(at(3 * 86_400 + 300));
    run.tick(at(3 * 86_400 + 301));

    assertThat(run.alerts()).filteredOn(alert -> alert.getRule().equals("at-once"))
        .extracting(alert -> alert.getStatus() + " " + alert.getSilenced()).containsExactly("firing null");

    run.tick(at(4 * 86_400 + 3_700));

    assertThat(run.alerts()).filteredOn(alert -> alert.getRule().equals("at-once"))
        .extracting(alert -> alert.getStatus() + " " + alert.getSilenced()).containsExactly("firing lunch");
  }

  @Test
  void keyFrameOfAPoolThatIsNotVisible_isNoData() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(75));
    var hidden = keyFrame(at(80), "3.0");
    hidden.setVisibility(new Visibility(false, at(10)));
    run.change(hidden);
    run.ticks(at(81), at(381));

    assertThat(published()).containsExactly("pending 10", "firing 70", "resolved 380");
  }

  @Test
  void evictionOfAPoolThatIsNotVisible_startsNothing() {
    run.change(keyFrame(at(5), "3.0"));
    run.change(notVisible(at(10)));
    run.ticks(at(11), at(400));
    run.alerts();
    var evicted = keyFrame(at(401), "3.0");
    evicted.setRemoved(new Removed("evicted"));
    run.change(evicted);
    run.ticks(at(402), at(500));

    assertThat(run.alerts()).isEmpty();
  }

  @Test
  void targetThatIsForgotten_resolvesItsAlert_andMayComeAgain() {
    run.rules(at(1), """
        rules:
          - name: incomplete
            on: target.state
            kind: condition
            when: '!complete'
            annotations: { summary: x }
        """);
    run.ticks(at(2), at(9));
    var incomplete = TargetState.newBuilder().setTarget("/global").setComplete(false).build();
    run.record(TopologyRun.TOPICS.targetState(), "/global", incomplete, at(10));
    run.record(TopologyRun.TOPICS.targetState(), "/global", null, at(11));
    run.record(TopologyRun.TOPICS.targetState(), "/global", incomplete, at(12));

    assertThat(run.alerts()).extracting(Alert::getStatus, Alert::getReason)
        .containsExactly(tuple("firing", null), tuple("resolved", "removed"), tuple("firing", null));
  }

  @Test
  void valueOfOnceThatChanges_resolvesTheInstanceOfTheValueBefore() {
    run.rules(at(1), BY_DEX);
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.change(onExchange("pump", moved(at(11), "3.0", "4.0")));
    run.change(onExchange("pump", moved(at(12), "4.0", "1.0")));
    run.ticks(at(13), at(200));

    assertThat(ofByDex()).containsExactly("firing raydium null", "resolved raydium over", "firing pump null",
        "resolved pump over");
  }

  @Test
  void unknownValueOfOnce_isNoData() {
    run.rules(at(1), BY_DEX.replace("annotations", "no_data_for: 2m\n    annotations"));
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.change(onExchange(null, moved(at(11), "3.0", "1.0")));
    run.ticks(at(12), at(120));
    assertThat(ofByDex()).containsExactly("firing raydium null");

    run.ticks(at(121), at(200));

    assertThat(ofByDex()).containsExactly("resolved raydium no data");
  }

  @Test
  void unknownValueOfOnce_startsNoAlert() {
    run.rules(at(1), BY_DEX);
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.change(onExchange(null, moved(at(11), "3.0", "4.0")));
    run.ticks(at(12), at(20));

    assertThat(ofByDex()).containsExactly("firing raydium null");
  }

  @Test
  void listingOfAnotherList_saysNothingAboutTheTimesOfAnAlert_norAfterAnEdit() {
    var rule = """
        rules:
          - name: by-dex
            on: pool.listing
            kind: condition
            when: rank <= 3.0 && age(origin.observed_at) < duration('90s')
            once: [list]
            labels: { dex: "{{ list }}" }
            annotations: { summary: x }
        """;
    run.rules(at(1), rule);
    run.ticks(at(2), at(9));
    run.listing(entered(at(10), "solana/trending/1h", 1.0));
    var low = entered(at(11), "solana/trending/24h", 1.0);
    low.setRank(40);
    run.listing(low);
    run.ticks(at(12), at(80));
    run.rules(at(81), rule.replace("summary: x", "summary: y"));
    run.ticks(at(82), at(90));

    assertThat(ofByDex()).containsExactly("firing solana/trending/1h null");
  }

  @Test
  void instanceOfTheValueBefore_keepsFiringForItsTimeAndNoLonger() {
    run.rules(at(1), BY_DEX.replace("> 2.0", "> 2.0 && age(origin.observed_at) < duration('24h')")
        .replace("annotations", "keep_firing_for: 90s\n    annotations"));
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.change(onExchange("pump", moved(at(11), "3.0", "4.0")));
    run.ticks(at(12), at(200));

    assertThat(ofByDex()).containsExactly("firing raydium null", "firing pump null", "resolved raydium over");
  }

  @Test
  void onceOfARuleThatIsEdited_resolvesTheInstancesBefore() {
    run.rules(at(1), BY_DEX);
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.rules(at(11), BY_DEX.replace("[about.dex]", "[about.name]"));
    run.ticks(at(12), at(20));
    assertThat(ofByDex()).containsExactly("firing raydium null", "resolved raydium over");

    run.change(moved(at(21), "3.0", "4.0"));

    assertThat(ofByDex()).containsExactly("firing raydium null");
  }

  @Test
  void listingsOfAPool_areSeparateInstances() {
    run.rules(at(1), """
        rules:
          - name: by-dex
            on: pool.listing
            kind: condition
            when: action == "entered"
            once: [list]
            labels: { dex: "{{ list }}" }
            annotations: { summary: x }
        """);
    run.ticks(at(2), at(9));
    run.listing(entered(at(10), "solana/trending/1h", 1.0));
    run.listing(entered(at(11), "solana/trending/5m", 1.0));

    assertThat(ofByDex()).containsExactly("firing solana/trending/1h null", "firing solana/trending/5m null");
  }

  @Test
  void removedResource_resolvesAllInstancesWithItsReason() {
    run.rules(at(1), BY_DEX);
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.change(onExchange("pump", removed(at(11), "not_found")));

    assertThat(ofByDex()).filteredOn(alert -> alert.contains("raydium"))
        .containsExactly("firing raydium null", "resolved raydium not_found");
  }

  @Test
  void removedPool_resolvesTheConditionsOnItsListings() {
    run.rules(at(1), """
        rules:
          - name: by-dex
            on: pool.listing
            kind: condition
            when: rank <= 3.0
            once: [list]
            labels: { dex: "{{ list }}" }
            annotations: { summary: x }
        """);
    run.ticks(at(2), at(9));
    run.listing(entered(at(10), "solana/trending/1h", 1.0));
    run.listing(entered(at(11), "solana/trending/5m", 1.0));
    run.change(removed(at(12), "evicted"));

    assertThat(ofByDex()).containsExactlyInAnyOrder("firing solana/trending/1h null", "firing solana/trending/5m null",
        "resolved solana/trending/1h removed", "resolved solana/trending/5m removed");
  }

  @Test
  void removedPool_resolvesTheConditionsOnItsCandles_alsoThoseOfCandlesThatCloseLater() {
    run.rules(at(1), """
        rules:
          - name: by-dex
            on: pool.candles.1m
            kind: condition
            when: close > 2.0
            labels: { dex: "{{ end }}" }
            annotations: { summary: x }
        """);
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(64));
    run.change(moved(at(65), "3.0", "4.0"));
    run.change(removed(at(70), "not_found"));
    assertThat(ofByDex()).containsExactly("firing 2026-01-01T12:01:00Z null", "resolved 2026-01-01T12:01:00Z removed");

    run.ticks(at(71), at(130));

    assertThat(ofByDex()).containsExactly("firing 2026-01-01T12:02:00Z null", "resolved 2026-01-01T12:02:00Z removed");
    assertThat(run.candles(CandleInterval.MINUTE)).hasSize(2);
  }

  private static PoolChange onExchange(String dex, PoolChange change) {
    change.getAbout().setDex(dex);
    return change;
  }

  private List<String> ofByDex() {
    return run.alerts().stream().filter(alert -> alert.getRule().equals("by-dex"))
        .map(alert -> "%s %s %s".formatted(alert.getStatus(), alert.getLabels().get("dex"), alert.getReason()))
        .toList();
  }

  @Test
  void conditionThatHeldNotLongEnough_isResolvedWithoutHavingFired() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(40));
    run.change(moved(at(41), "3.0", "1.5"));
    run.ticks(at(42), at(100));

    assertThat(run.alerts()).satisfiesExactly(
        pending -> assertThat(pending.getStatus()).isEqualTo("pending"),
        resolved -> {
          assertThat(resolved.getStatus()).isEqualTo("resolved");
          assertThat(resolved.getFiredAt()).isNull();
          assertThat(resolved.getReason()).isEqualTo("over");
        });
  }

  @Test
  void rulesThatWaitLongerNow_areWaitedFor() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(20));
    run.rules(at(20), DEAR.replace("    for: 1m", "    for: 2m"));

    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> run.ticks(at(21), at(131)));

    assertThat(published()).containsExactly("pending 10", "firing 130");
  }

  @Test
  void rulesThatWaitLessLongNow_fireSooner() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(20));
    run.rules(at(20), DEAR.replace("    for: 1m", "    for: 30s"));
    run.ticks(at(21), at(60));

    assertThat(published()).containsExactly("pending 10", "firing 40");
  }

  @Test
  void ruleThatAsksForTimeNoMore_goesOnFiring() {
    run.rules(at(1), DEAR.replace("> settings.limit", "> settings.limit && age(origin.observed_at) < duration('24h')"));
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(75));
    run.rules(at(76), DEAR);

    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> run.ticks(at(77), at(300)));

    assertThat(run.alerts()).extracting(Alert::getStatus).containsExactly("pending", "firing");
  }

  @Test
  void removedAggregate_resolvesItsConditions() {
    run.rules(at(1), """
        rules:
          - name: deep
            on: liquidity
            kind: condition
            when: reserve_usd > 1000.0
            annotations: { summary: "deep" }
        """);
    run.change(change(at(2), 5_000.0));
    run.ticks(at(3), at(125));
    assertThat(run.alerts()).isNotEmpty().allMatch(alert -> !alert.getStatus().equals("resolved"));

    run.change(removed(at(126), "not_found"));
    run.ticks(at(127), at(250));

    assertThat(run.alerts()).isNotEmpty().allSatisfy(alert -> {
      assertThat(alert.getStatus()).isEqualTo("resolved");
      assertThat(alert.getReason()).isEqualTo("removed");
    });
  }

  @Test
  void trendingPoolThatIsDropped_resolvesItsConditions_andItsLastRecordStays() {
    run.rules(at(1), """
        rules:
          - name: by-dex
            on: trending
            kind: condition
            when: best_rank <= 3.0
            labels: { dex: "{{ pool }}" }
            annotations: { summary: "climbed" }
        """);
    run.listing(entered(at(10), LIST, 1.0));
    run.listing(exited(at(20)));
    run.ticks(at(21), at(125));
    assertThat(ofByDex()).containsExactly("firing " + POOL + " null");

    run.ticks(at(49 * 3_600), at(49 * 3_600 + 200));

    assertThat(ofByDex()).containsExactly("resolved " + POOL + " removed");
    assertThat(run.aggregates("trending")).isNotEmpty().doesNotContainNull();
  }

  private static PoolListing exited(Instant at) {
    var listing = entered(at, LIST, 1.0);
    listing.setAction("exited");
    listing.setRank(null);
    return listing;
  }

  /** A withheld value is published after the gap with the time of its observation before it. */
  @Test
  void conditionObservedBeforeAGap_hasNotHeldInIt() {
    run.ticks(at(1), at(40));
    run.change(moved(at(39), "1.0", "3.0"), at(3_640));
    run.ticks(at(3_641), at(3_690));
    assertThat(published()).containsExactly("pending 39");

    run.ticks(at(3_691), at(3_701));

    assertThat(published()).containsExactly("firing 3700");
  }

  @Test
  void firing_outlastsAShortBreak() {
    fire();
    run.change(moved(at(80), "3.0", "1.5"));
    run.ticks(at(81), at(100));
    run.change(moved(at(101), "1.5", "2.5"));
    run.ticks(at(102), at(200));

    assertThat(published()).isEmpty();
  }

  @Test
  void conditionThatIsOver_isResolvedAfterItsTime() {
    fire();
    run.change(moved(at(80), "3.0", "1.5"));
    run.ticks(at(81), at(112));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getStatus()).isEqualTo("resolved");
      assertThat(alert.getReason()).isEqualTo("over");
      assertThat(alert.getStartedAt()).isEqualTo(at(10));
      assertThat(alert.getFiredAt()).isEqualTo(at(70));
      assertThat(alert.getEndedAt()).isEqualTo(at(110));
      assertThat(alert.getEventTime()).isEqualTo(at(110));
    });
  }

  @Test
  void newInstance_hasTheFingerprintOfTheOldAndAnIdOfItsOwn() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(80));
    run.change(moved(at(80), "3.0", "1.5"));
    run.ticks(at(81), at(120));
    run.change(moved(at(121), "1.5", "3.0"));
    run.ticks(at(122), at(200));

    var alerts = run.alerts();
    assertThat(alerts).extracting(Alert::getStatus)
        .containsExactly("pending", "firing", "resolved", "pending", "firing");
    assertThat(alerts).extracting(Alert::getFingerprint).containsOnly(alerts.getFirst().getFingerprint());
    assertThat(alerts).extracting(Alert::getId).containsExactly(
        id(alerts, 10), id(alerts, 10), id(alerts, 10), id(alerts, 121), id(alerts, 121));
  }

  @Test
  void alert_carriesItsEvidence() {
    fire();
    run.change(moved(at(80), "3.0", "1.5"));
    run.ticks(at(81), at(112));

    assertThat(run.alertsState()).hasSize(1).allSatisfy((print, alert) -> {
      assertThat(print).isEqualTo(alert.getFingerprint());
      assertThat(alert.getRule()).isEqualTo("dear");
      assertThat(alert.getRuleVersion()).isEqualTo(1);
      assertThat(alert.getKind()).isEqualTo("condition");
      assertThat(alert.getSeverity()).isEqualTo("warning");
      assertThat(alert.getSubject()).isEqualTo(POOL);
      assertThat(alert.getSummary()).isEqualTo("PEPE / SOL costs 3");
      assertThat(alert.getLabels()).isEqualTo(Map.of("dex", "raydium"));
      assertThat(alert.getAnnotations()).isEqualTo(Map.of("help", "sell"));
      assertThat(alert.getEvidence()).extracting(Evidence::getValues)
          .containsExactly(Map.of("price.base_token_price_usd", "3.0"));
      assertThat(alert.getEvidence().getFirst()).satisfies(evidence -> {
        assertThat(evidence.getTopic()).isEqualTo("test.pool.changes");
        assertThat(evidence.getKey()).isEqualTo(POOL);
        assertThat(evidence.getGeneration()).isEqualTo(Instant.EPOCH);
        assertThat(evidence.getRevision()).isEqualTo(at(10).getEpochSecond());
        assertThat(evidence.getObservedAt()).isEqualTo(at(10));
      });
    });
  }

  @Test
  void valueThatMovesWhilePending_isTheOneThatTheAlertFiresWith() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(30));
    run.change(moved(at(31), "3.0", "9.0"));
    run.ticks(at(32), at(80));

    assertThat(published()).containsExactly("pending 10", "firing 70");
    assertThat(run.alertsState().values()).singleElement().satisfies(alert -> {
      assertThat(alert.getSummary()).isEqualTo("PEPE / SOL costs 9");
      assertThat(alert.getEvidence()).extracting(Evidence::getObservedAt).containsExactly(at(10), at(31));
    });
  }

  @Test
  void dataThatCameBack_isNotMissing_whileAnAlertKeepsFiring() {
    run.rules(at(1), DEAR.replace("keep_firing_for: 30s", "keep_firing_for: 1h"));
    run.ticks(at(2), at(9));
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(79));
    run.change(moved(at(80), "3.0", "1.0"));
    run.ticks(at(81), at(89));
    run.change(notVisible(at(90)));
    run.ticks(at(91), at(94));
    run.change(visible(at(95)));
    run.ticks(at(96), at(600));

    assertThat(published()).containsExactly("pending 10", "firing 70");
  }

  @Test
  void changesOfOtherFacets_leaveTheConditionAsItIs() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(30));
    run.change(change(at(31), 40_000.0));
    run.ticks(at(32), at(80));

    assertThat(published()).containsExactly("pending 10", "firing 70");
  }

  @Test
  void baseline_beginsNothing() {
    run.change(baseline(at(10), "3.0"));
    run.ticks(at(11), at(100));

    assertThat(published()).isEmpty();
  }

  @Test
  void whatIsKnownFromTheBaseline_countsWithTheNextChangeOfAnything() {
    run.change(baseline(at(10), "3.0"));
    run.change(change(at(20), 40_000.0));

    assertThat(published()).containsExactly("pending 20");
  }

  @Test
  void timeWithoutData_doesNotCount() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(40));
    run.change(moved(at(40), "3.0", "NaN"));
    run.ticks(at(41), at(100));
    run.change(moved(at(100), "NaN", "3.0"));
    run.ticks(at(101), at(140));

    assertThat(published()).containsExactly("pending 10", "firing 130");
  }

  @Test
  void firingWithoutDataForLong_isResolvedWithItsReason() {
    fire();
    run.change(moved(at(80), "3.0", null));
    run.ticks(at(81), at(400));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getStatus()).isEqualTo("resolved");
      assertThat(alert.getReason()).isEqualTo("no data");
      assertThat(alert.getEndedAt()).isEqualTo(at(380));
    });
  }

  @Test
  void resourceNotVisible_isWithoutDataUntilItIsVisible() {
    fire();
    run.change(notVisible(at(80)));
    run.ticks(at(81), at(200));
    run.change(visible(at(200)));
    run.ticks(at(201), at(600));
    assertThat(published()).isEmpty();

    run.change(notVisible(at(600)));
    run.ticks(at(601), at(910));

    assertThat(published()).containsExactly("resolved 900");
  }

  @Test
  void resolveWhen_keepsAnAlertFiringBetweenTheThresholds() {
    run.rules(at(1), DEAR.replace("for: 1m", "resolve_when: price.base_token_price_usd < 1.5\n    for: 1m"));
    fire();
    run.change(moved(at(80), "3.0", "1.8"));
    run.ticks(at(81), at(200));
    assertThat(published()).isEmpty();

    run.change(moved(at(200), "1.8", "1.2"));
    run.ticks(at(201), at(232));

    assertThat(published()).containsExactly("resolved 230");
  }

  @Test
  void resolveWhen_doesNotLetAnAlertBegin() {
    run.rules(at(1), DEAR.replace("for: 1m", "resolve_when: price.base_token_price_usd < 1.5\n    for: 1m"));
    run.change(moved(at(10), "1.0", "1.8"));
    run.ticks(at(11), at(100));

    assertThat(published()).isEmpty();
  }

  @Test
  void resolvedAlert_saysTheValueThatEndedIt() {
    fire();
    run.change(moved(at(80), "3.0", "1.5"));
    run.ticks(at(81), at(112));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getSummary()).endsWith("costs 3");
      assertThat(alert.getEndSummary()).endsWith("costs 1.5");
      assertThat(alert.getEndedAt()).isEqualTo(at(110));
    });
  }

  @Test
  void alertThatEndsWithoutAValue_saysNone() {
    fire();
    run.change(removed(at(80), "not_found"));

    assertThat(run.alerts()).singleElement().extracting(Alert::getEndSummary).isNull();
  }

  @Test
  void removedResource_resolvesItsConditions() {
    fire();
    run.change(removed(at(80), "not_found"));
    run.ticks(at(81), at(200));

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getStatus()).isEqualTo("resolved");
      assertThat(alert.getReason()).isEqualTo("not_found");
      assertThat(alert.getEndedAt()).isEqualTo(at(80));
    });
  }

  @Test
  void gapInTicks_neverCounts() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(40));
    run.ticks(at(3_640), at(3_669));
    assertThat(published()).containsExactly("pending 10");

    run.ticks(at(3_670), at(3_672));

    assertThat(published()).containsExactly("firing 3670");
  }

  /** It stopped all timers of its partition for 50 minutes. */
  @Test
  void recordStampedAhead_doesNotStopTheTimers() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(20));
    run.change(change(at(20), 40_000.0), at(3_020));
    run.ticks(at(21), at(69));
    assertThat(published()).containsExactly("pending 10");

    run.ticks(at(70), at(72));

    assertThat(published()).containsExactly("firing 70");
  }

  @Test
  void gapEndedByARecord_neverCountsEither() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(40));
    run.change(change(at(3_640), 40_000.0));
    run.ticks(at(3_641), at(3_669));

    assertThat(published()).containsExactly("pending 10");
  }

  @Test
  void resolvedInstance_isStoredForADayAndThenDropped() {
    fire();
    run.change(moved(at(80), "3.0", "1.5"));
    for (var second = 81; second < 87_000; second += 9) {
      run.tick(at(second));
    }

    assertThat(run.alertsState()).hasSize(1).containsValue(null);
  }

  private void fire() {
    run.change(moved(at(10), "1.0", "3.0"));
    run.ticks(at(11), at(72));
    assertThat(published()).containsExactly("pending 10", "firing 70");
  }

  private List<String> published() {
    return run.alerts().stream()
        .filter(alert -> alert.getRule().equals("dear"))
        .map(alert -> alert.getStatus() + " " + (alert.getEventTime().getEpochSecond() - NOON.getEpochSecond()))
        .toList();
  }

  private static String id(List<Alert> alerts, int second) {
    return "dear/" + alerts.getFirst().getFingerprint() + "/" + at(second).toEpochMilli();
  }

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }
}
