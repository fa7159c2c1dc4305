package io.tidemark.poll;

import static java.time.ZoneOffset.UTC;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;

/** A month of the service's accounts: from one billing day to the next, UTC. */
record Month(Instant start, Instant end) {

  static Month of(Instant now, int billingDay) {
    var month = YearMonth.from(now.atZone(UTC));
    var start = now.isBefore(turn(month, billingDay)) ? month.minusMonths(1) : month;
    return new Month(turn(start, billingDay), turn(start.plusMonths(1), billingDay));
  }

  /** At least a second, so that rates stay finite. */
  double secondsLeft(Instant now) {
    return Math.max(1, Duration.between(now, end).toMillis() / 1000.0);
  }

  private static Instant turn(YearMonth month, int billingDay) {
    return month.atDay(Math.min(billingDay, month.lengthOfMonth())).atStartOfDay(UTC).toInstant();
  }
}
