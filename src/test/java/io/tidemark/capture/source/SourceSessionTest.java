package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.capture.ledger.LedgerFailure;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceSessionTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource({"800, 1800", "799, 1800", "801, 1800", "1200, 1800", "1299, 1800", "1301, 2800", "0, 800", "400, 1800"})
  void tick_comesInPhaseAndNotTwiceInASecond(int now, int next) {
    var until = SourceSession.untilNextTick(NOON.plusMillis(now));

    assertThat(NOON.plusMillis(now).plus(until)).isEqualTo(NOON.plusMillis(next));
    assertThat(until).isBetween(Duration.ofMillis(499), Duration.ofMillis(1_500));
  }

  /** As on a laptop that sleeps: the first ticks made every resource not visible before any poll. */
  @Test
  void tickAfterASuspension_endsTheSession() {
    assertThat(SourceSession.requireNotSuspended(NOON, NOON.plusSeconds(60))).isEqualTo(NOON.plusSeconds(60));
    assertThat(SourceSession.requireNotSuspended(NOON, NOON.minusSeconds(3600))).as("clock set back")
        .isEqualTo(NOON.minusSeconds(3600));
    assertThatThrownBy(() -> SourceSession.requireNotSuspended(NOON, NOON.plusSeconds(1200)))
        .isInstanceOf(LedgerFailure.TimedOut.class).hasMessageContainingAll("1200 s", "suspended");
  }
}
