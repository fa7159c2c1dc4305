package io.tidemark.poll;

import static java.time.ZoneOffset.UTC;

import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;

/** A month of the service's accounts: from one billing day to the next, UTC. */
record BillingMonth(Instant start, Instant end) {

  static BillingMonth of(Instant now, int billingDay) {
    var month = YearMonth.from(now.atZone(UTC));
    var start = now.isBefore(billingStart(month, billingDay)) ? month.minusMonths(1) : month;
    return new BillingMonth(billingStart(start, billingDay), billingStart(start.plusMonths(1), billingDay));
  }

  /** At least a second, so that rates stay finite. */
  double secondsRemaining(Instant now) {
    return Math.max(1, Duration.between(now, end).toMillis() / 1000.0);
  }

  private static Instant billingStart(YearMonth month, int billingDay) {
    return month.atDay(Math.min(billingDay, month.lengthOfMonth())).atStartOfDay(UTC).toInstant();
  }
}
