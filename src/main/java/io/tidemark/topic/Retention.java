package io.tidemark.topic;

import java.time.Duration;

/** How long the topics of a source keep records, where cleanup deletes them. */
public record Retention(Duration changes, Duration candles, Duration alerts, Duration deadLetters) {
  public static final Retention DEFAULT =
      new Retention(Duration.ofDays(30), Duration.ofDays(30), Duration.ofDays(90), Duration.ofDays(14));
}
