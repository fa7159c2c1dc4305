package io.tidemark.stream.aggregate;

import static io.tidemark.stream.aggregate.Origins.minute;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Point;
import java.util.List;
import org.junit.jupiter.api.Test;

class DayHistoryTest {

  @Test
  void hourAgo_isKnownToTheMinute() {
    var history = minutes(300);

    assertThat(DayHistory.at(history, minute(300 - 60))).isEqualTo(240.0);
    assertThat(DayHistory.at(history, minute(300 - 5))).isEqualTo(295.0);
  }

  @Test
  void dayAgo_isKnownToTenMinutes() {
    var history = minutes(3_000);

    assertThat(DayHistory.at(history, minute(3_000 - 1_440))).isBetween(3_000 - 1_450.0, 3_000 - 1_440.0);
    assertThat(history).hasSizeLessThan(65 + 145);
  }

  /** Two points of the same ten minutes stand for most of a day; the next update comes when one is a day old. */
  @Test
  void dayAgoBetweenTwoPointsOfTheSameTenMinutes_isKnown() {
    List<Point> history = List.of();
    for (var update : List.of(-30, 1, 8, 1_443)) {
      history = DayHistory.with(history, minute(update), update, null);
    }

    assertThat(DayHistory.at(history, minute(3))).isEqualTo(1.0);
    assertThat(DayHistory.at(history, minute(8))).isEqualTo(8.0);
    assertThat(history).hasSize(3);
  }

  @Test
  void timeBeforeTheFirstPoint_isUnknown() {
    assertThat(DayHistory.at(minutes(10), minute(-1))).isNull();
  }

  @Test
  void valueWithinAGap_isUnknown() {
    var history = DayHistory.with(minutes(10), minute(480), 20, minute(60));

    assertThat(DayHistory.at(history, minute(59))).isEqualTo(10.0);
    assertThat(DayHistory.at(history, minute(420))).isNull();
    assertThat(DayHistory.at(history, minute(480))).isEqualTo(20.0);
    assertThat(DayHistory.with(history, minute(490), 21, minute(60)))
        .as("the same gap, known already").hasSize(history.size() + 1);
  }

  @Test
  void valueThatStands_isOnePointForGood() {
    List<Point> history = List.of();
    for (var n = 0; n < 5_000; n++) {
      history = DayHistory.with(history, minute(n), 7, null);
    }

    assertThat(history).hasSize(1);
    assertThat(DayHistory.at(history, minute(5_000))).isEqualTo(7.0);
  }

  private static List<Point> minutes(int last) {
    List<Point> history = List.of();
    for (var n = 0; n <= last; n++) {
      history = DayHistory.with(history, minute(n), n, null);
    }
    return history;
  }
}
