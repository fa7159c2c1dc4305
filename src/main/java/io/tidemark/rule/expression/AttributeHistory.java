package io.tidemark.rule.expression;

import io.tidemark.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of one resource's attributes, asked at one moment: the history functions of conditions stand on it.
 *
 * <p>Only paths that some expression names ({@link Rule#history}) are remembered. A history shorter than what is asked
 * for is no value yet, never a wrong one; and so is a stretch that was looked at more rarely than its looks promise.
 */
public interface AttributeHistory {

  /** Time of the tape: that of the record, or of the tick by which a condition is asked again. */
  Instant now();

  /** The figures of an attribute over the stretch that ends now; null where it is too young or too sparse. */
  @Nullable
  WindowSummary window(String path, Duration length);

  /** When the attribute last became another value; null where that was not seen. */
  @Nullable
  Instant changedAt(String path);

  /**
   * Figures of one attribute over a stretch of time.
   *
   * @param first the value in force when it began
   * @param sum of the values that came in it
   * @param count how many values came in it
   * @param lowest including the first
   * @param highest including the first
   */
  record WindowSummary(double first, double lowest, double highest, double sum, long count) {}

  /** A moment of which nothing before is remembered. */
  static AttributeHistory none(Instant now) {
    return new AttributeHistory() {
      @Override
      public Instant now() {
        return now;
      }

      @Override
      public @Nullable WindowSummary window(String path, Duration length) {
        return null;
      }

      @Override
      public @Nullable Instant changedAt(String path) {
        return null;
      }
    };
  }
}
