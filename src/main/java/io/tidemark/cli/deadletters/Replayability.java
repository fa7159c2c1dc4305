package io.tidemark.cli.deadletters;

import io.tidemark.cli.deadletters.DeadLetterReader.ReplayMarks;
import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import java.util.Objects;

/** Whether this version of the program can read a dead letter. */
sealed interface Replayability {

  record NowReadable(Answer<?> answer) implements Replayability {}

  record StillUnreadable(String reason) implements Replayability {}

  /** It holds no complete answer. */
  record NothingToReplay(String reason) implements Replayability {}

  record AlreadyReplayed() implements Replayability {}

  static Replayability of(StoredDeadLetter deadLetter, ReplayMarks marks) {
    if (marks.contains(deadLetter)) {
      return new AlreadyReplayed();
    }
    var content = deadLetter.content();
    if (content.getRecord() != null) {
      return new NothingToReplay("it is no answer, but a record of a topic");
    }
    if (content.getStatus() == null) {
      return new NothingToReplay("it is no answer, but a record that Kafka rejected");
    }
    return content.getTruncated()
        ? new NothingToReplay("its body is truncated")
        : read(deadLetter);
  }

  private static Replayability read(StoredDeadLetter deadLetter) {
    var content = deadLetter.content();
    try {
      var answer = new StoredResponse(content.getTarget(), content.getPage(), deadLetter.body(),
          Objects.requireNonNull(content.getStatus()), content.getHeaders(), content.getSentAt(),
          content.getReceivedAt()).answer();
      answer.body().read();
      return new NowReadable(answer);
    } catch (Failure.Unreadable | IllegalArgumentException e) {
      return new StillUnreadable(String.valueOf(e.getMessage()));
    }
  }
}
