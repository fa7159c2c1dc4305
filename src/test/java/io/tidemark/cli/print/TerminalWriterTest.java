package io.tidemark.cli.print;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.kafka.RecordJson;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TerminalWriterTest {

  /** Clears the screen by a C1 control, turns the text around, hides text in tags, deletes. */
  private static final String HOSTILE = "a\u009b2Jb\u202e\u2066c\u2028d\udb40\udc41e\u007ff\u0085";

  private final StringWriter terminal = new StringWriter();
  private final TerminalWriter out = new TerminalWriter(new PrintWriter(terminal));

  @Test
  void jsonWithAHostileName_hasNoControls_andStaysTheSameValue() throws Exception {
    var json = RecordJson.value(Map.of("name", HOSTILE));

    assertThat(json.toString()).as("JSON alone is not safe").contains("\u009b", "\u202e");
    out.println(json.toString());

    assertThat(terminal.toString()).contains("\\u009b2J", "\\u202e\\u2066", "\\udb40\\udc41", "\\u007f");
    assertThat(terminal.toString().strip()).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");
    assertThat(new ObjectMapper().readTree(terminal.toString())).hasToString(json.toString());
  }

  @Test
  void text_keepsLinesAndTabs_butNoOtherControlCharacters() {
    out.printf("%s\t%s%n", "\u001b]0;title\u0007", "狗狗币 🚀");
    out.print("next\r");

    assertThat(terminal.toString()).isEqualTo("\\u001b]0;title\\u0007\t狗狗币 🚀\nnext\\u000d");
  }
}
