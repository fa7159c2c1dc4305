package io.tidemark.http.client;

import io.tidemark.http.client.BoundedHttpClient.ReceivedResponse;
import io.tidemark.http.wire.ErrorBody;
import io.tidemark.http.wire.HttpDates;
import io.tidemark.market.Failure;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Classifies a response that is no answer: by the service's own code, then by the status, then by its words. */
record FailureClassifier(ReceivedResponse received, int status, int code, String reason, String message) {
  private static final Pattern CREDITS = startsOfWords("calls limit", "monthly", "credits?");
  private static final Pattern PLAN =
      startsOfWords("upgrade", "plan", "subscri", "limited to", "allowed max", "allowed time range",
          "exceeds the allowed");
  private static final Pattern UNKNOWN = startsOfWords("not found");
  private static final int MAX_QUOTED = 300;

  /**
   * Null where the response is an answer.
   *
   * @param query begins the message
   */
  static @Nullable Failure of(ReceivedResponse received, String query, @Nullable ApiKey key, Instant now) {
    boolean ok = received.status() == 200 && !received.isEmpty() && !received.isHtml();
    var error = ok ? ErrorBody.sniff(received.body()) : ErrorBody.read(received.body());
    if (ok && error == null) {
      return null;
    }
    int code = error == null ? 0 : error.code();
    var reason = error == null ? received.quote() : error.message();
    var message = query + ": " + received.status() + " " + quote(reason, key);
    return new FailureClassifier(received, status(received, code), code, reason, message).failure(error != null,
        now);
  }

  /** A response with status 200 may have the real status as its code; 0 where it does not. */
  private static int status(ReceivedResponse received, int code) {
    return received.status() != 200 ? received.status() : code < 600 ? code : 0;
  }

  /** The service's own code decides where there is one, then the status; words are a hint where both leave it open. */
  private Failure failure(boolean hasErrorBody, Instant now) {
    return switch (code) {
      case 10002, 10010, 10011 -> new Failure.BadKey(message);
      case 10005, 10012 -> new Failure.NotInPlan(message);
      case 10006 -> new Failure.CreditsExhausted(message);
      case 429 -> tooMany(now);
      case 1020 -> new Failure.Blocked(message);
      default -> byStatus(hasErrorBody, now);
    };
  }

  private Failure byStatus(boolean hasErrorBody, Instant now) {
    if (status == 429) {
      return tooMany(now);
    }
    if (status >= 500 || received.isEmpty()) {
      return new Failure.ServerError(message);
    }
    if (received.isHtml() || !hasErrorBody) {
      return new Failure.Blocked(message);
    }
    return switch (status) {
      case 401 -> CREDITS.matcher(reason).find() ? new Failure.CreditsExhausted(message)
          : PLAN.matcher(reason).find() ? new Failure.NotInPlan(message) : new Failure.BadKey(message);
      case 402 -> new Failure.NotInPlan(message);
      case 403, 407 -> new Failure.Blocked(message);
      case 404 -> new Failure.NotFound(message);
      case 408, 409, 421, 423, 425 -> new Failure.ServerError(message);
      case 0 -> UNKNOWN.matcher(reason).find() ? new Failure.NotFound(message) : new Failure.ServerError(message);
      default -> status >= 400 ? new Failure.BadRequest(message) : new Failure.ServerError(message);
    };
  }

  /** The service's headers are relative to its own time, where that is known. */
  private Failure tooMany(Instant now) {
    var retryAfter = HttpDates.retryAfter(received.headers().get("retry-after"),
        received.headers().get("x-ratelimit-reset"), Objects.requireNonNullElse(received.date(), now));
    return retryAfter == null && CREDITS.matcher(reason).find()
        ? new Failure.CreditsExhausted(message)
        : new Failure.RateLimited(message, retryAfter);
  }

  /** Bounded, on one line, and without the key in case the service repeats it. */
  private static String quote(String reason, @Nullable ApiKey key) {
    var line = reason.replaceAll("[\\s\\p{Cntrl}]+", " ");
    var safe = key == null ? line : key.redacted(line);
    return safe.substring(0, Math.min(safe.length(), MAX_QUOTED));
  }

  private static Pattern startsOfWords(String... starts) {
    return Pattern.compile("\\b(" + String.join("|", starts) + ")", Pattern.CASE_INSENSITIVE);
  }
}
