package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.AvroSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The alerts of two days, counted and charted. */
class BacktestResultTest {

  static {
    AvroSettings.apply();
  }

  static final Instant FROM = Instant.parse("2026-03-09T00:00:00Z");
  static final Instant TO = Instant.parse("2026-03-11T00:00:00Z");

  static final BacktestResult TALLY = new BacktestResult(FROM, TO, List.of(
      alert("pool-up", "fired", 1, 0),
      alert("pool-up", "fired", 1, 1),
      alert("pool-up", "fired", 2, 47),
      alert("depeg", "pending", 1, 3),
      alert("depeg", "firing", 1, 4),
      ended("depeg", 6, FROM.plus(Duration.ofHours(4))),
      alert("depeg", "pending", 1, 10),
      ended("depeg", 11, null)), Set.of("pool-up", "depeg"));
  static final Terminal FILE = Terminal.of(120, false);

  @Test
  void events_fireEachTime() {
    var rule = TALLY.rules().get("pool-up");

    assertThat(rule.fires()).isEqualTo(3);
    assertThat(rule.resolves()).isZero();
    assertThat(rule.perDay()).isEqualTo(1.5);
    assertThat(rule.versions()).containsExactly(1L, 2L);
    assertThat(rule.byDay())
        .isEqualTo(Map.of(LocalDate.parse("2026-03-09"), 2L, LocalDate.parse("2026-03-10"), 1L));
  }

  @Test
  void conditionThatNeverFired_passedAndDidNotResolve() {
    var rule = TALLY.rules().get("depeg");

    assertThat(rule.fires()).isEqualTo(1);
    assertThat(rule.resolves()).isEqualTo(1);
    assertThat(rule.passed()).isEqualTo(1);
  }

  @Test
  void columns_areOfEqualLength() {
    var parts = TALLY.rules().get("pool-up").byPart(BacktestResult.PARTS);

    assertThat(parts).hasSize(BacktestResult.PARTS);
    assertThat(LongStream.of(parts).sum()).isEqualTo(3);
    assertThat(List.of(parts[0], parts[1], parts[47])).containsExactly(1L, 1L, 1L);
  }

  @Test
  void text_hasALineForEachRule() {
    var bare = " ".repeat(43);

    assertThat(TALLY.text(FILE)).isEqualTo("""
        2026-03-09T00:00:00Z to 2026-03-11T00:00:00Z, 2.00 days
        rule                    version   fires  resolves  passed   per day  when
        depeg                         1       1         1       1       0.5  |    █%s|
        pool-up                     1,2       3         0       0       1.5  |██%s  █|""".formatted(bare, bare));
  }

  @Test
  void nothingFired_isPrinted() {
    assertThat(new BacktestResult(FROM, TO, List.of(), Set.of()).text(FILE))
        .endsWith("\nnothing fired");
  }

  @Test
  void ruleThatDidNotFire_isListed_andAShortRangeHasNoRate() {
    var result =
        new BacktestResult(FROM, FROM.plusSeconds(300).plusNanos(200_473_449), List.of(alert("pool-up", "fired", 1, 0)),
            Set.of("pool-up", "depeg"));

    assertThat(result.text(Terminal.of(80, false))).isEqualTo("""
        2026-03-09T00:00:00Z to 2026-03-09T00:05:00Z, 5.0 minutes
        rule                    version   fires  resolves  passed   per day  when
        depeg                                 0         0       0         -
        pool-up                       1       1         0       0         -  |█       |""");
    assertThat(result.json().at("/rules/pool-up/per_day").isNull()).isTrue();
  }

  @Test
  void chart_isRelativeToTheHighestColumn() {
    assertThat(BacktestResult.chart(new long[] {0, 1, 8, 16})).isEqualTo(" ▁▄█");
  }

  @Test
  void json_hasTheFiguresOfEachRule() {
    var json = TALLY.json();

    assertThat(json.at("/rules/pool-up").toString()).isEqualTo(
        "{\"versions\":[1,2],\"fires\":3,\"resolves\":0,\"passed\":0,\"per_day\":1.5,"
            + "\"by_day\":{\"2026-03-09\":2,\"2026-03-10\":1}}");
    assertThat(json.get("alerts")).hasSize(8);
  }

  private static Alert alert(String rule, String status, long version, int hours) {
    return Alert.newBuilder()
        .setRule(rule)
        .setStatus(status)
        .setRuleVersion(version)
        .setEventTime(FROM.plus(Duration.ofHours(hours)))
        .build();
  }

  private static Alert ended(String rule, int hours, Instant firedAt) {
    var alert = alert(rule, "resolved", 1, hours);
    alert.setFiredAt(firedAt);
    return alert;
  }
}
