package io.tidemark.change;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Times as the service writes them. */
final class ServiceTimes {
  private ServiceTimes() {}

  /** Unix time in seconds; null where no calendar has it. */
  static @Nullable Instant seconds(long seconds) {
    return seconds > 0 && seconds < 100_000_000_000L ? Instant.ofEpochSecond(seconds) : null;
  }

  /** ISO 8601 with an offset or Z; null where it is none. */
  static @Nullable Instant iso(@Nullable String text) {
    try {
      return text == null ? null : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
