package io.tidemark.cli;

import io.tidemark.market.Answer;
import io.tidemark.market.Failure;

/** What a dead letter is to this version of the program. */
sealed interface Review {

  /** Its body can be read now. */
  record Understood(Answer<?> answer) implements Review {}

  /** Its body still cannot be read. */
  record NotUnderstood(String reason) implements Review {}

  /** There is nothing in it to be read again. */
  record NoAnswer(String reason) implements Review {}

  /** It was replayed before. */
  record Replayed() implements Review {}

  static Review of(Letter letter, ReplayMarks marks) {
    if (marks.has(letter)) {
      return new Replayed();
    }
    var obstacle = letter.obstacle();
    return obstacle == null ? read(letter) : new NoAnswer(obstacle);
  }

  private static Review read(Letter letter) {
    try {
      var answer = letter.answer();
      answer.body().read();
      return new Understood(answer);
    } catch (Failure.Unreadable | IllegalArgumentException e) {
      return new NotUnderstood(String.valueOf(e.getMessage()));
    }
  }
}
