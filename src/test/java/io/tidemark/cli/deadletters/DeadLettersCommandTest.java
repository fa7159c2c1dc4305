package io.tidemark.cli.deadletters;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DeadLettersCommandTest {

  @Test
  void bodyOnATerminal_isTextWithoutControls() throws Exception {
    var terminal = new StringWriter();
    var command = new DeadLettersCommand();
    new CommandLine(command).setOut(new PrintWriter(terminal));

    command.print("{\u009b2J\u001b]0;x\u0007\u202e\n}".getBytes(UTF_8), true);

    assertThat(terminal.toString()).isEqualTo("{\\u009b2J\\u001b]0;x\\u0007\\u202e\n}\n");
  }
}
