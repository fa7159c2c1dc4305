package io.tidemark.cli.deadletters;

import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.cli.wiring.CommandFailure;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Prints the body of a dead letter as it came, byte by byte.")
final class ShowDeadLetterCommand implements Runnable {

  @Parameters(paramLabel = "PARTITION:OFFSET", description = "Which one; 'tidemark dead-letters list' lists them.")
  String place = "";

  @Mixin
  DeadLetterOptions box = new DeadLetterOptions();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var command = Objects.requireNonNull(spec).commandLine();
    if (!place.matches("\\d+:\\d+")) {
      throw new ParameterException(command, "'" + place + "' is no PARTITION:OFFSET, such as 0:12");
    }
    var deadLetter = find();
    if (deadLetter.content().getTruncated()) {
      command.getErr().println("tidemark: cut; the whole body had " + deadLetter.content().getLength() + " bytes");
      command.getErr().flush();
    }
    print(deadLetter, System.out);
  }

  private StoredDeadLetter find() {
    var found = new ArrayList<StoredDeadLetter>(1);
    box.open().forEach(deadLetter -> {
      if (deadLetter.position().equals(place)) {
        found.add(deadLetter);
      }
    });
    if (found.isEmpty()) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "there is no dead letter " + place
          + " (any longer); 'tidemark dead-letters list' lists them");
    }
    return found.getFirst();
  }

  private static void print(StoredDeadLetter deadLetter, OutputStream out) {
    try {
      out.write(deadLetter.body());
      out.flush();
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "cannot write the body: " + e.getMessage());
    }
  }
}
