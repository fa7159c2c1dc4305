package io.tidemark.audit;

import io.tidemark.event.SafeText;
import io.tidemark.kafka.CommittedRecord.RecordPosition;
import io.tidemark.kafka.UnreadableRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of an audit: the numbers of records and resources, and the violations. The keys and the expected and
 * found values of violations are escaped and limited in length.
 */
public final class AuditReport {

  private static final int LONGEST = 300;

  private final int most;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<ConsistencyLaw, Long> counts = new EnumMap<>(ConsistencyLaw.class);
  private final Map<ResourceOutcome, Long> resources = new EnumMap<>(ResourceOutcome.class);
  private final List<String> unreadable = new ArrayList<>();
  private long unreadableRecords;
  private long records;

  /**
   * Whether the fold of a resource could be compared with its state. A resource with a tombstone, or with a violation
   * that prevents the comparison, has no outcome unless it changed during the audit.
   */
  public enum ResourceOutcome {
    CHECKED,
    /**
     * The resource could not be checked, because the changes in the topic include no key frame of the resource (a
     * change with all facets), or no change of the resource at all.
     */
    UNCHECKED,
    /** The resource changed during the audit, so the audit did not read its newest state. */
    CHANGED_MEANWHILE
  }

  /**
   * A violation of a law.
   *
   * @param key key of the record; empty if the record has no key
   * @param where name of the field, header or other part of the record that violates the law
   */
  public record Violation(
      ConsistencyLaw law, String topic, int partition, long offset, String key, String where, String expected,
      String found) {}

  /**
   * @param most maximum number of violations to report, and of unreadable records to describe; further ones are only
   *     counted
   */
  public AuditReport(int most) {
    this.most = most;
  }

  public boolean clean() {
    return counts.isEmpty();
  }

  public List<Violation> violations() {
    return List.copyOf(violations);
  }

  public Map<ConsistencyLaw, Long> counts() {
    return Map.copyOf(counts);
  }

  public long records() {
    return records;
  }

  public long resources(ResourceOutcome outcome) {
    return resources.getOrDefault(outcome, 0L);
  }

  /**
   * Returns the number of records that no reader of the topic can use. Every role of the program skips such records, so
   * they violate no law by themselves.
   */
  public long unreadableRecords() {
    return unreadableRecords;
  }

  /** Returns descriptions of the first unreadable records, with the position, key and reason of each. */
  public List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  void addUnreadable(UnreadableRecord record) {
    unreadableRecords++;
    if (unreadable.size() < most) {
      unreadable.add(record.describe());
    }
  }

  void countRecord() {
    records++;
  }

  void count(ResourceOutcome outcome) {
    resources.merge(outcome, 1L, Long::sum);
  }

  void add(ConsistencyLaw law, RecordPosition position, String where, @Nullable Object expected,
      @Nullable Object found) {
    addLazily(law, position, where, () -> expected, () -> found);
  }

  /**
   * Adds a violation. Evaluates the expected and found values only if the violation is reported, because some of
   * these values are read from Kafka again.
   */
  void addLazily(
      ConsistencyLaw law,
      RecordPosition position,
      String where,
      Supplier<@Nullable Object> expected,
      Supplier<@Nullable Object> found) {
    counts.merge(law, 1L, Long::sum);
    if (violations.size() < most) {
      violations.add(new Violation(law, position.topic(), position.partition(), position.offset(),
          text(position.key()), where, text(expected.get()), text(found.get())));
    }
  }

  private static String text(@Nullable Object value) {
    return SafeText.escaped(String.valueOf(value), LONGEST);
  }
}
