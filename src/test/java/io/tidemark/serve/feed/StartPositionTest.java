package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class StartPositionTest {

  static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

  @Test
  void beginningAndNow_areParsed() {
    assertThat(parse("beginning")).isEqualTo(new StartPosition.Beginning());
    assertThat(parse("now")).isEqualTo(new StartPosition.End());
  }

  @Test
  void timeOrDay_isParsed() {
    assertThat(parse("2026-03-10T13:00:00+01:00"))
        .isEqualTo(new StartPosition.At(Instant.parse("2026-03-10T12:00:00Z")));
    assertThat(parse("2026-03-10"))
        .isEqualTo(new StartPosition.At(Instant.parse("2026-03-10T00:00:00Z")));
  }

  @Test
  void duration_isThatLongAgo() {
    assertThat(parse("10m")).isEqualTo(new StartPosition.At(NOON.minusSeconds(600)));
  }

  @Test
  void durationOfManyYears_endsWithTheEpoch() {
    assertThat(parse("999999d")).isEqualTo(new StartPosition.At(Instant.EPOCH));
  }

  @Test
  void future_isRejected() {
    assertThat(parse("2026-03-10T12:00:00Z")).isEqualTo(new StartPosition.At(NOON));
    assertThatThrownBy(() -> parse("2026-03-11")).hasMessage("'2026-03-11' is in the future");
  }

  @Test
  void otherText_isRejectedWithAnExample() {
    assertThatThrownBy(() -> parse("yesterday")).hasMessage(
        "'yesterday' is not a start position; use beginning, now, a duration such as 10m, or a time such as "
            + "2026-03-10T12:00:00Z");
  }

  @Test
  void time_isADurationBeforeNow_orATime_alsoOfTheFuture() {
    assertThat(time("1h")).isEqualTo(NOON.minusSeconds(3_600));
    assertThat(time("2026-03-11")).isEqualTo(Instant.parse("2026-03-11T00:00:00Z"));
    assertThatThrownBy(() -> time("beginning"))
        .hasMessage("'beginning' is not a time; use a duration such as 10m, or a time such as 2026-03-10T12:00:00Z");
  }

  private static Instant time(String text) {
    return StartPosition.time(text, InstantSource.fixed(NOON));
  }

  private static StartPosition parse(String text) {
    return StartPosition.parse(text, InstantSource.fixed(NOON));
  }
}
