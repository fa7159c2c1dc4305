package io.tidemark.simulator.pool;

import java.time.Duration;

/** A rolling window of the document, shortest first. */
public enum RollingWindow {
  M5(Duration.ofMinutes(5)),
  M15(Duration.ofMinutes(15)),
  M30(Duration.ofMinutes(30)),
  H1(Duration.ofHours(1)),
  H6(Duration.ofHours(6)),
  H24(Duration.ofHours(24));

  private final long millis;

  RollingWindow(Duration length) {
    this.millis = length.toMillis();
  }

  public long millis() {
    return millis;
  }
}
