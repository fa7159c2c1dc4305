package io.tidemark.cli;

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
final class ShowLetterCommand implements Runnable {

  @Parameters(paramLabel = "PARTITION:OFFSET", description = "Which one; 'tidemark dead-letters list' lists them.")
  String place = "";

  @Mixin
  LetterBox box = new LetterBox();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var command = Objects.requireNonNull(spec).commandLine();
    if (!place.matches("\\d+:\\d+")) {
      throw new ParameterException(command, "'" + place + "' is no PARTITION:OFFSET, such as 0:12");
    }
    var letter = find();
    if (letter.content().getCut()) {
      command.getErr().println("tidemark: cut; the whole body had " + letter.content().getLength() + " bytes");
      command.getErr().flush();
    }
    print(letter, System.out);
  }

  private Letter find() {
    var found = new ArrayList<Letter>(1);
    box.open().forEach(letter -> {
      if (letter.place().equals(place)) {
        found.add(letter);
      }
    });
    if (found.isEmpty()) {
      throw new Failed(Failed.FOUND_WRONG, "there is no dead letter " + place
          + " (any longer); 'tidemark dead-letters list' lists them");
    }
    return found.getFirst();
  }

  private static void print(Letter letter, OutputStream out) {
    try {
      out.write(letter.body());
      out.flush();
    } catch (IOException e) {
      throw new Failed(Failed.FOUND_WRONG, "cannot write the body: " + e.getMessage());
    }
  }
}
