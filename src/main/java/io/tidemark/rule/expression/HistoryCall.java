package io.tidemark.rule.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import io.tidemark.event.DecimalMath;
import io.tidemark.event.DurationFormat;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One call of a history function in an expression, such as {@code moved(price.base_token_price_usd, "10m")}.
 *
 * @param term the first argument of the call
 * @param window length of the history over which the function is computed; zero for {@code age}
 * @param isUpTo whether a shorter history is enough
 */
record HistoryCall(HistoryFunction function, Term term, Duration window, boolean isUpTo) {

  /** Prefix of the second argument of a call for which a shorter history is enough. */
  static final String UP_TO = "up to ";

  enum HistoryFunction {
    MOVED,
    HIGHEST,
    LOWEST,
    AVERAGE,
    COUNT,
    AGE;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    CelType type() {
      return switch (this) {
        case COUNT -> SimpleType.INT;
        case AGE -> SimpleType.DURATION;
        default -> SimpleType.DOUBLE;
      };
    }
  }

  /** No history is needed for the age of an attribute whose value is a time or a text. */
  boolean needsHistory() {
    return function != HistoryFunction.AGE || isFigure(term);
  }

  static boolean isFigure(Term term) {
    return term.type().equals(SimpleType.DOUBLE) || term.type().equals(SimpleType.INT);
  }

  /**
   * Returns the result of the call, or null if the attribute is missing, or its history is missing, too short or too
   * sparse.
   */
  @Nullable
  Object value(EvaluatedRecord record) {
    var history = record.history();
    if (function == HistoryFunction.AGE) {
      var since = isFigure(term) ? history.changedAt(term.name()) : record.time(term);
      return since == null ? null : Duration.between(since, history.now());
    }
    var summary = isUpTo ? history.windowUpTo(term.name(), window) : history.window(term.name(), window);
    return summary == null ? null : figure(summary, record);
  }

  private @Nullable Object figure(AttributeHistory.WindowSummary summary, EvaluatedRecord record) {
    return switch (function) {
      case MOVED -> DecimalMath.percentRise(summary.first(), record.value(term));
      case HIGHEST -> summary.highest();
      case LOWEST -> summary.lowest();
      case AVERAGE -> summary.count() == 0 ? summary.first() : summary.sum() / summary.count();
      case COUNT, AGE -> summary.count();
    };
  }

  @Override
  public String toString() {
    return function == HistoryFunction.AGE
        ? "age(" + term.name() + ")"
        : function.text() + "(" + term.name() + ", \"" + (isUpTo ? UP_TO : "") + DurationFormat.format(window) + "\")";
  }
}
