package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseTest {

  static final Duration LENGTH = Duration.ofSeconds(8);

  /** As on a machine whose counter is about to turn over. */
  long now = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();
  final Lease lease = new Lease(() -> now, LENGTH, now);

  @Test
  void notRenewedForItsLength_expires() {
    pass(Duration.ofMillis(7_999));

    assertThat(lease.held()).isTrue();
    pass(Duration.ofMillis(1));
    assertThat(lease.held()).isFalse();
  }

  @Test
  void renewed_countsFromThen() {
    pass(Duration.ofSeconds(5));
    lease.renew(now);
    pass(Duration.ofSeconds(7));

    assertThat(lease.held()).isTrue();
  }

  @Test
  void expiredAndRenewed_isHeldAgain() {
    pass(Duration.ofMinutes(1));
    lease.renew(now);

    assertThat(lease.held()).isTrue();
  }

  @Test
  void oldNews_shortensNothing() {
    var before = now;
    pass(Duration.ofSeconds(5));
    lease.renew(now);
    lease.renew(before);
    pass(Duration.ofSeconds(6));

    assertThat(lease.held()).isTrue();
  }

  @Test
  void ended_staysSo() {
    lease.end();
    lease.renew(now);

    assertThat(lease.held()).isFalse();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
