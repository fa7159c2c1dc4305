package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.app.CommandFailure;
import io.tidemark.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code bench} prints; what it measures, the test of its parts shows. */
class BenchCommandTest {
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @Test
  void eachResult_isALineOfJson() throws Exception {
    assertThat(run("bench", "--smoke", "--parts", "ledger,detect", "--format", "json")).isZero();

    var lines = out.toString().lines().map(BenchCommandTest::json).toList();
    assertThat(lines).extracting(line -> line.path("part").asText()).containsExactly("detect",
        "ledger, 8 a transaction");
    assertThat(lines).allSatisfy(line -> assertThat(line.propertyStream().map(Map.Entry::getKey))
        .startsWith("part", "unit", "measured", "at_least", "held", "rounds", "times_plan"));
  }

  @Test
  void results_areRowsOfATable() {
    assertThat(run("bench", "--smoke", "--parts", "detect")).isZero();
    assertThat(out.toString())
        .containsPattern("""
            part +measured +aim
            detect +[0-9.,]+ pools/s +>= 6,667 pools/s
                (not held; )?[0-9.,]+ plans, [0-9.]+ % of a core a plan
            """)
        .containsPattern("[01] of 1 held; 0 min [0-9]+ s\n");
  }

  @Test
  void unknownPart_isWrongUsage() {
    assertThat(run("bench", "--parts", "prse")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --parts: there is no part 'prse'; the parts are ");
  }

  private static JsonNode json(String line) {
    try {
      return new JsonMapper().readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }
}
