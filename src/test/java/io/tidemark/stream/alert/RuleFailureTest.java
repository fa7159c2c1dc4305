package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.moved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.event.Alert;
import io.tidemark.event.Watch;
import io.tidemark.rule.file.RuleFailure;
import io.tidemark.stream.TopologyRun;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rules whose evaluation fails: each is put out of force, and the others go on. */
class RuleFailureTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final String HOSTILE = "[about.name]" + ".map(a, a + a + a + a)".repeat(20) + ".size() > 0";

  private final TopologyRun run = TopologyRun.start();

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void ruleBeyondItsBudget_isPutOutOfForceAtItsRecord_andTheOthersGoOn() {
    run.rules(at(0), rule("hostile", "event", HOSTILE)
        + rule("good", "event", "changed.price").replace("rules:\n", ""));
    run.change(moved(at(1), "1.0", "3.0"));
    run.change(moved(at(2), "3.0", "4.0"));

    assertThat(run.alerts()).extracting(Alert::getRule).containsExactly("good", "good");
    assertThat(run.commands()).singleElement().satisfies(command -> {
      assertThat(command.getKind()).isEqualTo("rule-failure");
      assertThat(command.getName()).isEqualTo("hostile");
      assertThat(command.getAt()).isEqualTo(at(1));
      var failure = RuleFailure.parse(command.getText());
      assertThat(failure.version()).isEqualTo(1);
      assertThat(failure.topic()).isEqualTo("test.pool.changes");
      assertThat(failure.key()).isEqualTo(POOL);
      assertThat(failure.reason()).contains("more than 50000 steps");
    });
  }

  @Test
  void announcedFailure_isOneAlertWithEvidence() {
    run.rules(at(0), rule("hostile", "event", HOSTILE));
    run.change(moved(at(1), "1.0", "3.0"));
    var command = run.commands().getFirst();
    run.ruleFailure(at(3), command);
    run.ruleFailure(at(9), command);
    run.ruleFailure(at(10), Watch.newBuilder(command).setText("no failure").build());
    run.ruleFailure(at(11), Watch.newBuilder(command).setText(null).build());

    assertThat(run.alerts()).singleElement().satisfies(alert -> {
      assertThat(alert.getRule()).isEqualTo("rule-failed");
      assertThat(alert.getStatus()).isEqualTo("fired");
      assertThat(alert.getSeverity()).isEqualTo("critical");
      assertThat(alert.getSubject()).isEqualTo("hostile");
      assertThat(alert.getSummary()).contains("hostile").contains("50000 steps");
      assertThat(alert.getEventTime()).isEqualTo(at(1));
      assertThat(alert.getEvidence()).singleElement().satisfies(evidence -> {
        assertThat(evidence.getTopic()).isEqualTo("test.pool.changes");
        assertThat(evidence.getKey()).isEqualTo(POOL);
        assertThat(evidence.getValues()).containsEntry("version", "1");
      });
    });
  }

  @Test
  void failingCondition_resolvesItsAlerts() {
    run.rules(at(0), rule("turns", "condition", "price.base_token_price_usd < 5.0 || " + HOSTILE));
    run.change(moved(at(1), "1.0", "3.0"));
    run.change(moved(at(2), "3.0", "9.0"));

    assertThat(run.alerts()).extracting(Alert::getStatus).containsExactly("firing", "resolved");
    assertThat(run.commands()).extracting(Watch::getName).containsExactly("turns");
  }

  @Test
  void failingText_isAFailureToo() {
    run.rules(at(0), rule("texts", "event", "changed.price").replace("summary: x", "summary: '{{ " + HOSTILE + " }}'"));
    run.change(moved(at(1), "1.0", "3.0"));

    assertThat(run.alerts()).isEmpty();
    assertThat(run.commands()).extracting(Watch::getName).containsExactly("texts");
  }

  @Test
  void changedRule_isInForceAgain() {
    run.rules(at(0), rule("mine", "event", HOSTILE));
    run.change(moved(at(1), "1.0", "3.0"));
    run.rules(at(2), rule("mine", "event", "changed.price"));
    run.ticks(at(3), at(9));
    run.change(moved(at(10), "3.0", "4.0"));

    assertThat(run.alerts()).extracting(Alert::getRule, Alert::getRuleVersion)
        .containsExactly(tuple("mine", 2L));
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
    for (var n = 1; n < 9; n++) {
      run.change(moved(at(n), n + ".0", (n + 1) + ".0"));
    }
    return run.commands();
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
