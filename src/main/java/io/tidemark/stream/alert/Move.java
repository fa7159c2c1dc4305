package io.tidemark.stream.alert;

import java.time.Instant;

/** A price that became another since a time. */
record Move(double from, double to, Instant since) {

  /** 100 (to / from - 1); not finite where it came from nothing. */
  double percent() {
    return 100 * (to / from - 1);
  }

  /** The one with more percent in either direction; one that cannot be computed counts least. */
  Move larger(Move other) {
    return size() >= other.size() ? this : other;
  }

  double size() {
    return Double.isFinite(percent()) ? Math.abs(percent()) : -1;
  }
}
