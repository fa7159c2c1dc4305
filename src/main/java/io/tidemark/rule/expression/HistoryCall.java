package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.tidemark.event.FigureMath;
import io.tidemark.yaml.DurationFormat;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** One use of a history function in an expression, such as {@code moved(price.base_token_price_usd, "10m")}. */
record HistoryCall(HistoryFunction function, Term term, Duration length) {

  /** What can be asked of the past. */
  enum HistoryFunction {
    moved,
    highest,
    lowest,
    average,
    count,
    age;

    CelType type() {
      return switch (this) {
        case count -> SimpleType.INT;
        case age -> SimpleType.DURATION;
        default -> SimpleType.DOUBLE;
      };
    }
  }

  /** Whether values of this path must be remembered; an attribute that is a time needs no history to have an age. */
  boolean needsHistory() {
    return function != HistoryFunction.age || isFigure(term);
  }

  static boolean isFigure(Term term) {
    return term.type().equals(SimpleType.DOUBLE) || term.type().equals(SimpleType.INT);
  }

  /** Null where it cannot be said. */
  @Nullable
  Object value(IndexedRecord record, AttributeHistory past) {
    if (function == HistoryFunction.age) {
      var since = since(record, past);
      return since == null ? null : Duration.between(since, past.now());
    }
    var stretch = past.window(term.name(), length);
    return stretch == null ? null : figure(stretch, record);
  }

  private @Nullable Object figure(AttributeHistory.WindowSummary stretch, IndexedRecord record) {
    return switch (function) {
      case moved -> moved(stretch.first(), term.accessor().in(record));
      case highest -> stretch.highest();
      case lowest -> stretch.lowest();
      case average -> stretch.count() == 0 ? stretch.first() : stretch.sum() / stretch.count();
      default -> stretch.count();
    };
  }

  private static @Nullable Double moved(double first, @Nullable Object now) {
    return now instanceof Number number ? FigureMath.finite(100 * (number.doubleValue() / first - 1)) : null;
  }

  private @Nullable Instant since(IndexedRecord record, AttributeHistory past) {
    return isFigure(term) ? past.changedAt(term.name()) : switch (term.accessor().in(record)) {
      case Instant time -> time;
      case String text -> parsed(text);
      case null, default -> null;
    };
  }

  private static @Nullable Instant parsed(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  @Override
  public String toString() {
    return function == HistoryFunction.age
        ? "age(" + term.name() + ")"
        : function + "(" + term.name() + ", \"" + DurationFormat.format(length) + "\")";
  }
}
