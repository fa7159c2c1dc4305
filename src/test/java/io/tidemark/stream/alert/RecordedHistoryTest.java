package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AttributeSeries;
import io.tidemark.event.AttributeSeriesSet;
import io.tidemark.rule.expression.AttributeHistory.WindowSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordedHistoryTest {

  static final String PATH = "price.base_token_price_usd";
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  static final Duration HOUR = Duration.ofHours(1);

  private final AttributeSeries series = RecordedHistory.start(PATH, NOON, 5.0);

  @Test
  void attributeThatWasNeverRecorded_hasNoHistory() {
    assertThat(history(30).window("liquidity.reserve_in_usd", TEN_MINUTES)).isNull();
    assertThat(new RecordedHistory(NOON, null, null).window(PATH, TEN_MINUTES)).isNull();
  }

  @Test
  void historyYoungerThanTheWindow_isNoValueYet() {
    assertThat(history(9).window(PATH, TEN_MINUTES)).isNull();
    assertThat(history(10).window(PATH, TEN_MINUTES)).isEqualTo(new WindowSummary(5, 5, 5, 0, 0));
  }

  @Test
  void window_beginsWithTheValueInForceAndHasAllThatCame() {
    record(20, 7);
    record(25, 3);
    record(26, 4);

    assertThat(history(30).window(PATH, TEN_MINUTES)).isEqualTo(new WindowSummary(5, 3, 7, 14, 3));
    assertThat(history(31).window(PATH, TEN_MINUTES)).isEqualTo(new WindowSummary(7, 3, 7, 7, 2));
    assertThat(history(40).window(PATH, TEN_MINUTES)).isEqualTo(new WindowSummary(4, 4, 4, 0, 0));
  }

  @Test
  void valuesOfOneMinute_areOneBucket() {
    RecordedHistory.add(series, at(20), 9, at(19), HOUR);
    RecordedHistory.add(series, at(20).plusSeconds(30), 8, at(20), HOUR);

    assertThat(series.getMinutes()).hasSize(1);
    assertThat(history(21).window(PATH, TEN_MINUTES)).isEqualTo(new WindowSummary(5, 5, 9, 17, 2));
  }

  @Test
  void pollsFurtherApartThanTheWindow_areNoValue() {
    RecordedHistory.add(series, at(40), 9, at(25), HOUR);

    assertThat(history(41).window(PATH, TEN_MINUTES)).isNull();
    assertThat(history(41).window(PATH, Duration.ofMinutes(20))).isNotNull();
    assertThat(history(51).window(PATH, TEN_MINUTES)).isEqualTo(new WindowSummary(9, 9, 9, 0, 0));
  }

  @Test
  void minutesThatNoRuleCanQuery_areNotStored() {
    for (var minute = 1; minute < 500; minute++) {
      record(minute, minute);
    }

    assertThat(series.getMinutes()).hasSize(62);
    assertThat(series.getBefore()).isEqualTo(437);
  }

  @Test
  void windowLongerThanTheHistory_isNoValue() {
    for (var minute = 1; minute < 500; minute++) {
      record(minute, minute);
    }

    assertThat(history(499).window(PATH, HOUR)).isEqualTo(new WindowSummary(438, 438, 499, 61 * 469.0, 61));
    assertThat(history(499).window(PATH, HOUR.multipliedBy(24))).isNull();
  }

  @Test
  void lateValue_goesToItsMinute() {
    record(20, 7);
    record(25, 3);
    record(22, 9);

    assertThat(history(30).window(PATH, TEN_MINUTES)).isEqualTo(new WindowSummary(5, 3, 9, 19, 3));
    assertThat(RecordedHistory.newest(series)).isEqualTo(3);
  }

  @Test
  void age_isThatOfTheNewestValue() {
    assertThat(history(30).changedAt(PATH)).isNull();

    record(20, 7);

    assertThat(history(30).changedAt(PATH)).isEqualTo(at(20));
  }

  private void record(int minute, double value) {
    RecordedHistory.add(series, at(minute), value, at(minute).minusSeconds(30), HOUR);
  }

  private RecordedHistory history(int minute) {
    return new RecordedHistory(at(minute), new AttributeSeriesSet(List.of(series)), null);
  }

  private static Instant at(int minute) {
    return NOON.plus(Duration.ofMinutes(minute));
  }
}
