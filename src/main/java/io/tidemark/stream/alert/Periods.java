package io.tidemark.stream.alert;

import java.time.Duration;

/** Checks of the times in settings. */
final class Periods {

  private Periods() {}

  static void requirePositive(String setting, Duration period) {
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException(setting + ": longer than nothing, not " + period);
    }
  }
}
