package io.tidemark.market;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a query was not answered: one type for each case that callers treat differently. No message holds a key. */
public abstract sealed class Failure extends RuntimeException {
  private Failure(String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
  }

  /** No answer: refused, reset, timed out, unknown host or bad certificate. A retry may help. */
  public static final class Unreachable extends Failure {
    public Unreachable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Too many calls a minute. */
  public static final class RateLimited extends Failure {
    private final @Nullable Duration retryAfter;

    public RateLimited(String message, @Nullable Duration retryAfter) {
      super(message, null);
      this.retryAfter = retryAfter;
    }

    /** When to retry, by the service's Retry-After; null where it has no usable one. */
    public @Nullable Duration retryAfter() {
      return retryAfter;
    }
  }

  /** The month's credits are spent: no query is answered until the next month. */
  public static final class CreditsExhausted extends Failure {
    public CreditsExhausted(String message) {
      super(message, null);
    }
  }

  /** The key is missing, wrong, or of another host: no query of the source is answered. */
  public static final class BadKey extends Failure {
    public BadKey(String message) {
      super(message, null);
    }
  }

  /** The query is beyond the plan (endpoint, page, history depth): others may be answered. */
  public static final class NotInPlan extends Failure {
    public NotInPlan(String message) {
      super(message, null);
    }
  }

  /** The service does not know the resource. */
  public static final class NotFound extends Failure {
    public NotFound(String message) {
      super(message, null);
    }
  }

  /** The service rejects the parameters (400, 422): a retry does not help. */
  public static final class BadRequest extends Failure {
    public BadRequest(String message) {
      super(message, null);
    }
  }

  /** A CDN or firewall in front of the service refused with a page of its own. */
  public static final class Blocked extends Failure {
    public Blocked(String message) {
      super(message, null);
    }
  }

  /** The service failed (5xx, empty error bodies). A retry may help. */
  public static final class ServerError extends Failure {
    public ServerError(String message) {
      super(message, null);
    }
  }

  /** The answer is not as the document describes it. Carries the whole body, for the dead letters. */
  public static final class Unreadable extends Failure {
    private final byte[] raw;
    private final int status;
    private final Map<String, String> headers;

    public Unreadable(String message, byte[] raw, int status, Map<String, String> headers) {
      super(message, null);
      this.raw = raw.clone();
      this.status = status;
      this.headers = Map.copyOf(headers);
    }

    public byte[] raw() {
      return raw.clone();
    }

    public int status() {
      return status;
    }

    /** Response headers for the dead letter; never a key. */
    public Map<String, String> headers() {
      return headers;
    }
  }
}
