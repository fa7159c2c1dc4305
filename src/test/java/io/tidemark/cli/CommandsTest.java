package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.rule.file.ShippedRules;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages and exit codes of wrong command lines. */
class CommandsTest {

  static final String NOBODY = "127.0.0.1:1";

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @TempDir
  Path folder;

  @Test
  void misspeltTopic_getsASuggestion() {
    assertThat(run("tail", "pool.chnges")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).isEqualTo("tidemark: there is no topic 'pool.chnges'; did you mean 'pool.changes'?\n");
  }

  @Test
  void hostileText_isEscapedInMessages() {
    assertThat(run("tail", "pool\u009b2J\u202e")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("there is no topic 'pool\\u009b2J\\u202e'");
    assertThat(run("no\u001b[2Jcommand")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("no\\u001b[2Jcommand").doesNotContain("\u001b");
  }

  @Test
  void misspeltCondition_isReportedWithItsPosition() {
    assertThat(run("tail", "pool.changes", "--where", "changed.prise")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString())
        .contains("--where, for tidemark.pool.changes: line 1, column 1", "did you mean changed.price?");
  }

  @Test
  void wrongStartPosition_isRejected() {
    assertThat(run("tail", "pool.changes", "--from", "yesterday")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --from: 'yesterday' is no start position");
  }

  @Test
  void missingCluster_isNotReachable() {
    assertThat(run("topics", "--bootstrap", NOBODY)).isEqualTo(CommandFailure.NOT_REACHABLE);
    assertThat(err.toString()).startsWith("tidemark: no Kafka answers at " + NOBODY);
  }

  @Test
  void wrongConfiguration_isWrongUsageForRunAndAProblemForCheck() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, "sorces: []\n");

    assertThat(run("run", "--config", config.toString())).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(run("check", "--config", config.toString())).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(err.toString()).contains(config + ":1:1: unknown key 'sorces'; did you mean 'sources'?");
  }

  @Test
  void rightConfiguration_isSummarisedOffline() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, """
        sources:
          - base-url: https://example.org/api/v3
            watch: { global: {}, coins: { bitcoin: { history: { days: 3 } } } }
        """);

    assertThat(run("check", "--offline", "--config", config.toString())).isZero();
    assertThat(out.toString()).isEqualTo("""
        source main: 1 targets, 1 histories; one round takes up to 4 calls, of 30 a minute and 10000 a month
        rules: %d; 'tidemark rules check' lists those without data
        """.formatted(ShippedRules.names().size()));
  }

  @Test
  void impossibleSpeed_isRejected() {
    assertThat(run("simulate", "--speed", "1000")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --speed: must be between 0.1 and 100, is 1000.0");
  }

  @Test
  void dataOfAnotherSeed_isRejected() throws Exception {
    Files.writeString(folder.resolve("seed"), "7");

    assertThat(run("demo", "--data", folder.toString())).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("holds the market of seed 7: use --seed 7");
  }

  private int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }
}
