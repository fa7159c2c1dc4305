package io.tidemark.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AtMostTest {

  @Test
  void wordsOfTheConfiguration_areRead() {
    assertThat(AtMost.parse("15 per minute")).isEqualTo(new AtMost(15, Duration.ofMinutes(1)));
    assertThat(AtMost.parse("1 per hour")).isEqualTo(new AtMost(1, Duration.ofHours(1)));
  }

  @Test
  void otherWords_areRefusedWithAnExample() {
    assertThatThrownBy(() -> AtMost.parse("often")).hasMessageContaining("15 per minute");
    assertThatThrownBy(() -> AtMost.parse("0 per day")).hasMessageContaining("at least 1");
  }
}
