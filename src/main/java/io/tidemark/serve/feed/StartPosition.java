package io.tidemark.serve.feed;

import io.tidemark.event.DurationFormat;
import io.tidemark.kafka.TopicReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** The position at which reading of a topic starts. */
public sealed interface StartPosition {

  /** The two main forms of a time that {@link #time} accepts, for messages. */
  String TIMES = "a duration such as 10m, or a time such as 2026-03-10T12:00:00Z";

  record Beginning() implements StartPosition {}

  record End() implements StartPosition {}

  /** In each partition, the first record whose timestamp is {@code time} or later, or the end if there is none. */
  record At(Instant time) implements StartPosition {}

  /** Moves a reader to this position. */
  default void apply(TopicReader reader) {
    switch (this) {
      case Beginning beginning -> reader.startAtBeginning();
      case End end -> reader.startAtEnd();
      case At at -> reader.startAt(at.time());
    }
  }

  /** Parses {@code beginning}, {@code now}, or a time in the past in a form that {@link #time} accepts. */
  public static StartPosition parse(String text, InstantSource clock) {
    return switch (text) {
      case "beginning" -> new Beginning();
      case "now" -> new End();
      default -> new At(past(text, clock));
    };
  }

  private static Instant past(String text, InstantSource clock) {
    try {
      var time = time(text, clock);
      if (time.isAfter(clock.instant())) {
        throw new IllegalArgumentException("'" + text + "' is in the future");
      }
      return time;
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("'" + text + "' is not a start position; use beginning, now, " + TIMES, e);
    }
  }

  /**
   * Parses a duration before now such as {@code 10m}, a time such as 2026-03-10T12:00:00Z, or a day such as
   * 2026-03-10, which stands for 00:00 UTC on that day. A time before 1970 that results from a duration becomes the
   * beginning of 1970.
   *
   * @throws DateTimeException if the text has none of these forms; the message names the first two
   */
  public static Instant time(String text, InstantSource clock) {
    var duration = DurationFormat.OF_RULES.parse(text);
    if (duration != null) {
      var time = clock.instant().minus(duration);
      return time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time;
    }
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException e) {
      throw new DateTimeException("'" + text + "' is not a time; use " + TIMES, e);
    }
  }
}
