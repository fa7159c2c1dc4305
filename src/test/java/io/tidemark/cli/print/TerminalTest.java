package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalTest {

  @Test
  void terminal_isMeasuredAndColoured() {
    var terminal = of(Map.of(), true);

    assertThat(terminal.columns()).isEqualTo(93);
    assertThat(terminal.colours()).isTrue();
  }

  @Test
  void pipe_hasAFixedWidthAndNoColours() {
    var pipe = of(Map.of(), false);

    assertThat(pipe.columns()).isEqualTo(120);
    assertThat(pipe.colours()).isFalse();
  }

  @Test
  void columns_ofTheEnvironmentComeFirst() {
    assertThat(of(Map.of("COLUMNS", "80"), true).columns()).isEqualTo(80);
    assertThat(of(Map.of("COLUMNS", "80"), false).columns()).isEqualTo(80);
    assertThat(of(Map.of("COLUMNS", "wide"), true).columns()).isEqualTo(93);
    assertThat(of(Map.of("COLUMNS", "3"), true).columns()).isEqualTo(40);
  }

  @Test
  void noColor_isObeyedWhereItIsNotEmpty() {
    assertThat(of(Map.of("NO_COLOR", "1"), true).colours()).isFalse();
    assertThat(of(Map.of("NO_COLOR", ""), true).colours()).isTrue();
    assertThat(of(Map.of("TERM", "dumb"), true).colours()).isFalse();
  }

  private static Terminal of(Map<String, String> environment, boolean isTerminal) {
    return Terminal.of(environment::get, isTerminal, () -> 93);
  }
}
