package io.tidemark.audit;

import io.tidemark.event.SafeText;
import io.tidemark.topic.CommittedRecord.RecordPosition;
import io.tidemark.topic.UnreadableRecord;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of an audit: what was read and checked, and the violations. Texts are escaped and bounded. */
public final class AuditReport {

  private static final int LONGEST = 300;

  private final int most;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<ConsistencyLaw, Long> counts = new EnumMap<>(ConsistencyLaw.class);
  private final Map<ResourceOutcome, Long> resources = new EnumMap<>(ResourceOutcome.class);
  private final List<String> unreadable = new ArrayList<>();
  private long unreadableRecords;
  private long records;

  /** How the fold of a resource was compared with its state. */
  public enum ResourceOutcome {
    CHECKED,
    /** No key frame, or no change at all, is in range. */
    UNCHECKED,
    /** The resource changed during the audit: its newest state was not read. */
    CHANGED_MEANWHILE
  }

  /**
   * A violation of a law.
   *
   * @param key of the record; empty where it has none
   * @param where the part of the record
   */
  public record Violation(
      ConsistencyLaw law, String topic, int partition, long offset, String key, String where, String expected,
      String found) {}

  /** @param most violations that are reported; further ones are counted only */
  public AuditReport(int most) {
    this.most = most;
  }

  public boolean clean() {
    return counts.isEmpty();
  }

  public List<Violation> violations() {
    return List.copyOf(violations);
  }

  /** The number of violations of each law that has any. */
  public Map<ConsistencyLaw, Long> counts() {
    return Map.copyOf(counts);
  }

  public long records() {
    return records;
  }

  /** The number of resources with an outcome. */
  public long resources(ResourceOutcome outcome) {
    return resources.getOrDefault(outcome, 0L);
  }

  /** The number of records that no reader can use: every role skips them, so they violate no law by themselves. */
  public long unreadableRecords() {
    return unreadableRecords;
  }

  /** The first of them, for people: place, key and reason. */
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

  /** Evaluates what was expected and found only for violations that are reported: they are read from Kafka again. */
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
