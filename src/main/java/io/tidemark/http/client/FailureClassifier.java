package io.tidemark.http.client;

import io.tidemark.http.client.BoundedHttpClient.ReceivedResponse;
import io.tidemark.http.wire.ErrorBody;
import io.tidemark.http.wire.HttpDates;
import io.tidemark.market.Failure;
import java.time.Instant;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A classifier of a response that is not an answer. It uses the service's own error code, then the HTTP status, then
 * the text of the error.
 */
record FailureClassifier(ReceivedResponse received, int status, int code, String reason, String message) {
  private static final Pattern CREDITS = startsOfWords("calls limit", "monthly", "credits?");
  private static final Pattern PLAN =
      startsOfWords("upgrade", "plan", "subscri", "limited to", "allowed max", "allowed time range",
          "exceeds the allowed");
  private static final Pattern UNKNOWN = startsOfWords("not found");
  private static final int MAX_QUOTED = 300;

  /**
   * Returns the failure in a response, or null if the response is an answer.
   *
   * @param query path and query string of the request; the message of the failure begins with them
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

  /**
   * Returns the HTTP status of a response. If the status is 200, returns the error code instead, or 0 if the error
   * code cannot be a status.
   */
  private static int status(ReceivedResponse received, int code) {
    return received.status() != 200 ? received.status() : code < 600 ? code : 0;
  }

  /**
   * Classifies the response by the service's own error code or, if that code is missing or unknown, by the HTTP
   * status. If the status is ambiguous, the text of the error is used as a hint.
   */
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

  /**
   * Classifies a response that reports too many calls. The time to wait is computed from the response's Date, or from
   * this machine's time if the response has no Date.
   */
  private Failure tooMany(Instant now) {
    var retryAfter = HttpDates.retryAfter(received.headers().get("retry-after"),
        received.headers().get("x-ratelimit-reset"), Objects.requireNonNullElse(received.date(), now));
    return retryAfter == null && CREDITS.matcher(reason).find()
        ? new Failure.CreditsExhausted(message)
        : new Failure.RateLimited(message, retryAfter);
  }

  /** Returns the beginning of the reason on one line. The key is masked, in case the reason repeats it. */
  private static String quote(String reason, @Nullable ApiKey key) {
    var line = reason.replaceAll("[\\s\\p{Cntrl}]+", " ");
    var safe = key == null ? line : key.redacted(line);
    return safe.substring(0, Math.min(safe.length(), MAX_QUOTED));
  }

  private static Pattern startsOfWords(String... starts) {
    return Pattern.compile("\\b(" + String.join("|", starts) + ")", Pattern.CASE_INSENSITIVE);
  }
}
