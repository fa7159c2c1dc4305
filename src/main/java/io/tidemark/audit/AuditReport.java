package io.tidemark.audit;

import io.tidemark.event.SafeText;
import io.tidemark.topic.CommittedRecord.RecordPosition;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an audit found: how much was read and checked, and what is wrong. Texts are escaped and bounded. */
public final class AuditReport {

  private static final int LONGEST = 300;

  private final int most;
  private final List<Violation> violations = new ArrayList<>();
  private final Map<Law, Long> counts = new EnumMap<>(Law.class);
  private long records;
  private long checked;
  private long unchecked;
  private long changedMeanwhile;

  /** @param most offences that are kept; the others are counted */
  public AuditReport(int most) {
    this.most = most;
  }

  public boolean clean() {
    return counts.isEmpty();
  }

  public List<Violation> violations() {
    return List.copyOf(violations);
  }

  /** How often each law is broken; those that hold are not named. */
  public Map<Law, Long> counts() {
    return Map.copyOf(counts);
  }

  public long records() {
    return records;
  }

  /** Resources whose fold was held against their state. */
  public long checked() {
    return checked;
  }

  /** Resources of which no key frame is in range yet, or no change at all. */
  public long unchecked() {
    return unchecked;
  }

  /** Resources that changed while the audit was reading, so that their newest state was not seen. */
  public long changedMeanwhile() {
    return changedMeanwhile;
  }

  void read() {
    records++;
  }

  void countChecked() {
    checked++;
  }

  void leaveUnchecked() {
    unchecked++;
  }

  void leaveChanged() {
    changedMeanwhile++;
  }

  void add(Law law, RecordPosition place, String where, @Nullable Object expected, @Nullable Object found) {
    addRead(law, place, where, () -> expected, () -> found);
  }

  /** What was expected and found is asked for only where the offence is kept: it has to be read. */
  void addRead(
      Law law, RecordPosition place, String where, Supplier<@Nullable Object> expected,
      Supplier<@Nullable Object> found) {
    counts.merge(law, 1L, Long::sum);
    if (violations.size() < most) {
      violations.add(new Violation(law, place.topic(), place.partition(), place.offset(), text(place.key()), where,
          text(expected.get()), text(found.get())));
    }
  }

  private static String text(@Nullable Object value) {
    return SafeText.escaped(String.valueOf(value), LONGEST);
  }
}
