package io.tidemark.cli.deadletters;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.deadletters.DeadLetterReader.ReplayMarks;
import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.event.SourceState;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.kafka.Traces;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
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

/** Reads dead letters again and, with {@code --apply}, commits the readable answers. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Reads the bodies of dead letters again, and prints for each whether it is readable now. With"
        + " --apply, commits the readable answers.")
final class ReplayDeadLettersCommand extends CliCommand implements Callable<Integer> {

  /** Time without a heartbeat after which an owner counts as not running. An owner sends a heartbeat every second. */
  private static final Duration OWNER_TIMEOUT = Duration.ofSeconds(30);

  private static final int LONGEST_REASON = 300;

  private enum ReplayOutcome {
    READABLE,
    APPLIED,
    UNREADABLE,
    NOT_REPLAYABLE,
    ALREADY_REPLAYED
  }

  /**
   * The result of reading a dead letter again with this version of the program.
   *
   * @param message the result, for people
   * @param answer the answer; null unless the outcome is {@code READABLE}
   */
  private record Rereading(ReplayOutcome outcome, String message, @Nullable Answer<?> answer) {

    private static Rereading of(StoredDeadLetter deadLetter, ReplayMarks marks) {
      if (marks.contains(deadLetter)) {
        return new Rereading(ReplayOutcome.ALREADY_REPLAYED, "already replayed", null);
      }
      var content = deadLetter.content();
      if (content.getRecord() != null) {
        return notReplayable("it is a record of a topic, not an answer");
      }
      if (content.getStatus() == null) {
        return notReplayable("it is a record that Kafka rejected, not an answer");
      }
      return content.getTruncated() ? notReplayable("its body is truncated") : read(deadLetter, content.getStatus());
    }

    /** Returns the result for a dead letter that holds no complete answer. */
    private static Rereading notReplayable(String reason) {
      return new Rereading(ReplayOutcome.NOT_REPLAYABLE, "cannot be replayed: " + reason, null);
    }

    private static Rereading read(StoredDeadLetter deadLetter, int status) {
      var content = deadLetter.content();
      try {
        var answer = new StoredResponse(content.getTarget(), content.getPage(), deadLetter.body(), status,
            content.getHeaders(), content.getSentAt(), content.getReceivedAt()).answer();
        answer.body().read();
        return new Rereading(ReplayOutcome.READABLE, "readable now", answer);
      } catch (Failure.Unreadable | IllegalArgumentException e) {
        return new Rereading(ReplayOutcome.UNREADABLE,
            "still unreadable: " + TerminalText.text(String.valueOf(e.getMessage()), LONGEST_REASON), null);
      }
    }
  }

  @Mixin
  DeadLetterReader reader = new DeadLetterReader();

  @Option(names = "--apply", description = "Commits each readable answer once, with the time at which it arrived. "
      + "Needs --config, and no instance may watch the source meanwhile.")
  boolean apply;

  private final Map<ReplayOutcome, Integer> counts = new EnumMap<>(ReplayOutcome.class);

  @Override
  public Integer call() {
    var source = apply ? reader.cluster.source(reader.source) : null;
    var marks = reader.replayMarks();
    if (source != null && hasReadable(marks)) {
      apply(marks, source);
    } else {
      reader.forEach(deadLetter -> print(deadLetter, Rereading.of(deadLetter, marks)));
    }
    printSummary();
    return counts.containsKey(ReplayOutcome.UNREADABLE) ? CommandFailure.PROBLEM_FOUND : 0;
  }

  private boolean hasReadable(ReplayMarks marks) {
    var readable = new AtomicBoolean();
    reader.forEach(deadLetter -> {
      if (Rereading.of(deadLetter, marks).outcome() == ReplayOutcome.READABLE) {
        readable.set(true);
      }
    });
    return readable.get();
  }

  private void apply(ReplayMarks marks, SourceSettings source) {
    rejectWatchedSource(source, reader.sourceState(source.name()));
    var configured = Objects.requireNonNull(reader.cluster.settings());
    var settings = new LedgerSettings(source.name(), Application.instance(), reader.topics(),
        configured.topics().layout(), reader.cluster.cluster().clientConfig(), configured.localStore(),
        configured.kafka().openTransactionWait(), Traces.OFF);
    try (var replay = DeadLetterReplay.start(source, settings, reader.cluster.registry())) {
      reader.forEach(deadLetter -> {
        var reading = Rereading.of(deadLetter, marks);
        var changes = reading.answer() == null ? -1 : replay.apply(deadLetter, reading.answer());
        print(deadLetter, changes < 0 ? reading : new Rereading(ReplayOutcome.APPLIED,
            changes == 0 ? "applied; it changed nothing" : "applied; " + changes + " changes", null));
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
          ("source %s is owned by instance %s (last heartbeat %d s ago), and only one instance can write a source."
              + " Stop that instance, wait %d s, then replay").formatted(
                  source.name(), state.getOwner(), Math.max(0, silence.toSeconds()), OWNER_TIMEOUT.toSeconds()));
    }
  }

  private void print(StoredDeadLetter deadLetter, Rereading reading) {
    counts.merge(reading.outcome(), 1, Integer::sum);
    out().printf("%s %s %s page %d: %s%n", deadLetter.position(), deadLetter.content().getReceivedAt(),
        deadLetter.target(), deadLetter.content().getPage(), reading.message());
    out().flush();
  }

  private void printSummary() {
    out().printf("%d readable now, %d applied, %d still unreadable, %d cannot be replayed, %d already replayed%n",
        count(ReplayOutcome.READABLE), count(ReplayOutcome.APPLIED), count(ReplayOutcome.UNREADABLE),
        count(ReplayOutcome.NOT_REPLAYABLE), count(ReplayOutcome.ALREADY_REPLAYED));
    if (count(ReplayOutcome.READABLE) > 0) {
      out().println("Nothing was written; --apply commits the readable answers.");
    }
  }

  private int count(ReplayOutcome outcome) {
    return counts.getOrDefault(outcome, 0);
  }
}
