package io.tidemark.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NotificationLimitTest {

  @Test
  void limit_isParsed() {
    assertThat(NotificationLimit.parse("15 per minute")).isEqualTo(new NotificationLimit(15, Duration.ofMinutes(1)));
    assertThat(NotificationLimit.parse("1 per hour")).isEqualTo(new NotificationLimit(1, Duration.ofHours(1)));
  }

  @Test
  void wrongLimit_isRejectedWithAnExample() {
    assertThatThrownBy(() -> NotificationLimit.parse("often")).hasMessageContaining("15 per minute");
    assertThatThrownBy(() -> NotificationLimit.parse("0 per day")).hasMessageContaining("at least 1");
  }
}
