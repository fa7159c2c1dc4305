package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFormatTest {

  @ParameterizedTest
  @CsvSource({"0s, 0", "90s, 90", "2 m, 120", "24h, 86400", "30d, 2592000"})
  void numberAndUnit_isADuration(String text, long seconds) {
    assertThat(DurationFormat.OF_CONFIGURATION.parse(text)).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(DurationFormat.OF_RULES.parse(text)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "h", "-1h", "1.5h", "1h30m", "1 week"})
  void otherText_isNone(String text) {
    assertThat(DurationFormat.OF_CONFIGURATION.parse(text)).isNull();
    assertThat(DurationFormat.OF_RULES.parse(text)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"500ms", "1234567s"})
  void millisecondsAndLargeNumbers_areOfConfigurationsOnly(String text) {
    assertThat(DurationFormat.OF_CONFIGURATION.parse(text)).isNotNull();
    assertThat(DurationFormat.OF_RULES.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0, 0s", "90, 90s", "120, 2m", "3600, 1h", "90000, 25h", "172800, 2d"})
  void duration_isWrittenInTheLargestUnitWithoutRemainder(long seconds, String text) {
    assertThat(DurationFormat.format(Duration.ofSeconds(seconds))).isEqualTo(text);
  }
}
