package io.tidemark.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConditionTimeTest {

  static final long MILLI = 1_000_000;

  long now;
  final ConditionTime time = new ConditionTime(() -> now);

  @Test
  void client_hasASecondAtOnce_andATenthOfTheTimeThatPasses() {
    time.join("a");

    assertThat(time.spend("a", 999 * MILLI)).isTrue();
    assertThat(time.spend("a", 2 * MILLI)).isFalse();
    now += 20 * MILLI;
    assertThat(time.has("a")).isTrue();
    assertThat(time.spend("a", 10 * MILLI)).isFalse();
  }

  @Test
  void manyClients_shareHalfOfTheTime() {
    var clients = IntStream.range(0, 50).mapToObj(Integer::toString).toList();
    clients.forEach(time::join);
    clients.forEach(each -> time.spend(each, 1_000 * MILLI));

    now += 1_000 * MILLI;

    assertThat(clients).allSatisfy(each -> {
      assertThat(time.spend(each, 9 * MILLI)).isTrue();
      assertThat(time.spend(each, 2 * MILLI)).isFalse();
    });
  }

  @Test
  void clientThatComesBack_hasNoNewSecond() {
    time.join("a");
    time.spend("a", 2_000 * MILLI);
    time.leave("a");
    time.join("a");

    assertThat(time.has("a")).isFalse();
    now += 10_001 * MILLI;
    assertThat(time.has("a")).isTrue();
  }

  @Test
  void clientWithoutSuchConditions_isNotCounted() {
    assertThat(time.spend("b", 10_000 * MILLI)).isTrue();
  }
}
