package io.tidemark.market;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a query has no usable answer, with one type for each case that callers treat differently. No message
 * contains a key. No failure is final: the query is repeated later, whatever the service answered.
 */
public abstract sealed class Failure extends RuntimeException {
  private Failure(String message, @Nullable Throwable cause) {
    super(message, cause, false, false);
  }

  /**
   * Returns whether the query would probably fail in the same way again. To confirm that the failure persists, the
   * query is repeated with longer pauses.
   */
  public boolean looksFinal() {
    return switch (this) {
      case CreditsExhausted usedUp -> true;
      case BadKey badKey -> true;
      case NotInPlan beyond -> true;
      case NotFound notFound -> true;
      case BadRequest refused -> true;
      case Unreachable unreachable -> false;
      case RateLimited limited -> false;
      case Blocked blocked -> false;
      case ServerError error -> false;
      case Unreadable unreadable -> false;
    };
  }

  /**
   * No complete answer arrived: connection refused or reset, timeout, unknown host or bad certificate. A retry may
   * help.
   */
  public static final class Unreachable extends Failure {
    public Unreachable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * The service rejected the query because there were too many calls within a minute, or no key could send the query
   * soon enough.
   */
  public static final class RateLimited extends Failure {
    private final @Nullable Duration retryAfter;

    public RateLimited(String message, @Nullable Duration retryAfter) {
      super(message, null);
      this.retryAfter = retryAfter;
    }

    /**
     * Returns how long to wait before a retry, from the service's headers, or null if the headers do not specify it.
     */
    public @Nullable Duration retryAfter() {
      return retryAfter;
    }
  }

  /** The service says that the key's credits for the month are spent. */
  public static final class CreditsExhausted extends Failure {
    public CreditsExhausted(String message) {
      super(message, null);
    }
  }

  /** The service says that the key is missing, wrong, or for another host. */
  public static final class BadKey extends Failure {
    public BadKey(String message) {
      super(message, null);
    }
  }

  /** The plan does not include the query's endpoint, page or history depth. Other queries may be answered. */
  public static final class NotInPlan extends Failure {
    public NotInPlan(String message) {
      super(message, null);
    }
  }

  /** The service says that it does not know the resource. */
  public static final class NotFound extends Failure {
    private final boolean confirmed;

    /**
     * Creates a confirmed failure. The poller replaces it with an unconfirmed failure as long as it has not confirmed
     * it itself.
     */
    public NotFound(String message) {
      this(message, true);
    }

    /**
     * @param confirmed whether the resource is certainly gone, because repeated queries got the same answer while the
     *     service answered other queries
     */
    public NotFound(String message, boolean confirmed) {
      super(message, null);
      this.confirmed = confirmed;
    }

    public boolean isConfirmed() {
      return confirmed;
    }
  }

  /** The service rejects the query (400, 405, 410, 422 and others). */
  public static final class BadRequest extends Failure {
    public BadRequest(String message) {
      super(message, null);
    }
  }

  /**
   * A proxy, CDN or firewall in front of the service refused the query (403, 407, an HTML page, or another body that
   * is not an error of the service).
   */
  public static final class Blocked extends Failure {
    public Blocked(String message) {
      super(message, null);
    }
  }

  /** The service failed (5xx, 408, 409, 421, 423, 425, empty bodies). A retry may help. */
  public static final class ServerError extends Failure {
    private final @Nullable Duration retryAfter;

    public ServerError(String message) {
      this(message, null);
    }

    /** @param retryAfter when a retry may help; null if that is not known */
    public ServerError(String message, @Nullable Duration retryAfter) {
      super(message, null);
      this.retryAfter = retryAfter;
    }

    public @Nullable Duration retryAfter() {
      return retryAfter;
    }
  }

  /**
   * The answer does not match the interface document, is too large, or cannot be decompressed. The failure contains
   * the whole body, or the beginning of one that is too large, for the dead letter.
   */
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

    /** Returns those response headers that help to find the cause, for the dead letter. They never contain a key. */
    public Map<String, String> headers() {
      return headers;
    }
  }
}
