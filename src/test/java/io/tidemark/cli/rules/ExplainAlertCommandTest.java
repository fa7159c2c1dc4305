package io.tidemark.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Evidence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An alert printed in full. */
class ExplainAlertCommandTest {

  static {
    AvroSettings.apply();
  }

  static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

  @Test
  void condition_hasItsCourseAndItsEvidence() {
    var resolved = alert("resolved", NOON.plusSeconds(900));
    resolved.setReason("over");
    resolved.setEndSummary("dai is on its peg: $0.9991");

    assertThat(
        ExplainAlertCommand.print(List.of(alert("pending", NOON), alert("firing", NOON.plusSeconds(300)), resolved)))
        .isEqualTo("""
            dai is off its peg: 0.985 USD
              id: depeg/f00d/1
              rule: depeg, version 3, critical
              fingerprint: f00d
              subject: dai
              label coin: dai
              advice: inspect the pools
            transitions:
              2026-03-10T12:00:00Z  pending
              2026-03-10T12:05:00Z  firing
              2026-03-10T12:15:00Z  resolved: over; dai is on its peg: $0.9991
            evidence: tidemark.venues, key dai, observed 2026-03-10T12:00:00Z:
              median_usd = 0.985
              volume_usd = 2000000.0""");
  }

  @Test
  void evidenceOfAResource_hasItsRevision() {
    var alert = alert("fired", NOON);
    alert.getEvidence().getFirst().setRevision(7L);
    alert.getEvidence().getFirst().setGeneration(NOON.minusSeconds(60));

    assertThat(ExplainAlertCommand.print(List.of(alert)))
        .contains(", revision 7 of generation 2026-03-10T11:59:00Z, observed");
  }

  @Test
  void silencedAlert_namesItsSilence() {
    var alert = alert("fired", NOON);
    alert.setSilenced("s-1");

    assertThat(ExplainAlertCommand.print(List.of(alert))).contains("\n  silenced: s-1\n");
  }

  @Test
  void silencesOfACondition_areToldFromItsTransitions() {
    var silenced = alert("firing", NOON);
    silenced.setSilenced("nights");

    assertThat(ExplainAlertCommand.print(List.of(alert("firing", NOON), silenced, alert("firing", NOON)))).contains("""
        transitions:
          2026-03-10T12:00:00Z  firing
          2026-03-10T12:00:00Z  silenced by nights
          2026-03-10T12:00:00Z  silence ended
        """);
  }

  @Test
  void newestOfTwoAlertsOfOneTime_isTheOneReadLast() {
    var second = alert("fired", NOON);
    second.setId("depeg/f00d/1-2");

    assertThat(ExplainAlertCommand.ofNewest(List.of(alert("fired", NOON), second))).containsExactly(second);
  }

  @Test
  void hostileName_isOneBoundedLine() {
    var alert = alert("fired", NOON);
    alert.setSummary("PEPE\n\u202Eevil " + "x".repeat(10_000));

    var lines = ExplainAlertCommand.print(List.of(alert)).lines().toList();

    assertThat(lines.getFirst()).hasSizeLessThan(400).doesNotContain("\u202E");
    assertThat(lines.get(1)).isEqualTo("  id: depeg/f00d/1");
  }

  private static Alert alert(String status, Instant at) {
    return Alert.newBuilder()
        .setId("depeg/f00d/1")
        .setRule("depeg")
        .setRuleVersion(3)
        .setSeverity("critical")
        .setStatus(status)
        .setFingerprint("f00d")
        .setSubject("dai")
        .setSummary("dai is off its peg: 0.985 USD")
        .setEventTime(at)
        .setLabels(Map.of("coin", "dai"))
        .setAnnotations(Map.of("advice", "inspect the pools"))
        .setEvidence(List.of(new Evidence("tidemark.venues", "dai", null, null, NOON,
            new TreeMap<>(Map.of("median_usd", "0.985", "volume_usd", "2000000.0")))))
        .build();
  }
}
