package io.tidemark.http.wire;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times and durations in HTTP headers. */
public final class HttpDates {
  private static final Duration MIN_WAIT = Duration.ofSeconds(1);
  private static final Duration MAX_WAIT = Duration.ofMinutes(10);

  /** Format of the service's header {@code x-ratelimit-reset}, such as 2026-03-09 03:28:00 +0000. */
  private static final DateTimeFormatter RESET = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss Z", Locale.ROOT);

  private HttpDates() {}

  /** Parses a date. Returns null if it is missing or unreadable. */
  public static @Nullable Instant parse(@Nullable String date) {
    return parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
  }

  /** Parses whole seconds. Returns null for any other text. */
  public static @Nullable Duration seconds(String text) {
    return text.strip().matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(text.strip())) : null;
  }

  /**
   * Returns how long to wait before the next request, from 1 second to 10 minutes, according to the header {@code
   * Retry-After} or {@code x-ratelimit-reset}. Returns zero if the header has 0 or a past time. Zero does not mean
   * that a retry may follow at once; the caller chooses the pause. Returns null if neither header has a time.
   */
  public static @Nullable Duration retryAfter(@Nullable String retryAfter, @Nullable String reset, Instant now) {
    var wait = retryAfter == null ? null : seconds(retryAfter);
    if (wait != null) {
      return clamped(wait);
    }
    var until = parse(retryAfter) == null ? parse(reset, RESET) : parse(retryAfter);
    return until == null ? null : clamped(Duration.between(now, until));
  }

  private static @Nullable Instant parse(@Nullable String text, DateTimeFormatter format) {
    try {
      return text == null ? null : format.parse(text.strip(), Instant::from);
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Duration clamped(Duration wait) {
    if (!wait.isPositive()) {
      return Duration.ZERO;
    }
    var atLeast = wait.compareTo(MIN_WAIT) < 0 ? MIN_WAIT : wait;
    return atLeast.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : atLeast;
  }
}
