package io.tidemark.kafka;

import java.time.Duration;
import java.time.Instant;

/**
 * The length of a candle's window. Windows begin at whole multiples of the length since the epoch, so days begin at
 * midnight UTC.
 */
public enum CandleInterval {
  MINUTE("1m", Duration.ofMinutes(1)),
  FIVE_MINUTES("5m", Duration.ofMinutes(5)),
  FIFTEEN_MINUTES("15m", Duration.ofMinutes(15)),
  HOUR("1h", Duration.ofHours(1)),
  FOUR_HOURS("4h", Duration.ofHours(4)),
  DAY("1d", Duration.ofDays(1));

  private final String label;
  private final Duration length;

  CandleInterval(String label, Duration length) {
    this.label = label;
    this.length = length;
  }

  /** Returns the label of this interval in candles and topic names: 1m, 5m, 15m, 1h, 4h or 1d. */
  public String label() {
    return label;
  }

  /** Returns the start of the window that contains the given time. */
  public Instant startOf(Instant time) {
    return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), length.toMillis()) * length.toMillis());
  }

  /** Returns the exclusive end of the window that contains the given time. */
  public Instant endOf(Instant time) {
    return startOf(time).plus(length);
  }
}
