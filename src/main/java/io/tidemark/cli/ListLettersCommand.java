package io.tidemark.cli;

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
final class ListLettersCommand implements Runnable {

  @Mixin
  LetterBox box = new LetterBox();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var letters = box.open();
    var marks = letters.marks();
    letters.forEach(letter -> {
      var replayed = marks.has(letter) ? " (replayed)" : "";
      out.println(letter.place() + " " + letter.content().getReceivedAt() + replayed + " " + LetterText.of(letter));
    });
    out.flush();
  }
}
