package io.tidemark.cli.rules;

import io.tidemark.rule.file.RuleJsonSchema;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = "Prints the JSON Schema of rule files, by which editors complete and check them.")
public final class RuleSchemaCommand implements Runnable {

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    out.print(text());
    out.flush();
  }

  public static String text() {
    return RuleJsonSchema.json(new Topics("tidemark.", Retention.DEFAULT).ruleSchemas().keySet());
  }
}
