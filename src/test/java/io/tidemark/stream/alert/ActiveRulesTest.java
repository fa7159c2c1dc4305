package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.moved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.rule.Silence;
import io.tidemark.stream.TopologyRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules and silences as they come into force, are replaced and end. */
class ActiveRulesTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final String NONE = "rules: []";

  private final TopologyRun run = TopologyRun.start();

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void firstRules_areInForceAtOnce() {
    run.rules(at(0), above(2));
    run.change(moved(at(1), "1.0", "3.0"));

    assertThat(published()).containsExactly("v1 firing 1");
  }

  @Test
  void unreadableOrMissingRules_fireNothing() {
    run.change(moved(at(1), "1.0", "3.0"));

    assertThat(published()).isEmpty();
  }

  @Test
  void replacedRule_goesOnWithItsFingerprintAndFiresNothingAgain() {
    run.rules(at(0), above(2));
    run.change(moved(at(1), "1.0", "3.0"));
    run.ticks(at(2), at(9));
    run.rules(at(10), above(1));
    run.ticks(at(11), at(20));
    run.change(moved(at(21), "3.0", "0.5"));

    var alerts = run.alerts();
    assertThat(alerts).extracting(ActiveRulesTest::published).containsExactly("v1 firing 1", "v2 resolved 21");
    assertThat(alerts.get(1).getId()).isEqualTo(alerts.get(0).getId());
    assertThat(alerts.get(1).getFingerprint()).isEqualTo(alerts.get(0).getFingerprint());
  }

  @Test
  void conditionUnmetByTheNewRule_isResolvedWhenItIsInForce() {
    run.rules(at(0), above(2));
    run.change(moved(at(1), "1.0", "3.0"));
    run.ticks(at(2), at(9));
    run.rules(at(10), above(5));
    run.ticks(at(11), at(20));

    assertThat(published()).containsExactly("v1 firing 1", "v2 resolved 12");
  }

  @Test
  void removedRule_resolvesItsAlertsWithItsReason() {
    run.rules(at(0), above(2));
    run.change(moved(at(1), "1.0", "3.0"));
    run.ticks(at(2), at(9));
    run.rules(at(10), NONE);
    run.ticks(at(11), at(20));

    var alerts = run.alerts();
    assertThat(alerts).extracting(ActiveRulesTest::published).containsExactly("v1 firing 1", "v1 resolved 12");
    assertThat(alerts.get(1).getReason()).isEqualTo("rule removed");
  }

  @Test
  void newRules_areInForceForRecordsStampedTwoSecondsLater() {
    run.rules(at(0), NONE);
    run.rules(at(10), above(2));
    run.change(moved(at(12), "1.0", "3.0"));
    assertThat(published()).isEmpty();

    run.change(moved(at(13), "3.0", "4.0"));

    assertThat(published()).containsExactly("v1 firing 13");
  }

  @Test
  void repeatedRules_changeNothing() {
    run.rules(at(0), above(2));
    run.change(moved(at(1), "1.0", "3.0"));
    run.rules(at(2), above(2));
    run.ticks(at(3), at(10));

    assertThat(published()).containsExactly("v1 firing 1");
  }

  @Test
  void silencedAlert_isMarkedAndPublished() {
    run.rules(at(0), above(2));
    run.silences(at(1), 1, silence(at(0), at(100)));
    run.change(moved(at(5), "1.0", "3.0"));

    assertThat(run.alertsState()).hasSize(1).allSatisfy((print, alert) -> {
      assertThat(alert.getStatus()).isEqualTo("firing");
      assertThat(alert.getSilenced()).isEqualTo("quiet");
    });
  }

  @Test
  void alertThatStillFiresWhenItsSilenceEnds_isPublishedWithoutIt() {
    run.rules(at(0), above(2));
    run.silences(at(1), 1, silence(at(0), at(100)));
    run.change(moved(at(5), "1.0", "3.0"));
    run.ticks(at(6), at(101));

    assertThat(run.alerts()).extracting(Alert::getSilenced).containsExactly("quiet", null);
  }

  @Test
  void silenceOfAFiringAlert_marksIt() {
    run.rules(at(0), above(2));
    run.change(moved(at(5), "1.0", "3.0"));
    run.ticks(at(6), at(9));
    run.silences(at(10), 1, silence(at(10), at(100)));
    run.ticks(at(11), at(14));

    assertThat(run.alerts()).extracting(Alert::getSilenced).containsExactly(null, "quiet");
  }

  private static Silence silence(Instant from, Instant until) {
    return new Silence("quiet", "dear", POOL, Map.of(), from, until, "me", "I know");
  }

  private static String above(int limit) {
    return """
        rules:
          - name: dear
            on: pool.changes
            kind: condition
            when: price.base_token_price_usd > %d.0
            annotations: { summary: "dear" }
        """.formatted(limit);
  }

  private List<String> published() {
    return run.alerts().stream().map(ActiveRulesTest::published).toList();
  }

  private static String published(Alert alert) {
    var second = alert.getEventTime().getEpochSecond() - NOON.getEpochSecond();
    return "v%d %s %d".formatted(alert.getRuleVersion(), alert.getStatus(), second);
  }

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }
}
