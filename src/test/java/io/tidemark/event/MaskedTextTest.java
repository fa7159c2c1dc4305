package io.tidemark.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MaskedTextTest {

  @Test
  void whatSteersTerminals_isReplaced() {
    assertThat(SafeText.masked("a\r\nb\u001b[2J\u202Ec\u2028d", 100))
        .isEqualTo("a\uFFFD\uFFFDb\uFFFD[2J\uFFFDc\uFFFDd");
  }

  @Test
  void longText_isCutBetweenCharacters() {
    assertThat(SafeText.masked("ab\uD83D\uDE80cd", 3)).isEqualTo("ab");
  }

  @Test
  void plainText_staysAsItIs() {
    assertThat(SafeText.masked("PEPE / WETH 0.3% \uD83D\uDE80", 100)).isEqualTo("PEPE / WETH 0.3% \uD83D\uDE80");
  }
}
