package io.tidemark.http.wire;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Times as HTTP headers write them. */
public final class HttpDates {
  private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

  /** As {@code x-ratelimit-reset} of the service has it: 2026-03-09 03:28:00 +0000. */
  private static final DateTimeFormatter RESET = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss Z", Locale.ROOT);

  /** With two digits for the day, which Java's own format of that name does not write. */
  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

  private HttpDates() {}

  public static String format(Instant instant) {
    return DATE.format(instant);
  }

  /** Null where there is no date, or none that can be read. */
  public static @Nullable Instant parse(@Nullable String date) {
    return parse(date, DateTimeFormatter.RFC_1123_DATE_TIME);
  }

  /** Whole seconds; null where it is something else. */
  public static @Nullable Duration seconds(String text) {
    return text.strip().matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(text.strip())) : null;
  }

  /** How long a service wants to be left alone, within bounds; null where it says nothing usable. */
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
    var atLeast = wait.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : wait;
    return atLeast.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : atLeast;
  }
}
