package io.tidemark.kafka;

import java.time.Duration;

/**
 * Retention times of a source's topics whose cleanup policy deletes records.
 *
 * @param changes retention of the changes, and of the topics {@code control}, {@code pool.listing}, {@code launches}
 *     and {@code trending}
 */
public record Retention(Duration changes, Duration candles, Duration alerts, Duration deadLetters) {
  public static final Retention DEFAULT =
      new Retention(Duration.ofDays(30), Duration.ofDays(30), Duration.ofDays(90), Duration.ofDays(14));
}
