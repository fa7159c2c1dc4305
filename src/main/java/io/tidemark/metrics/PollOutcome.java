package io.tidemark.metrics;

import io.tidemark.market.Failure;
import io.tidemark.source.CommittedSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a look came to, as a label's value. */
final class PollOutcome {

  /** Those that every operation has from the beginning; others come when they come. */
  static final List<String> USUAL = List.of("changed", "unchanged");

  private PollOutcome() {}

  static String of(CommittedSnapshot committed) {
    var outcome = committed.outcome();
    if (committed.snapshot().failure() == null && !outcome.targetState().getComplete()) {
      return "unreadable";
    }
    if (committed.snapshot().failure() == null && isRejected(committed)) {
      return "refused";
    }
    return of(committed.snapshot().failure(), outcome.targetState().getChanged() ? "changed" : "unchanged");
  }

  /** Older than what the same target showed before. */
  static boolean isRejected(CommittedSnapshot committed) {
    return !committed.outcome().targetState().getChanged()
        && !committed.outcome().targetState().getRejections().isEmpty();
  }

  static String of(@Nullable Throwable failure, String otherwise) {
    return switch (failure) {
      case Failure.Unreachable unreachable -> "unreachable";
      case Failure.RateLimited limited -> "rate_limited";
      case Failure.CreditsExhausted usedUp -> "credits_used_up";
      case Failure.BadKey badKey -> "bad_key";
      case Failure.NotInPlan beyond -> "not_in_plan";
      case Failure.NotFound notFound -> "not_found";
      case Failure.BadRequest refused -> "bad_question";
      case Failure.Blocked blocked -> "blocked";
      case Failure.ServerError trouble -> "server_trouble";
      case Failure.Unreadable unreadable -> "unreadable";
      case null, default -> otherwise;
    };
  }
}
