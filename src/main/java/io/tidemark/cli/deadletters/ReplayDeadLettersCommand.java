package io.tidemark.cli.deadletters;

import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.deadletters.DeadLetterReader.ReplayMarks;
import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.source.SourceSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads dead letters again; with {@code --apply}, commits what they show. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Reads the bodies of dead letters again, and prints which of them are readable now.")
final class ReplayDeadLettersCommand extends CliCommand implements Callable<Integer> {

  /** An owner sends a heartbeat every second; without one for this time it does not run. */
  private static final Duration OWNER_TIMEOUT = Duration.ofSeconds(30);

  private static final int LONGEST_REASON = 300;

  private enum ReplayOutcome {
    READABLE,
    APPLIED,
    UNREADABLE,
    NOT_REPLAYABLE,
    ALREADY_REPLAYED
  }

  @Mixin
  DeadLetterReader reader = new DeadLetterReader();

  @Option(names = "--apply", description = "Commits what the readable ones show, at their own times, each once. "
      + "Needs --config, and that no instance watches the source meanwhile.")
  boolean apply;

  private final Map<ReplayOutcome, Integer> counts = new EnumMap<>(ReplayOutcome.class);

  @Override
  public Integer call() {
    var source = apply ? reader.cluster.source(reader.source) : null;
    var marks = reader.replayMarks();
    if (source != null && hasReadable(marks)) {
      apply(marks, source);
    } else {
      reader.forEach(deadLetter -> print(deadLetter, Replayability.of(deadLetter, marks)));
    }
    printSummary();
    return counts.containsKey(ReplayOutcome.UNREADABLE) ? CommandFailure.PROBLEM_FOUND : 0;
  }

  private boolean hasReadable(ReplayMarks marks) {
    var readable = new AtomicBoolean();
    reader.forEach(deadLetter -> {
      if (Replayability.of(deadLetter, marks) instanceof Replayability.NowReadable) {
        readable.set(true);
      }
    });
    return readable.get();
  }

  private void apply(ReplayMarks marks, SourceSettings source) {
    rejectWatchedSource(source, reader.sourceState());
    var layout = Objects.requireNonNull(reader.cluster.settings()).topics().layout();
    var settings = new LedgerSettings(
        source.name(), Application.instance(), reader.topics(), layout, reader.cluster.cluster().clientConfig());
    try (var replay = DeadLetterReplay.start(source, settings, reader.cluster.registry())) {
      reader.forEach(deadLetter -> {
        switch (Replayability.of(deadLetter, marks)) {
          case Replayability.NowReadable readable -> {
            var changes = replay.apply(deadLetter, readable.answer());
            print(deadLetter, ReplayOutcome.APPLIED,
                changes == 0 ? "applied; it changed nothing" : "applied; " + changes + " changes");
          }
          case Replayability other -> print(deadLetter, other);
        }
      });
    }
  }

  private static void rejectWatchedSource(SourceSettings source, @Nullable SourceState state) {
    if (state == null || state.getStatus().equals("stopped")) {
      return;
    }
    var silence = Duration.between(state.getHeartbeatAt(), Instant.now());
    if (silence.compareTo(OWNER_TIMEOUT) < 0) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          ("source %s: %s owns it (its last heartbeat is %d s old), and only one instance can write a source."
              + " Stop that instance, wait %d s, then replay").formatted(
                  source.name(), state.getOwner(), Math.max(0, silence.toSeconds()), OWNER_TIMEOUT.toSeconds()));
    }
  }

  private void print(StoredDeadLetter deadLetter, Replayability replayability) {
    switch (replayability) {
      case Replayability.NowReadable readable -> print(deadLetter, ReplayOutcome.READABLE, "readable now");
      case Replayability.StillUnreadable unreadable -> print(deadLetter, ReplayOutcome.UNREADABLE,
          "still unreadable: " + TerminalText.text(unreadable.reason(), LONGEST_REASON));
      case Replayability.NothingToReplay nothing ->
          print(deadLetter, ReplayOutcome.NOT_REPLAYABLE, "cannot be replayed: " + nothing.reason());
      case Replayability.AlreadyReplayed replayed ->
          print(deadLetter, ReplayOutcome.ALREADY_REPLAYED, "already replayed");
    }
  }

  private void print(StoredDeadLetter deadLetter, ReplayOutcome outcome, String message) {
    counts.merge(outcome, 1, Integer::sum);
    out().printf("%s %s %s page %d: %s%n", deadLetter.position(), deadLetter.content().getReceivedAt(),
        deadLetter.target(), deadLetter.content().getPage(), message);
    out().flush();
  }

  private void printSummary() {
    out().printf("%d readable now, %d applied, %d still unreadable, %d cannot be replayed, %d already replayed%n",
        count(ReplayOutcome.READABLE), count(ReplayOutcome.APPLIED), count(ReplayOutcome.UNREADABLE),
        count(ReplayOutcome.NOT_REPLAYABLE), count(ReplayOutcome.ALREADY_REPLAYED));
    if (count(ReplayOutcome.READABLE) > 0) {
      out().println("Nothing was written; --apply commits what is readable.");
    }
  }

  private int count(ReplayOutcome outcome) {
    return counts.getOrDefault(outcome, 0);
  }
}
