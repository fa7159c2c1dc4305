package io.tidemark.cli;

import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.event.SourceState;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.topic.Layout;
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
final class ReplayLettersCommand implements Callable<Integer> {

  /** A writer that gave no sign of life for so long is gone: one that works gives one every second. */
  private static final Duration SILENCE = Duration.ofSeconds(30);

  /** What became of a letter, for the sum. */
  private enum Fate {
    UNDERSTOOD,
    APPLIED,
    NOT_UNDERSTOOD,
    NO_ANSWER,
    REPLAYED
  }

  @Mixin
  LetterBox box = new LetterBox();

  @Option(names = "--apply", description = "Commits what the understood ones show, at their own times, each once. "
      + "Needs --config, and that nothing watches the source meanwhile.")
  boolean apply;

  @Spec
  @Nullable
  CommandSpec spec;

  private final Map<Fate, Integer> sum = new EnumMap<>(Fate.class);

  @Override
  public Integer call() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var source = apply ? box.place.source(box.source) : null;
    var letters = box.open();
    var marks = letters.marks();
    if (source != null && hasUnderstood(letters, marks)) {
      apply(letters, marks, source, out);
    } else {
      letters.forEach(letter -> say(letter, Review.of(letter, marks), out));
    }
    sayAll(out);
    return sum.containsKey(Fate.NOT_UNDERSTOOD) ? Failed.FOUND_WRONG : 0;
  }

  private static boolean hasUnderstood(Letters letters, ReplayMarks marks) {
    var understood = new boolean[1];
    letters.forEach(letter -> understood[0] |= Review.of(letter, marks) instanceof Review.Understood);
    return understood[0];
  }

  private void apply(Letters letters, ReplayMarks marks, SourceSettings source, PrintWriter out) {
    refuseWhereWatched(source, letters.source());
    var settings = new LedgerSettings(
        source.name(), Wiring.instance(), letters.topics(), layout(), letters.cluster().client());
    try (var replaying = Replaying.start(source, settings, letters.registry())) {
      letters.forEach(letter -> {
        if (Review.of(letter, marks) instanceof Review.Understood understood) {
          var changes = replaying.apply(letter, understood.answer());
          say(letter, Fate.APPLIED,
              changes == 0 ? "applied; nothing in it is news" : "applied; " + changes + " changes",
              out);
        } else {
          say(letter, Review.of(letter, marks), out);
        }
      });
    }
  }

  private static void refuseWhereWatched(SourceSettings source, @Nullable SourceState state) {
    if (state == null || state.getStatus().equals("stopped")) {
      return;
    }
    var silence = Duration.between(state.getHeartbeatAt(), Instant.now());
    if (silence.compareTo(SILENCE) < 0) {
      throw new Failed(Failed.FOUND_WRONG, ("source %s: %s writes it (its last sign of life is %d s old), and a source "
          + "has one writer. Stop that, wait %d s, then replay").formatted(
              source.name(), state.getOwner(), Math.max(0, silence.toSeconds()), SILENCE.toSeconds()));
    }
  }

  private Layout layout() {
    return Objects.requireNonNull(box.place.settings()).topics().layout();
  }

  private void say(Letter letter, Review review, PrintWriter out) {
    switch (review) {
      case Review.Understood understood -> say(letter, Fate.UNDERSTOOD, "understood now", out);
      case Review.NotUnderstood broken ->
          say(letter, Fate.NOT_UNDERSTOOD, "still not understood: " + Shown.text(broken.reason(), 300), out);
      case Review.NoAnswer none -> say(letter, Fate.NO_ANSWER, "cannot be replayed: " + none.reason(), out);
      case Review.Replayed replayed -> say(letter, Fate.REPLAYED, "was replayed before", out);
    }
  }

  private void say(Letter letter, Fate fate, String word, PrintWriter out) {
    var content = letter.content();
    sum.merge(fate, 1, Integer::sum);
    out.printf("%s %s %s page %d: %s%n", letter.place(), content.getReceivedAt(),
        Shown.text(content.getTarget(), 200), content.getPage(), word);
    out.flush();
  }

  private void sayAll(PrintWriter out) {
    out.printf("%d understood now, %d applied, %d still not understood, %d cannot be replayed, %d replayed before%n",
        count(Fate.UNDERSTOOD), count(Fate.APPLIED), count(Fate.NOT_UNDERSTOOD), count(Fate.NO_ANSWER),
        count(Fate.REPLAYED));
    if (count(Fate.UNDERSTOOD) > 0) {
      out.println("Nothing was written: --apply commits what is understood.");
    }
    out.flush();
  }

  private int count(Fate fate) {
    return sum.getOrDefault(fate, 0);
  }
}
