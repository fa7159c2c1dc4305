package io.tidemark.rule.expression;

import io.tidemark.event.IsoTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record, and the history of the record's resource, on which expressions are evaluated. Each value is found and
 * converted only once, even if many rules read the value. For use by one thread while the record does not change.
 */
public final class EvaluatedRecord {

  private final IndexedRecord record;
  private final AttributeHistory history;
  private final Map<String, Optional<Object>> values = new HashMap<>();
  private final Map<String, Optional<Instant>> times = new HashMap<>();

  public EvaluatedRecord(IndexedRecord record, AttributeHistory history) {
    this.record = record;
    this.history = history;
  }

  /** Creates a record without history, which is evaluated as of a time. */
  public EvaluatedRecord(IndexedRecord record, Instant now) {
    this(record, () -> now);
  }

  public IndexedRecord record() {
    return record;
  }

  AttributeHistory history() {
    return history;
  }

  @Nullable
  Object value(Term term) {
    return values.computeIfAbsent(term.name(), name -> {
      var from = term.ofPrevious() ? history.previous() : record;
      return Optional.ofNullable(from == null ? null : term.accessor().in(from));
    }).orElse(null);
  }

  /**
   * Returns the value of a term as a time, or null if the value is missing, or is neither a time nor a text in the form
   * of ISO 8601 with an offset.
   */
  @Nullable
  Instant time(Term term) {
    return times.computeIfAbsent(term.name(), name -> Optional.ofNullable(switch (value(term)) {
      case Instant time -> time;
      case String text -> IsoTime.parse(text);
      case null, default -> null;
    })).orElse(null);
  }
}
