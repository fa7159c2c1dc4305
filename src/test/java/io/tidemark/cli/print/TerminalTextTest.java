package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTextTest {

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

  @Test
  void columns_countWideAndCombiningCharacters() {
    assertThat(TerminalText.width("狗a🚀e\u0301")).isEqualTo(6);
    assertThat(TerminalText.cut("狗狗币", 5)).isEqualTo("狗狗");
  }
}
