package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.cli.Main;
import io.tidemark.cli.wiring.CommandFailure;
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
    assertThat(run("bench", "--smoke", "--parts", "same,parse", "--format", "json")).isZero();

    var lines = out.toString().lines().map(BenchCommandTest::json).toList();
    assertThat(lines).extracting(line -> line.path("part").asText()).containsExactly("parse", "same");
    assertThat(lines).allSatisfy(line -> assertThat(line.propertyStream().map(Map.Entry::getKey))
        .containsExactly("part", "unit", "ours", "limit", "ratio", "rounds", "lowest_ratio", "highest_ratio", "reach",
            "reached"));
  }

  @Test
  void results_areRowsOfATable() {
    assertThat(run("bench", "--smoke", "--parts", "parse")).isZero();
    assertThat(out.toString())
        .containsPattern(
            "part +ours +limit +ratio +rounds +from, to +reach\nparse +[0-9.,]+ µs +[0-9.,]+ µs +[0-9.]+ +[0-9]+ +[0-9.]+ to [0-9.]+ +0.50")
        .containsPattern("[01] of 1 reached; 0 min [0-9]+ s\n");
  }

  @Test
  void unknownPart_isWrongUsage() {
    assertThat(run("bench", "--parts", "prse")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --parts: there is no part 'prse'; there are ");
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
