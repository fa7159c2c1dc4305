package io.tidemark.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.print.RecordPrinter;
import io.tidemark.cli.print.Terminal;
import io.tidemark.event.Alert;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.CoinDayChange;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenPrice;
import io.tidemark.event.TokenPriceChange;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LiveChangesPrinterTest {

  static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");
  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);

  final StringWriter printed = new StringWriter();
  Instant now = NOON;
  final LiveChangesPrinter changes = new LiveChangesPrinter(
      new RecordPrinter(ZoneOffset.UTC, Terminal.of(80, false), topic -> ""), new PrintWriter(printed), () -> now,
      unreadable -> {},
      List.of("first tip", "second tip"));

  @BeforeAll
  static void trustEvents() {
    AvroSettings.apply();
  }

  @Test
  void ofEveryTwoSeconds_theLargestMoveOfTwoKindsIsPrinted() {
    changes.test(pool("A / SOL", 1.0));
    changes.test(pool("B / SOL", -9.0));
    changes.test(pool("C / SOL", 2.0));
    changes.test(token("DOG", 0.5));
    changes.test(token("CAT", 0.7));
    secondsPass(4);

    assertThat(names()).containsExactly("B / SOL", "token CAT");
  }

  @Test
  void baseline_isCountedInOneLine() {
    var baseline = PoolChange.newBuilder(poolChange("OLD / SOL", 3.0)).setOrigin(origin(true)).build();
    changes.test(record(TOPICS.pool().changes(), baseline));
    changes.test(record(TOPICS.pool().changes(), baseline));
    secondsPass(4);

    assertThat(printed.toString())
        .isEqualToIgnoringNewLines("         read for the first time, so no change to show: 2 pools");
  }

  @Test
  void baselineOfDays_isNamedInWords() {
    var day = CoinDayChange.newBuilder().setCoin("bitcoin").setDate("2026-05-05").setOrigin(origin(true)).build();
    changes.test(record(TOPICS.resource("coin-day").changes(), day));
    changes.test(record(TOPICS.resource("coin-day").changes(), day));
    secondsPass(4);

    assertThat(printed.toString())
        .isEqualToIgnoringNewLines(
            "         read for the first time, so no change to show: 2 days of coin history");
  }

  @Test
  void alert_isPrintedAmongTheChangesOfItsRound() {
    changes.test(at(NOON.plusMillis(1_200), record(TOPICS.alerts(), alert("second fire"))));
    changes.test(at(NOON.plusMillis(1_500), pool("NEWER / SOL", 1.0)));
    changes.test(at(NOON.plusMillis(1_000), record(TOPICS.alerts(), alert("first fire"))));
    changes.test(at(NOON.plusMillis(900), record(TOPICS.alerts(), alert("one too many"))));
    assertThat(printed.toString()).isEmpty();
    secondsPass(2);

    assertThat(printed.toString()).containsSubsequence("first fire", "second fire", "NEWER / SOL")
        .doesNotContain("one too many");
    secondsPass(2);
    assertThat(printed.toString()).containsOnlyOnce("first fire");
  }

  @Test
  void changesOfOneRound_areInTheOrderOfTime() {
    changes.test(at(NOON.plusMillis(1_500), pool("NEWER / SOL", 1.0)));
    changes.test(at(NOON.plusMillis(1_000), token("OLDER", 0.5)));
    secondsPass(2);

    assertThat(names()).containsExactly("token OLDER", "NEWER / SOL");
  }

  @Test
  void changeThatIsOlderThanTheLinesBefore_isOnlyCounted() {
    changes.test(at(NOON.plusMillis(1_500), pool("NEWER / SOL", 1.0)));
    secondsPass(2);
    changes.test(at(NOON.plusMillis(1_000), token("OLDER", 1.0)));
    secondsPass(2);

    assertThat(names()).containsExactly("NEWER / SOL");
    secondsPass(30);
    assertThat(printed.toString()).contains("so far 2 changes and 0 alerts; shown here: a sample of 1");
  }

  @Test
  void footers_countWhatWasNotPrinted_andTheirTipsTakeTurns() {
    for (int i = 0; i < 5; i++) {
      changes.test(pool("A / SOL", 1.0));
    }
    secondsPass(30);
    secondsPass(30);

    assertThat(printed.toString())
        .contains("so far 5 changes and 0 alerts; shown here: a sample of 1")
        .containsSubsequence("first tip", "second tip");
  }

  private void secondsPass(int seconds) {
    now = now.plusSeconds(seconds);
    changes.tick();
  }

  private List<String> names() {
    return printed.toString().lines().map(line -> line.substring(18, 34).strip()).toList();
  }

  private static CommittedRecord at(Instant time, CommittedRecord record) {
    return new CommittedRecord(record.topic(), 0, 7, time.toEpochMilli(), "k", Map.of(), 0, record.value(), null);
  }

  private static CommittedRecord pool(String name, double percent) {
    return record(TOPICS.pool().changes(), poolChange(name, percent));
  }

  private static PoolChange poolChange(String name, double percent) {
    var before = PoolPrice.newBuilder().setBaseTokenPriceUsd("1").build();
    var after = PoolPrice.newBuilder().setBaseTokenPriceUsd("2").build();
    return PoolChange.newBuilder().setOrigin(origin(false)).setAbout(PoolAbout.newBuilder().setName(name).build())
        .setPrice(new PoolPriceChange(before, after, NOON, percent)).build();
  }

  private static CommittedRecord token(String symbol, double percent) {
    var change = TokenChange.newBuilder().setOrigin(origin(false))
        .setPrice(new TokenPriceChange(new TokenPrice("1"), new TokenPrice("2"), NOON, percent)).build();
    change.getAbout().setSymbol(symbol);
    return record(TOPICS.token().changes(), change);
  }

  private static Origin origin(boolean baseline) {
    return Origin.newBuilder().setBaseline(baseline).setObservedAt(NOON).build();
  }

  private static Alert alert(String summary) {
    return Alert.newBuilder().setSummary(summary).build();
  }

  private static CommittedRecord record(Topic<?> topic, SpecificRecord value) {
    return new CommittedRecord(topic.name(), 0, 7, NOON.toEpochMilli(), "k", Map.of(), 0, value, null);
  }
}
