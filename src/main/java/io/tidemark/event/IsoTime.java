package io.tidemark.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Times that the service sends as text. */
public final class IsoTime {

  private static final int LAST_YEAR = 9999;

  private IsoTime() {}

  /**
   * Parses an ISO 8601 time with an offset or Z. Returns null for any other text, and for a year before 0 or after
   * 9999, because the milliseconds since 1970 of such a time may not fit into 64 bits.
   */
  public static @Nullable Instant parse(String text) {
    try {
      var time = OffsetDateTime.parse(text);
      return time.getYear() < 0 || time.getYear() > LAST_YEAR ? null : time.toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
