package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class FromTest {

  @Test
  void words_areUnderstood() {
    assertThat(From.parse("beginning")).isEqualTo(new From.Beginning());
    assertThat(From.parse("now")).isEqualTo(new From.Now());
  }

  @Test
  void timeOrDay_isUnderstood() {
    assertThat(From.parse("2026-03-10T13:00:00+01:00")).isEqualTo(new From.At(Instant.parse("2026-03-10T12:00:00Z")));
    assertThat(From.parse("2026-03-10")).isEqualTo(new From.At(Instant.parse("2026-03-10T00:00:00Z")));
  }

  @Test
  void anythingElse_isRefusedWithAnExample() {
    assertThatThrownBy(() -> From.parse("yesterday")).hasMessage(
        "'yesterday' is no place to begin: beginning, now, or a time such as 2026-03-10T12:00:00Z");
  }
}
