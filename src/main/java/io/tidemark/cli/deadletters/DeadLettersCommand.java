package io.tidemark.cli.deadletters;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.event.DeadLetterCount;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists, prints and replays dead letters. */
@Command(
    name = "dead-letters",
    mixinStandardHelpOptions = true,
    description = "Lists and prints answers and records that could not be read, and reads answers again.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = ReplayDeadLettersCommand.class)
public final class DeadLettersCommand extends CliCommand {

  @Command(mixinStandardHelpOptions = true,
      description = "Lists the dead letters, each with its position (PARTITION:OFFSET), time, request or record, "
          + "reason, and the beginning of its body.")
  void list(@Mixin DeadLetterReader reader) {
    var marks = reader.replayMarks();
    var counts = reader.counts();
    var count = new AtomicInteger();
    reader.forEach(deadLetter -> {
      count.incrementAndGet();
      var replayed = marks.contains(deadLetter) ? " (replayed)" : "";
      out().println(deadLetter.position() + " " + deadLetter.content().getReceivedAt() + replayed
          + equal(deadLetter, counts.getOrDefault(deadLetter.content().getTarget(), List.of())) + " "
          + deadLetter.print());
    });
    if (count.get() == 0) {
      complain("there are no dead letters");
    }
  }

  /**
   * Returns a text with the number of answers of the target that had the same reason as this dead letter, itself
   * included, or an empty text if no other answer had it.
   */
  private static String equal(StoredDeadLetter deadLetter, List<DeadLetterCount> counts) {
    return counts.stream()
        .filter(each -> each.getSince().equals(deadLetter.content().getReceivedAt()) && each.getCount() > 1)
        .max(Comparator.comparingLong(DeadLetterCount::getCount))
        .map(each -> " (%d equal answers until %s)".formatted(each.getCount(), each.getLastAt()))
        .orElse("");
  }

  @Command(mixinStandardHelpOptions = true,
      description = "Prints the body of a dead letter exactly as it arrived.")
  void show(
      @Parameters(paramLabel = "PARTITION:OFFSET",
          description = "A position, as in 'tidemark dead-letters list'.") String position,
      @Mixin DeadLetterReader reader) {
    if (!position.matches("\\d+:\\d+")) {
      throw wrongUsage("'" + position + "' is not PARTITION:OFFSET, such as 0:12");
    }
    var deadLetter = find(position, reader);
    if (deadLetter == null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "there is no dead letter " + position
          + ", or it was deleted; 'tidemark dead-letters list' lists the dead letters");
    }
    if (deadLetter.content().getTruncated()) {
      complain("tidemark: the body is truncated; the answer had " + deadLetter.content().getLength() + " bytes");
    }
    try {
      print(deadLetter.body(), ProgressBar.isTerminal());
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "cannot write the body: " + e.getMessage());
    }
  }

  /** Prints the exact bytes for a program, or text with control characters escaped for a person at a terminal. */
  void print(byte[] body, boolean isTerminal) throws IOException {
    if (isTerminal) {
      out().println(new String(body, StandardCharsets.UTF_8));
    } else {
      System.out.write(body);
      System.out.flush();
    }
  }

  private static @Nullable StoredDeadLetter find(String position, DeadLetterReader reader) {
    var found = new AtomicReference<@Nullable StoredDeadLetter>();
    reader.forEach(deadLetter -> {
      if (deadLetter.position().equals(position)) {
        found.set(deadLetter);
      }
    });
    return found.get();
  }
}
