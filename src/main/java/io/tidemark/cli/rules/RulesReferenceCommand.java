package io.tidemark.cli.rules;

import io.tidemark.cli.reference.RulesReference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "reference",
    mixinStandardHelpOptions = true,
    description = "Prints the generated part of the page on rules: shipped rules, and the names of each topic.")
final class RulesReferenceCommand implements Runnable {

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    RulesReference.page().forEach(out::println);
    out.flush();
  }
}
