package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LedgerClockTest {

  static final Instant NOON = Instant.parse("2026-11-21T12:00:00.123Z");

  Instant now = NOON;
  final LedgerClock clock = new LedgerClock(() -> now);

  @Test
  void stamp_isThisMachinesTimeInMilliseconds() {
    now = NOON.plusNanos(456);

    assertThat(clock.stamp()).isEqualTo(NOON);
  }

  @Test
  void machineThatGoesBack_isWaitedFor() {
    clock.stamp();
    now = NOON.minusSeconds(9);

    assertThat(clock.stamp()).isEqualTo(NOON);
  }

  @Test
  void stampAfterATick_isLarger() {
    clock.tick();

    assertThat(clock.stamp()).isEqualTo(NOON.plusMillis(1));
  }

  @Test
  void ticksOfOneMillisecond_differ() {
    clock.tick();

    assertThat(clock.tick()).isEqualTo(NOON.plusMillis(1));
  }

  @Test
  void ahead_isHowLongItStandsStill() {
    clock.tick();
    assertThat(clock.ahead()).isZero();

    clock.advancePast(NOON.plusSeconds(60));

    assertThat(clock.ahead()).isEqualTo(Duration.ofSeconds(60).plusMillis(1));
  }

  @Test
  void stampOfAnEarlierLedger_isExceeded() {
    clock.advancePast(NOON.plusSeconds(60));
    clock.advancePast(NOON);

    assertThat(clock.stamp()).isEqualTo(NOON.plusSeconds(60).plusMillis(1));
  }
}
