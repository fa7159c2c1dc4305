package io.tidemark.stream.alert;

import io.tidemark.rule.expression.Expression.Verdict;
import io.tidemark.stream.alert.AlertInstance.Firing;
import io.tidemark.stream.alert.AlertInstance.Pending;
import org.jspecify.annotations.Nullable;

/** What a verdict on a condition makes of the life it has. */
final class Judgement {

  private Judgement() {}

  /** The life after a verdict, and after what time brings at once; null where nothing was wrong and nothing is. */
  static @Nullable AlertInstance of(Verdict verdict, @Nullable AlertInstance life, Moment now, Patience patience) {
    var next = switch (verdict) {
      case TRUE -> holds(life, now);
      case FALSE -> ends(life, now);
      case NO_DATA -> blind(life, now);
    };
    return next == null ? null : atOnce(next, now, patience);
  }

  private static AlertInstance holds(@Nullable AlertInstance life, Moment now) {
    return switch (life) {
      case Pending it -> it.holds(now);
      case Firing it -> it.holds();
      case null, default -> Pending.begin(now);
    };
  }

  private static @Nullable AlertInstance ends(@Nullable AlertInstance life, Moment now) {
    return switch (life) {
      case Pending it -> it.passes(now, Reasons.OVER);
      case Firing it -> it.fades(now);
      case null, default -> life;
    };
  }

  private static @Nullable AlertInstance blind(@Nullable AlertInstance life, Moment now) {
    return switch (life) {
      case Pending it -> it.isBlind(now);
      case Firing it -> it.isBlind(now);
      case null, default -> life;
    };
  }

  private static @Nullable AlertInstance atOnce(AlertInstance life, Moment now, Patience patience) {
    return life instanceof Pending || life instanceof Firing
        ? patience.due(life) <= now.shown() ? patience.elapse(life, now) : life
        : life;
  }
}
