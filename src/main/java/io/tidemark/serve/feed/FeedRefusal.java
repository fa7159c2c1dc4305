package io.tidemark.serve.feed;

import java.time.Duration;

/** Thrown if a request is refused, with the status of the response and a message for the client. */
public final class FeedRefusal extends RuntimeException {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  private final int status;
  private final Duration retryAfter;

  private FeedRefusal(int status, String message, Duration retryAfter) {
    super(message, null, false, false);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  /** Creates a refusal after which trying again does not help. */
  public static FeedRefusal of(int status, String message) {
    return new FeedRefusal(status, message, Duration.ZERO);
  }

  public static FeedRefusal badRequest(String message) {
    return of(400, message);
  }

  public static FeedRefusal notFound(String message) {
    return of(404, message);
  }

  public static FeedRefusal tooManyRequests(String message) {
    return new FeedRefusal(429, message, RETRY_AFTER);
  }

  public static FeedRefusal unavailable(String message) {
    return new FeedRefusal(503, message, RETRY_AFTER);
  }

  public int status() {
    return status;
  }

  /** Returns the time after which to try again, or zero if trying again does not help. */
  public Duration retryAfter() {
    return retryAfter;
  }
}
