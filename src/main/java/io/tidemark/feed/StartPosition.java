package io.tidemark.feed;

import io.tidemark.topic.TopicReader;
import io.tidemark.yaml.DurationFormat;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Where reading starts. */
public sealed interface StartPosition {

  record Beginning() implements StartPosition {}

  record End() implements StartPosition {}

  /** The first record of that time or later. */
  record At(Instant time) implements StartPosition {}

  /** Moves a reader here. */
  default void apply(TopicReader reader) {
    switch (this) {
      case Beginning beginning -> reader.startAtBeginning();
      case End end -> reader.startAtEnd();
      case At at -> reader.startAt(at.time());
    }
  }

  /** Parses {@code beginning}, {@code now}, a duration up to now such as {@code 10m}, or a time as {@link #time} does. */
  public static StartPosition parse(String text, InstantSource clock) {
    var duration = DurationFormat.OF_RULES.parse(text);
    if (duration != null) {
      var time = clock.instant().minus(duration);
      return new At(time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time);
    }
    return switch (text) {
      case "beginning" -> new Beginning();
      case "now" -> new End();
      default -> new At(past(text, clock));
    };
  }

  private static Instant past(String text, InstantSource clock) {
    var time = time(text);
    if (time.isAfter(clock.instant())) {
      throw new IllegalArgumentException("'" + text + "' lies in the future");
    }
    return time;
  }

  /** Parses a time such as 2026-03-10T12:00:00Z, or a day, which begins at 00:00 UTC. */
  public static Instant time(String text) {
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "'" + text
              + "' is no start position: beginning, now, a duration such as 10m, or a time such as 2026-03-10T12:00:00Z",
          e);
    }
  }
}
