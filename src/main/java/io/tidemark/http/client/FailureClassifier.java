package io.tidemark.http.client;

import io.tidemark.http.wire.ErrorBody;
import io.tidemark.http.wire.HttpDates;
import io.tidemark.market.Failure;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A response that is no answer, told apart by the service's own codes, then by its words, then by the status. */
record FailureClassifier(ReceivedResponse received, int status, int code, String reason, String message) {
  private static final Pattern CREDITS = words("calls limit", "monthly", "credits?");
  private static final Pattern PLAN =
      words("upgrade", "plan", "subscri", "limited to", "allowed max", "allowed time range", "exceeds the allowed");
  private static final Pattern KEY = words("api.key", "invalid key", "root url");
  private static final Pattern UNKNOWN = words("not found");
  private static final int SHOWN = 300;

  /**
   * Null where the response is an answer.
   *
   * @param question stands in front of the message
   */
  static @Nullable Failure of(ReceivedResponse received, String question, @Nullable ApiKey key, Instant now) {
    boolean ok = received.status() == 200 && !received.isEmpty() && !received.isHtml();
    var envelope = ok ? ErrorBody.sniff(received.body()) : ErrorBody.read(received.body());
    if (ok && envelope == null) {
      return null;
    }
    int code = envelope == null ? 0 : envelope.code();
    var reason = envelope == null ? received.start() : envelope.message();
    var message = question + ": " + received.status() + " " + shown(reason, key);
    return new FailureClassifier(received, status(received, code), code, reason, message).failure(envelope != null,
        now);
  }

  /** With status 200 the code may tell the real one; 0 where it does not. */
  private static int status(ReceivedResponse received, int code) {
    return received.status() != 200 ? received.status() : code < 600 ? code : 0;
  }

  private Failure failure(boolean byService, Instant now) {
    if (status == 429 || code == 429) {
      return tooMany(now);
    }
    if (status >= 500 || status == 408 || received.isEmpty()) {
      return new Failure.ServerError(message);
    }
    if (received.isHtml() || !byService) {
      return new Failure.Blocked(message);
    }
    return switch (code) {
      case 10002, 10010, 10011 -> new Failure.BadKey(message);
      case 10005, 10012 -> new Failure.NotInPlan(message);
      case 10006 -> new Failure.CreditsExhausted(message);
      case 1020 -> new Failure.Blocked(message);
      default -> byStatus();
    };
  }

  private Failure tooMany(Instant now) {
    return code == 10006 || CREDITS.matcher(reason).find()
        ? new Failure.CreditsExhausted(message)
        : new Failure.RateLimited(message,
            HttpDates.retryAfter(received.header("retry-after"), received.header("x-ratelimit-reset"), now(now)));
  }

  /** The service's time where it is known: what it says of later is by that. */
  private Instant now(Instant ours) {
    var theirs = received.date();
    return theirs == null ? ours : theirs;
  }

  private Failure byStatus() {
    return switch (status) {
      case 401, 403 -> notAllowed();
      case 404 -> new Failure.NotFound(message);
      case 0 -> UNKNOWN.matcher(reason).find() ? new Failure.NotFound(message) : new Failure.ServerError(message);
      default -> status >= 400 ? new Failure.BadRequest(message) : new Failure.ServerError(message);
    };
  }

  /** 401 means four things, and only one of them is the key. */
  private Failure notAllowed() {
    if (CREDITS.matcher(reason).find()) {
      return new Failure.CreditsExhausted(message);
    }
    if (PLAN.matcher(reason).find()) {
      return new Failure.NotInPlan(message);
    }
    return status == 401 || KEY.matcher(reason).find() ? new Failure.BadKey(message) : new Failure.Blocked(message);
  }

  /** Bounded, on one line, and without the key, should the service repeat it. */
  private static String shown(String reason, @Nullable ApiKey key) {
    var line = reason.replaceAll("[\\s\\p{Cntrl}]+", " ");
    var safe = key == null ? line : key.redacted(line);
    return safe.substring(0, Math.min(safe.length(), SHOWN));
  }

  private static Pattern words(String... words) {
    return Pattern.compile("\\b(" + String.join("|", words) + ")", Pattern.CASE_INSENSITIVE);
  }
}
