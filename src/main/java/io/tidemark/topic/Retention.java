package io.tidemark.topic;

import java.time.Duration;

/** How long the records of a source are kept where they are not kept for good. */
public record Retention(Duration changes, Duration alerts, Duration deadLetters) {
  public static final Retention DEFAULT = new Retention(Duration.ofDays(30), Duration.ofDays(90), Duration.ofDays(14));
}
