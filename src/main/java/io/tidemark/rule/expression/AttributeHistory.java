package io.tidemark.rule.expression;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recent values of one resource's attributes, as of one moment. History functions of expressions read them.
 *
 * <p>Only the attributes that some rule needs ({@link Expression#history}) are recorded. A window has no value while
 * its history is shorter than the window, or while the observations in it are sparser than their targets' schedule.
 */
public interface AttributeHistory {

  /** Returns the stream time: the time of the record, or of the tick on which a condition is evaluated again. */
  Instant now();

  /**
   * Returns the figures of an attribute in the window that ends now, or null if its history is too short or too sparse.
   */
  @Nullable
  WindowSummary window(String path, Duration length);

  /** Returns when the attribute last changed its value, or null if that was not observed. */
  @Nullable
  Instant changedAt(String path);

  /**
   * The figures of one attribute in a window of time.
   *
   * @param first the value when the window began
   * @param lowest the lowest value, including the first
   * @param highest the highest value, including the first
   * @param sum sum of the values observed in the window
   * @param count number of the values observed in the window
   */
  record WindowSummary(double first, double lowest, double highest, double sum, long count) {}

  /** Returns the longest window of each attribute. */
  static SortedMap<String, Duration> longest(Stream<? extends Map<String, Duration>> windows) {
    var longest = new TreeMap<String, Duration>();
    windows.forEach(each -> each.forEach(
        (path, length) -> longest.merge(path, length, (one, other) -> one.compareTo(other) >= 0 ? one : other)));
    return longest;
  }

  /** Returns an empty history. */
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
