package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.PriceLog.PublishedPrice;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PriceLogTest {
  static final Instant START = Instant.parse("2026-05-05T12:00:00Z");

  final PriceLog shown = new PriceLog();

  @Test
  void changes_areCaughtOnce_andThoseNotPublishedAreNot() {
    show("1", "2", "3");

    var coverage = shown.coverage(published("1", "3"));

    assertThat(coverage.shown()).isEqualTo(2);
    assertThat(coverage.caught()).isEqualTo(1);
    assertThat(coverage.invented() + coverage.doubled()).isZero();
  }

  @Test
  void lastPriceAgain_isDoubled() {
    show("1", "2");

    assertThat(shown.coverage(published("1", "2", "2")).doubled()).isEqualTo(1);
  }

  @Test
  void priceThatWasNeverShown_andOneThatWasReplaced_areInvented() {
    show("1", "2");

    var coverage = shown.coverage(published("1", "2", "7", "1"));

    assertThat(coverage.invented()).isEqualTo(2);
    assertThat(coverage.caught()).isEqualTo(1);
  }

  @Test
  void latency_isFromShowingToReceiving() {
    show("1", "2");

    var received = new PublishedPrice("pool", "2", START.plusSeconds(4));

    assertThat(shown.coverage(List.of(received)).latencyMillis()).isEqualTo(3_000);
  }

  /** Each a second after the one before. */
  private void show(String... prices) {
    for (var number = 0; number < prices.length; number++) {
      shown.show("pool", prices[number], START.plusSeconds(number));
    }
  }

  private static List<PublishedPrice> published(String... prices) {
    return Stream.of(prices).map(price -> new PublishedPrice("pool", price, START.plusSeconds(10))).toList();
  }
}
