package io.tidemark.cli.deadletters;

import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.source.SourceSettings;
import io.tidemark.topic.TopicLayout;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = "Reads the bodies of dead letters again, and says which are understood now.")
final class ReplayDeadLettersCommand implements Callable<Integer> {

  /** A writer that gave no sign of life for so long is gone: one that works gives one every second. */
  private static final Duration OWNER_TIMEOUT = Duration.ofSeconds(30);

  /** What became of a letter, for the sum. */
  private enum ReplayOutcome {
    READABLE,
    APPLIED,
    UNREADABLE,
    NOT_REPLAYABLE,
    ALREADY_REPLAYED
  }

  @Mixin
  DeadLetterOptions box = new DeadLetterOptions();

  @Option(names = "--apply", description = "Commits what the understood ones show, at their own times, each once. "
      + "Needs --config, and that nothing watches the source meanwhile.")
  boolean apply;

  @Spec
  @Nullable
  CommandSpec spec;

  private final Map<ReplayOutcome, Integer> sum = new EnumMap<>(ReplayOutcome.class);

  @Override
  public Integer call() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var source = apply ? box.options.source(box.source) : null;
    var deadLetters = box.open();
    var marks = deadLetters.marks();
    if (source != null && hasUnderstood(deadLetters, marks)) {
      apply(deadLetters, marks, source, out);
    } else {
      deadLetters.forEach(deadLetter -> print(deadLetter, Replayability.of(deadLetter, marks), out));
    }
    printSummary(out);
    return sum.containsKey(ReplayOutcome.UNREADABLE) ? CommandFailure.PROBLEM_FOUND : 0;
  }

  private static boolean hasUnderstood(DeadLetterReader deadLetters, ReplayMarks marks) {
    var understood = new boolean[1];
    deadLetters.forEach(
        deadLetter -> understood[0] |= Replayability.of(deadLetter, marks) instanceof Replayability.NowReadable);
    return understood[0];
  }

  private void apply(DeadLetterReader deadLetters, ReplayMarks marks, SourceSettings source, PrintWriter out) {
    refuseWhereWatched(source, deadLetters.source());
    var settings = new LedgerSettings(
        source.name(), Application.instance(), deadLetters.topics(), layout(), deadLetters.cluster().clientConfig());
    try (var replaying = DeadLetterReplay.start(source, settings, deadLetters.registry())) {
      deadLetters.forEach(deadLetter -> {
        if (Replayability.of(deadLetter, marks) instanceof Replayability.NowReadable understood) {
          var changes = replaying.apply(deadLetter, understood.answer());
          print(deadLetter, ReplayOutcome.APPLIED,
              changes == 0 ? "applied; nothing in it is news" : "applied; " + changes + " changes",
              out);
        } else {
          print(deadLetter, Replayability.of(deadLetter, marks), out);
        }
      });
    }
  }

  private static void refuseWhereWatched(SourceSettings source, @Nullable SourceState state) {
    if (state == null || state.getStatus().equals("stopped")) {
      return;
    }
    var silence = Duration.between(state.getHeartbeatAt(), Instant.now());
    if (silence.compareTo(OWNER_TIMEOUT) < 0) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          ("source %s: %s writes it (its last sign of life is %d s old), and a source "
              + "has one writer. Stop that, wait %d s, then replay").formatted(
                  source.name(), state.getOwner(), Math.max(0, silence.toSeconds()), OWNER_TIMEOUT.toSeconds()));
    }
  }

  private TopicLayout layout() {
    return Objects.requireNonNull(box.options.settings()).topics().layout();
  }

  private void print(StoredDeadLetter deadLetter, Replayability review, PrintWriter out) {
    switch (review) {
      case Replayability.NowReadable understood -> print(deadLetter, ReplayOutcome.READABLE, "understood now", out);
      case Replayability.StillUnreadable broken ->
          print(deadLetter, ReplayOutcome.UNREADABLE,
              "still not understood: " + TerminalText.text(broken.reason(), 300), out);
      case Replayability.NothingToReplay none ->
          print(deadLetter, ReplayOutcome.NOT_REPLAYABLE, "cannot be replayed: " + none.reason(), out);
      case Replayability.AlreadyReplayed replayed ->
          print(deadLetter, ReplayOutcome.ALREADY_REPLAYED, "was replayed before", out);
    }
  }

  private void print(StoredDeadLetter deadLetter, ReplayOutcome fate, String word, PrintWriter out) {
    var content = deadLetter.content();
    sum.merge(fate, 1, Integer::sum);
    out.printf("%s %s %s page %d: %s%n", deadLetter.position(), content.getReceivedAt(),
        TerminalText.text(content.getTarget(), 200), content.getPage(), word);
    out.flush();
  }

  private void printSummary(PrintWriter out) {
    out.printf("%d understood now, %d applied, %d still not understood, %d cannot be replayed, %d replayed before%n",
        count(ReplayOutcome.READABLE), count(ReplayOutcome.APPLIED), count(ReplayOutcome.UNREADABLE),
        count(ReplayOutcome.NOT_REPLAYABLE),
        count(ReplayOutcome.ALREADY_REPLAYED));
    if (count(ReplayOutcome.READABLE) > 0) {
      out.println("Nothing was written: --apply commits what is understood.");
    }
    out.flush();
  }

  private int count(ReplayOutcome fate) {
    return sum.getOrDefault(fate, 0);
  }
}
