package io.tidemark.capture.poll;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.poll.MonthlyBudget.BillingMonth;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BillingMonthTest {

  @ParameterizedTest
  @CsvSource({
    "2026-03-15T10:00:00Z, 1, 2026-03-01T00:00:00Z, 2026-04-01T00:00:00Z",
    "2026-03-15T10:00:00Z, 15, 2026-03-15T00:00:00Z, 2026-04-15T00:00:00Z",
    "2026-03-14T23:59:59Z, 15, 2026-02-15T00:00:00Z, 2026-03-15T00:00:00Z",
    "2026-03-01T00:00:00Z, 31, 2026-02-28T00:00:00Z, 2026-03-31T00:00:00Z",
    "2026-01-01T00:00:00Z, 1, 2026-01-01T00:00:00Z, 2026-02-01T00:00:00Z",
  })
  void anyInstant_isBetweenItsBillingDays(Instant now, int billingDay, Instant start, Instant end) {
    assertThat(BillingMonth.of(now, billingDay)).isEqualTo(new BillingMonth(start, end));
  }
}
