package io.tidemark.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckRulesCommandTest {

  private static final String RULE = """
      rules:
        - name: %s
          on: pool.changes
          when: changed.price && price.move_percent > %d
          severity: %s
          annotations: { summary: "{{ about.name }} rose" }
      """;

  private final StringWriter output = new StringWriter();

  @TempDir
  Path folder;

  /** As the runbook for a rule that turns out to be wrong says: a file with a rule of the same name. */
  @Test
  void ruleOfAFile_replacesThatOfTheConfiguration() throws IOException {
    write("configured.yaml", RULE.formatted("rise", 5, "info"));
    var config = write("tidemark.yaml", """
        kafka: { bootstrap-servers: "127.0.0.1:1" }
        rules: { shipped: none, files: [ configured.yaml ] }
        sources:
          - base-url: "http://127.0.0.1:1"
            watch: { networks: { solana: { new-pools: {} } } }
        """);
    var corrected = write("corrected.yaml", RULE.formatted("rise", 50, "critical"));

    assertThat(run("rules", "check", corrected, "--config", config)).as(output.toString()).isZero();

    assertThat(output.toString().lines().filter(line -> line.startsWith("rise"))).singleElement().asString()
        .endsWith("critical");
    assertThat(output.toString()).contains("all rules have data");
  }

  /** A source for each network, and one for the market, as a configuration may have them. */
  @ParameterizedTest
  @CsvSource({"global, 0", "platforms, 1"})
  void ruleThatGetsNoDataFromAnySource_isAProblem(String watched, int exitCode) throws IOException {
    write("mine.yaml", RULE.formatted("rise", 5, "info") + """
        - { name: shift, on: global.changes, when: changed.dominance, annotations: { summary: x } }
        """.indent(2));
    var config = write("tidemark.yaml", """
        kafka: { bootstrap-servers: "127.0.0.1:1" }
        rules: { files: [ mine.yaml ] }
        sources:
          - { name: sol, prefix: sol., base-url: "http://127.0.0.1:1",
              watch: { networks: { solana: { new-pools: {} } } } }
          - { name: market, prefix: market., base-url: "http://127.0.0.1:1", watch: { %s: {} } }
        """.formatted(watched));

    assertThat(run("rules", "check", "--config", config)).as(output.toString()).isEqualTo(exitCode);

    assertThat(output.toString()).contains("  shift: gets no data", "  rise: gets no data");
  }

  @Test
  void equalNamesInTwoFiles_areAnError() throws IOException {
    var one = write("one.yaml", RULE.formatted("rise", 5, "info"));
    var other = write("other.yaml", RULE.formatted("rise", 50, "info"));

    assertThat(run("rules", "check", one, other)).isNotZero();
    assertThat(output.toString()).contains("has the same name");
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private int run(String... arguments) {
    var writer = new PrintWriter(output);
    return Main.commandLine().setOut(writer).setErr(writer).execute(arguments);
  }
}
