package io.tidemark.market;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Why a question was not answered: the few cases that callers treat differently. Messages never hold a key. */
public abstract sealed class Failure extends RuntimeException {
  private Failure(String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
  }

  /** No answer: refused, reset, timed out, name or certificate not found good. Asking again later may help. */
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

    /** How long the service wants to be left alone; null where it said nothing usable. */
    public @Nullable Duration retryAfter() {
      return retryAfter;
    }
  }

  /** The month's credits are spent: nothing is to be had until it turns. */
  public static final class CreditsExhausted extends Failure {
    public CreditsExhausted(String message) {
      super(message, null);
    }
  }

  /** The key is missing, wrong, or of another host: no question of this source will be answered. */
  public static final class BadKey extends Failure {
    public BadKey(String message) {
      super(message, null);
    }
  }

  /** Beyond the plan (endpoint, page, history depth): this question will not be answered, others may. */
  public static final class NotInPlan extends Failure {
    public NotInPlan(String message) {
      super(message, null);
    }
  }

  /** The service does not know what was asked for. */
  public static final class NotFound extends Failure {
    public NotFound(String message) {
      super(message, null);
    }
  }

  /** The service refuses the question as it is put (400, 422): asking again does not help. */
  public static final class BadRequest extends Failure {
    public BadRequest(String message) {
      super(message, null);
    }
  }

  /** Something in front of the service (CDN, firewall) refused with a page of its own. */
  public static final class Blocked extends Failure {
    public Blocked(String message) {
      super(message, null);
    }
  }

  /** The service is in trouble (5xx, empty error bodies). Asking again later may help. */
  public static final class ServerError extends Failure {
    public ServerError(String message) {
      super(message, null);
    }
  }

  /** An answer that is not what the document says; it carries the body whole, for the dead letters. */
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

    /** Response headers worth having; never a key. */
    public Map<String, String> headers() {
      return headers;
    }
  }
}
