package io.tidemark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class StartPositionTest {

  @Test
  void beginningAndNow_areParsed() {
    assertThat(StartPosition.parse("beginning")).isEqualTo(new StartPosition.Beginning());
    assertThat(StartPosition.parse("now")).isEqualTo(new StartPosition.End());
  }

  @Test
  void timeOrDay_isParsed() {
    assertThat(StartPosition.parse("2026-03-10T13:00:00+01:00"))
        .isEqualTo(new StartPosition.At(Instant.parse("2026-03-10T12:00:00Z")));
    assertThat(StartPosition.parse("2026-03-10"))
        .isEqualTo(new StartPosition.At(Instant.parse("2026-03-10T00:00:00Z")));
  }

  @Test
  void otherText_isRejectedWithAnExample() {
    assertThatThrownBy(() -> StartPosition.parse("yesterday")).hasMessage(
        "'yesterday' is no start position: beginning, now, or a time such as 2026-03-10T12:00:00Z");
  }
}
