package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.moved;
import static io.tidemark.stream.alert.ActiveRules.MOST_FAILED_KEYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.event.Alert;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Watch;
import io.tidemark.rule.file.RuleFailure;
import io.tidemark.stream.TopologyRun;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules whose evaluation fails: records are skipped, and a rule that fails on many keys is put out of force. */
class RuleFailureTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final String HOSTILE = "[about.name]" + ".map(a, a + a + a + a)".repeat(20) + ".size() > 0";

  /** The record that a stranger wrote, and no other, makes the evaluation fail. */
  static final String FAILS_ON_ONE = "price.base_token_price_usd > 1.0 || " + HOSTILE;

  private final TopologyRun run = TopologyRun.start();

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void recordThatFailsARule_isSkippedAndCounted_ruleStaysInForce() {
    run.rules(at(0), rule("mine", "event", FAILS_ON_ONE));
    for (var n = 1; n <= 2 * MOST_FAILED_KEYS; n++) {
      run.change(moved(at(n), "3.0", "0.5"));
    }
    run.change(pool(1, moved(at(200), "3.0", "4.0")));

    assertThat(run.alerts()).extracting(Alert::getRule, Alert::getSubject).containsExactly(tuple("mine", "solana_1"));
    assertThat(run.commands()).isEmpty();
    assertThat(run.metric("skipped-total", "rule", "mine")).isEqualTo(2 * MOST_FAILED_KEYS);
    assertThat(run.metric("skipped-total", "topic", "pool.changes")).isEqualTo(2 * MOST_FAILED_KEYS);
  }

  /** Prometheus does not count what a counter has when it first sees it. */
  @Test
  void counterOfARuleInForce_beginsAtZero() {
    run.rules(at(0), rule("mine", "event", FAILS_ON_ONE));
    run.ticks(at(1), at(2));
    assertThat(run.metric("skipped-total", "rule", "mine")).isZero();

    run.restart();
    assertThat(run.metric("skipped-total", "rule", "mine")).isZero();
  }

  @Test
  void ruleFailingOnManyKeys_isPutOutOfForce_othersGoOn() {
    run.rules(at(0), rule("hostile", "event", HOSTILE)
        + rule("good", "event", "changed.price").replace("rules:\n", ""));
    failOnManyKeys(1);
    run.change(moved(at(100), "3.0", "4.0"));

    assertThat(run.alerts()).extracting(Alert::getRule).hasSize(MOST_FAILED_KEYS + 1).containsOnly("good");
    assertThat(run.metric("skipped-total", "rule", "hostile")).isEqualTo(MOST_FAILED_KEYS);
    assertThat(run.commands()).singleElement().satisfies(command -> {
      assertThat(command.getKind()).isEqualTo("rule-failure");
      assertThat(command.getName()).isEqualTo("hostile");
      assertThat(command.getAt()).isEqualTo(at(MOST_FAILED_KEYS));
      var failure = RuleFailure.parse(command.getText());
      assertThat(failure.version()).isEqualTo(1);
      assertThat(failure.topic()).isEqualTo("test.pool.changes");
      assertThat(failure.key()).isEqualTo("solana_" + MOST_FAILED_KEYS);
      assertThat(failure.reason()).contains("more than 50000 steps");
    });
  }

  @Test
  void oldFailures_expire_andRecentOnesSurviveARestart() {
    run.rules(at(0), rule("mine", "event", HOSTILE));
    run.change(pool(0, moved(at(1), "1.0", "3.0")));
    for (var n = 1; n < MOST_FAILED_KEYS - 1; n++) {
      run.change(pool(n, moved(at(1 + n), "1.0", "3.0")));
    }
    run.ticks(at(60), at(3_601));
    run.change(pool(MOST_FAILED_KEYS, moved(at(3_602), "1.0", "3.0")));
    assertThat(run.commands()).isEmpty();

    run.restart();
    run.change(pool(MOST_FAILED_KEYS + 1, moved(at(3_602), "1.0", "3.0")));
    assertThat(run.commands()).extracting(Watch::getName).containsExactly("mine");
  }

  @Test
  void announcedFailure_isOneAlertWithEvidence() {
    run.rules(at(0), rule("hostile", "event", HOSTILE));
    failOnManyKeys(1);
    var command = run.commands().getFirst();
    run.ruleFailure(at(103), command);
    run.ruleFailure(at(109), command);
    run.ruleFailure(at(110), Watch.newBuilder(command).setText("no failure").build());
    run.ruleFailure(at(111), Watch.newBuilder(command).setText(null).build());

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getRule()).isEqualTo("rule-failed");
      assertThat(alert.getStatus()).isEqualTo("fired");
      assertThat(alert.getSeverity()).isEqualTo("critical");
      assertThat(alert.getSubject()).isEqualTo("hostile");
      assertThat(alert.getSummary()).contains("hostile").contains("50000 steps");
      assertThat(alert.getEventTime()).isEqualTo(at(MOST_FAILED_KEYS));
      assertThat(alert.getEvidence()).singleElement().satisfies(evidence -> {
        assertThat(evidence.getTopic()).isEqualTo("test.pool.changes");
        assertThat(evidence.getKey()).isEqualTo("solana_" + MOST_FAILED_KEYS);
        assertThat(evidence.getValues()).containsEntry("version", "1");
      });
    });
  }

  @Test
  void ruleFailingOnSeveralPartitions_isOneAlert_untilItsNextVersion() {
    run.rules(at(0), rule("hostile", "event", HOSTILE));
    failOnManyKeys(1);
    var command = run.commands().getFirst();
    run.ruleFailure(at(103), command);
    run.ruleFailure(at(104),
        Watch.newBuilder(command).setText(command.getText().replace("solana_", "solana_of_another_partition_"))
            .build());
    assertThat(run.alerts()).extracting(Alert::getSubject).containsExactly("hostile");

    run.ruleFailure(at(203),
        Watch.newBuilder(command).setText(command.getText().replace("version: 1", "version: 3")).build());
    assertThat(run.alerts()).extracting(Alert::getSubject).containsExactly("hostile");
  }

  @Test
  void conditionOutOfForce_resolvesItsAlerts() {
    run.rules(at(0), rule("turns", "condition", "price.base_token_price_usd < 5.0 || " + HOSTILE));
    run.change(moved(at(1), "1.0", "3.0"));
    for (var n = 1; n <= MOST_FAILED_KEYS; n++) {
      run.change(pool(n, moved(at(1 + n), "3.0", "9.0")));
    }

    assertThat(run.alerts()).extracting(Alert::getStatus).containsExactly("firing", "resolved");
    assertThat(run.commands()).extracting(Watch::getName).containsExactly("turns");
  }

  @Test
  void conditionFailingOnARecord_isUnchangedUntilARecordEndsIt() {
    run.rules(at(0), rule("dear", "condition", "price.base_token_price_usd < 5.0 && "
        + "(price.base_token_price_usd > 1.0 || " + HOSTILE + ")"));
    run.change(moved(at(1), "1.0", "3.0"));
    run.change(moved(at(2), "3.0", "0.5"));
    assertThat(run.alerts()).extracting(Alert::getStatus).containsExactly("firing");
    run.change(moved(at(3), "0.5", "9.0"));

    assertThat(run.alerts()).extracting(Alert::getStatus).containsExactly("resolved");
  }

  @Test
  void conditionThatFailsWhenItsTimeComes_isTriedAgainEachMinute() {
    run.rules(at(0), rule("aging", "condition",
        "price.base_token_price_usd > 1.0 && (age(origin.observed_at) < duration(\"5m\") || " + HOSTILE + ")"));
    run.change(moved(at(1), "1.0", "3.0"));
    run.ticks(at(2), at(620));

    assertThat(run.alerts()).extracting(Alert::getStatus).containsExactly("firing");
    assertThat(run.metric("skipped-total", "rule", "aging")).isEqualTo(5);
  }

  @Test
  void endOfAnAlertWhoseTextFails_isPublishedWithoutIt() {
    run.rules(at(0), rule("dear", "condition", "price.base_token_price_usd > 1.0")
        .replace("summary: x", "summary: '{{ price.base_token_price_usd > 1.0 || " + HOSTILE + " }}'")
        + "    keep_firing_for: 10s\n");
    run.change(moved(at(1), "1.0", "3.0"));
    run.change(moved(at(2), "3.0", "0.5"));
    run.ticks(at(3), at(30));

    assertThat(run.alerts()).extracting(Alert::getStatus, Alert::getEndSummary)
        .containsExactly(tuple("firing", null), tuple("resolved", null));
    assertThat(run.metric("skipped-total", "rule", "dear")).isEqualTo(1);
  }

  @Test
  void failingText_isAFailureToo() {
    run.rules(at(0), rule("texts", "event", "changed.price").replace("summary: x", "summary: '{{ " + HOSTILE + " }}'"));
    failOnManyKeys(1);

    assertThat(run.alerts()).isEmpty();
    assertThat(run.commands()).extracting(Watch::getName).containsExactly("texts");
  }

  @Test
  void changedRule_isInForceAgain() {
    run.rules(at(0), rule("mine", "event", HOSTILE));
    failOnManyKeys(1);
    run.rules(at(102), rule("mine", "event", "changed.price"));
    run.ticks(at(103), at(109));
    run.change(moved(at(110), "3.0", "4.0"));

    assertThat(run.alerts()).extracting(Alert::getRule, Alert::getRuleVersion)
        .containsExactly(tuple("mine", 2L));
  }

  @Test
  void changedRule_startsCountingAnew() {
    run.rules(at(0), rule("mine", "event", HOSTILE));
    run.change(moved(at(1), "1.0", "3.0"));
    run.rules(at(2), rule("mine", "event", "changed.price && " + HOSTILE));
    run.ticks(at(3), at(9));
    for (var n = 1; n < MOST_FAILED_KEYS; n++) {
      run.change(pool(n, moved(at(9 + n), "1.0", "3.0")));
    }

    assertThat(run.commands()).isEmpty();
  }

  @Test
  void replay_failsAtTheSameRecord() {
    var first = failures(run);
    try (var replay = TopologyRun.start()) {
      assertThat(failures(replay)).isEqualTo(first).hasSize(1);
    }
  }

  private static List<Watch> failures(TopologyRun run) {
    run.rules(at(0), rule("grows", "event", "price.base_token_price_usd > 3.5 && " + HOSTILE));
    for (var n = 1; n < 2 * MOST_FAILED_KEYS; n++) {
      run.change(pool(n, moved(at(n), n + ".0", (n + 1) + ".0")));
    }
    return run.commands();
  }

  private void failOnManyKeys(int from) {
    for (var n = from; n < from + MOST_FAILED_KEYS; n++) {
      run.change(pool(n, moved(at(n), "1.0", "3.0")));
    }
  }

  private static PoolChange pool(int number, PoolChange change) {
    change.setId("solana_" + number);
    return change;
  }

  private static String rule(String name, String kind, String when) {
    return """
        rules:
          - name: %s
            on: pool.changes
            kind: %s
            when: '%s'
            annotations: { summary: x }
        """.formatted(name, kind, when);
  }

  private static Instant at(long second) {
    return NOON.plusSeconds(second);
  }
}
