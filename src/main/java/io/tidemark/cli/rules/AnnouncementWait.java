package io.tidemark.cli.rules;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Predicate;

/** Waiting until the owner of a source has announced what was asked for. */
record AnnouncementWait(WatchTopicClient watch, long deadline, PrintWriter out) {

  private static final Duration BETWEEN = Duration.ofMillis(500);

  static AnnouncementWait of(WatchTopicClient place, Duration most, PrintWriter out) {
    return new AnnouncementWait(place, System.nanoTime() + most.toNanos(), out);
  }

  /** The exit code. */
  int rules(RuleSet rules) {
    var heard = until(inForce -> inForce.inForce().containsAll(rules));
    out.println(heard == null ? LATER : "in force, version " + heard.inForce().version());
    out.flush();
    return 0;
  }

  /** The exit code. */
  int dropped(RuleSet rules) {
    var heard = until(inForce -> !inForce.inForce().containsAll(rules) || rules.rules().isEmpty());
    out.println(heard == null ? LATER : "taken back, version " + heard.inForce().version());
    out.flush();
    return 0;
  }

  private static final String LATER = "asked for; nobody owns the source at the moment, or its owner is busy:"
      + " it comes into force as soon as one hears of it ('tidemark rules list' says)";

  /** Null where it did not come in time. */
  private @org.jspecify.annotations.Nullable RuleAnnouncements until(Predicate<RuleAnnouncements> done) {
    while (true) {
      var now = watch.inForce();
      if (done.test(now)) {
        return now;
      }
      if (System.nanoTime() > deadline) {
        return null;
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(BETWEEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(CommandFailure.NOT_REACHABLE,
          "interrupted while waiting for the rules to come into force");
    }
  }
}
