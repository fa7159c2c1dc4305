package io.tidemark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.Main;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class SchemasCommandTest {

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @Test
  void list_namesSubjectAndId() {
    assertThat(run("schemas", "list")).isZero();
    assertThat(out.toString()).containsPattern(
        "tidemark\\.pool\\.changes-value +" + BuiltInRegistry.idOf(PoolChange.getClassSchema()) + " PoolChange\n");
  }

  @Test
  void show_printsTheWholeSchema() {
    assertThat(run("schemas", "show", "tidemark.pool.changes-value")).isZero();
    assertThat(new Schema.Parser().parse(out.toString())).isEqualTo(PoolChange.getClassSchema());
  }

  @Test
  void showOfAMisspeltSubject_isToldTheRightOne() {
    assertThat(run("schemas", "show", "pool.chnges")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("did you mean 'pool.changes'?");
  }

  private int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }
}
