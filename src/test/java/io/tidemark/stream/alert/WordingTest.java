package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordingTest {

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
      "PEPE / SOL 0.3% | PEPE / SOL 0.3%",
      "'\u202Eevil\u2066' | evil",
      "'two\nlines\r\tand\u2028more' | two lines and more",
      "'\u200B\uFEFF' | unnamed",
      "犬 🐶 | 犬 🐶"})
  void name_keepsOnlyWhatIsHarmless(String name, String harmless) {
    assertThat(Wording.name(name)).isEqualTo(harmless);
  }

  @Test
  void longName_isCutBetweenCharacters() {
    var name = Wording.name("🐶".repeat(10_000));

    assertThat(name).isEqualTo("🐶".repeat(79) + "…");
  }

  @Test
  void halfACharacter_isLeftOut() {
    assertThat(Wording.name("a\uD83Db")).isEqualTo("a b");
  }

  @ParameterizedTest
  @CsvSource({"1234567.8, '1,234,568 USD'", "0.00001234567, '1.235e-05 USD'", "12.5, 12.50 USD", ", unknown"})
  void figure_isShort(Double value, String word) {
    assertThat(Wording.usd(value)).isEqualTo(word);
  }

  @ParameterizedTest
  @CsvSource({"59, 59 seconds", "119, 119 seconds", "240, 4 minutes", "7199, 119 minutes", "7200, 2 hours"})
  void span_isInItsLargestUnit(long seconds, String word) {
    assertThat(Wording.span(Duration.ofSeconds(seconds))).isEqualTo(word);
  }
}
