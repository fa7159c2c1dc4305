package io.tidemark.cli.deadletters;

import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;

/** What a dead letter is to this version of the program. */
sealed interface Replayability {

  /** Its body can be read now. */
  record NowReadable(Answer<?> answer) implements Replayability {}

  /** Its body still cannot be read. */
  record StillUnreadable(String reason) implements Replayability {}

  /** There is nothing in it to be read again. */
  record NothingToReplay(String reason) implements Replayability {}

  /** It was replayed before. */
  record AlreadyReplayed() implements Replayability {}

  static Replayability of(StoredDeadLetter deadLetter, ReplayMarks marks) {
    if (marks.has(deadLetter)) {
      return new AlreadyReplayed();
    }
    var obstacle = deadLetter.whyNotReplayable();
    return obstacle == null ? read(deadLetter) : new NothingToReplay(obstacle);
  }

  private static Replayability read(StoredDeadLetter deadLetter) {
    try {
      var answer = deadLetter.answer();
      answer.body().read();
      return new NowReadable(answer);
    } catch (Failure.Unreadable | IllegalArgumentException e) {
      return new StillUnreadable(String.valueOf(e.getMessage()));
    }
  }
}
