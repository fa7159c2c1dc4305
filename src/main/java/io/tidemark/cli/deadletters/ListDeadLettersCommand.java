package io.tidemark.cli.deadletters;

import io.tidemark.cli.print.DeadLetterPrinter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the dead letters: place (PARTITION:OFFSET), time, question, reason, and how the body begins.")
final class ListDeadLettersCommand implements Runnable {

  @Mixin
  DeadLetterOptions box = new DeadLetterOptions();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var deadLetters = box.open();
    var marks = deadLetters.marks();
    deadLetters.forEach(deadLetter -> {
      var replayed = marks.has(deadLetter) ? " (replayed)" : "";
      out.println(deadLetter.position() + " " + deadLetter.content().getReceivedAt() + replayed + " "
          + DeadLetterPrinter.of(deadLetter));
    });
    out.flush();
  }
}
