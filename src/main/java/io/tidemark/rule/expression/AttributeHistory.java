package io.tidemark.rule.expression;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The recent values of one resource's attributes, as of one moment. History functions of expressions read these values.
 *
 * <p>Only attributes whose history a rule needs ({@link Expression#history}) are recorded. A window has no summary if
 * the recorded history is shorter than the window, or if two consecutive observations are further apart than the window
 * is long.
 */
public interface AttributeHistory {

  /**
   * Returns the time at which windows end: the time of the observation in the evaluated record, or the time for which
   * stored values are evaluated again without a record.
   */
  Instant now();

  /**
   * Returns a summary of an attribute's values in the window that ends now, or null if the attribute's history is too
   * short or too sparse.
   *
   * @param path name of the attribute
   */
  default @Nullable WindowSummary window(String path, Duration length) {
    return null;
  }

  /**
   * Returns a summary like {@link #window} of the longest window up to a length that the history covers. Returns null
   * if there is no history, or if it is too sparse.
   */
  default @Nullable WindowSummary windowUpTo(String path, Duration longest) {
    return window(path, longest);
  }

  /**
   * Returns the time of the observation in which an attribute last changed its value, or null if no change was
   * observed.
   */
  default @Nullable Instant changedAt(String path) {
    return null;
  }

  /** Returns the previous record of the same key, or null if it is not kept. Only rules that read it keep it. */
  default @Nullable IndexedRecord previous() {
    return null;
  }

  /**
   * A summary of the values of one attribute in a window of time.
   *
   * @param first the value when the window began
   * @param lowest the lowest value, including the first
   * @param highest the highest value, including the first
   * @param sum sum of the counted values
   * @param count number of values in the window that records contain; in changes of resources, a value equal to the one
   *     before is not counted
   */
  record WindowSummary(double first, double lowest, double highest, double sum, long count) {}

  /** Merges maps from attributes to window lengths. The result maps each attribute to its longest window. */
  static SortedMap<String, Duration> longest(Stream<? extends Map<String, Duration>> windows) {
    var longest = new TreeMap<String, Duration>();
    windows.forEach(each -> each.forEach(
        (path, length) -> longest.merge(path, length, (one, other) -> one.compareTo(other) >= 0 ? one : other)));
    return longest;
  }
}
