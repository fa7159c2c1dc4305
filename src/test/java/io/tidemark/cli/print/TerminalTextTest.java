package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTextTest {

  @ParameterizedTest
  @CsvSource({
    "0.0000566673284218277368707532612867396024960039002528290815078515286, 0.0000566673",
    "98049483.9912, 98049483.99",
    "2434.3712345, 2434.37",
    "12, 12",
    "1.95378e-05, 0.0000195378",
    "2.70016521312815e+15, 2700165213128150",
    "-0.00012345678, -0.000123457",
    "0.0, 0",
    "NaN, NaN",
    "1e999999999, 1e999999999",
  })
  void figure_keepsSignificantDigits(String sent, String shown) {
    assertThat(TerminalText.value(sent)).isEqualTo(shown);
  }

  @Test
  void hostileName_isEscapedOnOneLine() {
    assertThat(TerminalText.text("a\u001b[2Jb\u202ec\nd\ud800")).isEqualTo("a\\u001b[2Jb\\u202ec\\u000ad\\ud800");
  }

  @Test
  void ordinaryName_staysAsItIs() {
    assertThat(TerminalText.text("狗狗币 / SOL 🚀 $0.3%")).isEqualTo("狗狗币 / SOL 🚀 $0.3%");
  }

  @Test
  void endlessName_isTruncated() {
    assertThat(TerminalText.text("x".repeat(10_000))).isEqualTo("x".repeat(60) + "...");
  }
}
