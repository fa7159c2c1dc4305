package io.tidemark.stream.alert;

import io.tidemark.rule.Verdict;
import io.tidemark.stream.alert.Life.Firing;
import io.tidemark.stream.alert.Life.Pending;
import org.jspecify.annotations.Nullable;

/** What a verdict on a condition makes of the life it has. */
final class Judgement {

  private Judgement() {}

  /** The life after a verdict, and after what time brings at once; null where nothing was wrong and nothing is. */
  static @Nullable Life of(Verdict verdict, @Nullable Life life, Moment now, Patience patience) {
    var next = switch (verdict) {
      case TRUE -> holds(life, now);
      case FALSE -> ends(life, now);
      case NO_DATA -> blind(life, now);
    };
    return next == null ? null : atOnce(next, now, patience);
  }

  private static Life holds(@Nullable Life life, Moment now) {
    return switch (life) {
      case Pending it -> it.holds(now);
      case Firing it -> it.holds();
      case null, default -> Pending.begin(now);
    };
  }

  private static @Nullable Life ends(@Nullable Life life, Moment now) {
    return switch (life) {
      case Pending it -> it.passes(now, Reasons.OVER);
      case Firing it -> it.fades(now);
      case null, default -> life;
    };
  }

  private static @Nullable Life blind(@Nullable Life life, Moment now) {
    return switch (life) {
      case Pending it -> it.isBlind(now);
      case Firing it -> it.isBlind(now);
      case null, default -> life;
    };
  }

  private static @Nullable Life atOnce(Life life, Moment now, Patience patience) {
    return life instanceof Pending || life instanceof Firing
        ? patience.due(life) <= now.shown() ? patience.elapse(life, now) : life
        : life;
  }
}
