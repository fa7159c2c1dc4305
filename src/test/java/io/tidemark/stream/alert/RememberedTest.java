package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Course;
import io.tidemark.event.Courses;
import io.tidemark.rule.Past.Stretch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedTest {

  static final String PATH = "price.base_token_price_usd";
  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  static final Duration HOUR = Duration.ofHours(1);

  private final Course course = Recording.begin(PATH, NOON, 5.0);

  @Test
  void whatWasNeverRemembered_hasNoPast() {
    assertThat(past(30).over("liquidity.reserve_in_usd", TEN_MINUTES)).isNull();
    assertThat(new Remembered(NOON, null).over(PATH, TEN_MINUTES)).isNull();
  }

  @Test
  void pastYoungerThanTheStretch_isNoValueYet() {
    assertThat(past(9).over(PATH, TEN_MINUTES)).isNull();
    assertThat(past(10).over(PATH, TEN_MINUTES)).isEqualTo(new Stretch(5, 5, 5, 0, 0));
  }

  @Test
  void stretch_beginsWithTheValueInForceAndHasAllThatCame() {
    see(20, 7);
    see(25, 3);
    see(26, 4);

    assertThat(past(30).over(PATH, TEN_MINUTES)).isEqualTo(new Stretch(5, 3, 7, 14, 3));
    assertThat(past(31).over(PATH, TEN_MINUTES)).isEqualTo(new Stretch(7, 3, 7, 7, 2));
    assertThat(past(40).over(PATH, TEN_MINUTES)).isEqualTo(new Stretch(4, 4, 4, 0, 0));
  }

  @Test
  void valuesOfOneMinute_areOneBucket() {
    Recording.add(course, at(20), 9, at(19), HOUR);
    Recording.add(course, at(20).plusSeconds(30), 8, at(20), HOUR);

    assertThat(course.getMinutes()).hasSize(1);
    assertThat(past(21).over(PATH, TEN_MINUTES)).isEqualTo(new Stretch(5, 5, 9, 17, 2));
  }

  @Test
  void looksFurtherApartThanTheStretch_areNoValue() {
    Recording.add(course, at(40), 9, at(25), HOUR);

    assertThat(past(41).over(PATH, TEN_MINUTES)).isNull();
    assertThat(past(41).over(PATH, Duration.ofMinutes(20))).isNotNull();
    assertThat(past(51).over(PATH, TEN_MINUTES)).isEqualTo(new Stretch(9, 9, 9, 0, 0));
  }

  @Test
  void minutesThatNoRuleCanAskFor_areNotKept() {
    for (var minute = 1; minute < 500; minute++) {
      see(minute, minute);
    }

    assertThat(course.getMinutes()).hasSize(62);
    assertThat(course.getBefore()).isEqualTo(437);
  }

  @Test
  void pastLongerThanWhatIsKept_isNoValue() {
    for (var minute = 1; minute < 500; minute++) {
      see(minute, minute);
    }

    assertThat(past(499).over(PATH, HOUR)).isEqualTo(new Stretch(438, 438, 499, 61 * 469.0, 61));
    assertThat(past(499).over(PATH, HOUR.multipliedBy(24))).isNull();
  }

  @Test
  void lateValue_goesToItsMinute() {
    see(20, 7);
    see(25, 3);
    see(22, 9);

    assertThat(past(30).over(PATH, TEN_MINUTES)).isEqualTo(new Stretch(5, 3, 9, 19, 3));
    assertThat(Recording.newest(course)).isEqualTo(3);
  }

  @Test
  void age_isThatOfTheNewestValue() {
    assertThat(past(30).changedAt(PATH)).isNull();

    see(20, 7);

    assertThat(past(30).changedAt(PATH)).isEqualTo(at(20));
  }

  private void see(int minute, double value) {
    Recording.add(course, at(minute), value, at(minute).minusSeconds(30), HOUR);
  }

  private Remembered past(int minute) {
    return new Remembered(at(minute), new Courses(List.of(course)));
  }

  private static Instant at(int minute) {
    return NOON.plus(Duration.ofMinutes(minute));
  }
}
