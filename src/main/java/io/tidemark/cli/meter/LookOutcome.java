package io.tidemark.cli.meter;

import io.tidemark.market.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a look came to, as a label's value. */
final class LookOutcome {

  /** Those that every operation has from the beginning; others come when they come. */
  static final List<String> USUAL = List.of("changed", "unchanged");

  private LookOutcome() {}

  static String of(Look look) {
    var outcome = look.outcome();
    if (look.sweep().failure() == null && !outcome.target().getComplete()) {
      return "unreadable";
    }
    if (look.sweep().failure() == null && refused(look)) {
      return "refused";
    }
    return of(look.sweep().failure(), outcome.target().getChanged() ? "changed" : "unchanged");
  }

  /** Older than what the same target showed before. */
  static boolean refused(Look look) {
    return !look.outcome().target().getChanged() && !look.outcome().target().getRefusals().isEmpty();
  }

  static String of(@Nullable Throwable failure, String otherwise) {
    return switch (failure) {
      case Failure.Unreachable unreachable -> "unreachable";
      case Failure.RateLimited limited -> "rate_limited";
      case Failure.CreditsUsedUp usedUp -> "credits_used_up";
      case Failure.BadKey badKey -> "bad_key";
      case Failure.NotInPlan beyond -> "not_in_plan";
      case Failure.NotFound notFound -> "not_found";
      case Failure.BadQuestion refused -> "bad_question";
      case Failure.Blocked blocked -> "blocked";
      case Failure.ServerTrouble trouble -> "server_trouble";
      case Failure.Unreadable unreadable -> "unreadable";
      case null, default -> otherwise;
    };
  }
}
