package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LedgerRestoreTest {

  @Test
  void halfWay_showsRateAndRemainingTime() {
    assertThat(LedgerRestore.progress(500_000, 1_000_000, Duration.ofSeconds(10))).isEqualTo(
        "restoring from Kafka: 500,000 of about 1,000,000 records (50 %), 50,000 a second, 10 s to go");
  }

  @Test
  void nothingReadYet_promisesNothing() {
    assertThat(LedgerRestore.progress(0, 10, Duration.ofSeconds(3))).isEqualTo(
        "restoring from Kafka: 0 of about 10 records (0 %), 0 a second");
  }

  @Test
  void nothingToRead_isAll() {
    assertThat(LedgerRestore.progress(0, 0, Duration.ZERO)).contains("(100 %)");
  }
}
