package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.CoinDayState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicsTest {

  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);

  @Test
  void topicsOfASource_areThoseOfTheDocument() {
    var names = TOPICS.all().stream().map(topic -> topic.name().substring("tidemark.".length())).toList();

    assertThat(names)
        .containsAll(
            List.of(
                "pool.changes", "token.changes", "ranking.changes", "global.changes", "coin-day.changes",
                "ticker.changes", "derivatives-exchange.changes", "contract.changes", "treasury.changes",
                "holding.changes", "platform.changes", "pool.state", "token.state", "ranking.state", "global.state",
                "coin-day.state", "ticker.state", "derivatives-exchange.state", "contract.state", "treasury.state",
                "holding.state", "platform.state", "target.state", "source.state", "target.members", "watch",
                "control", "pool.listing", "pool.candles.1m", "pool.candles.5m", "pool.candles.1h", "alerts",
                "alerts.state", "dead-letters"))
        .doesNotHaveDuplicates();
  }

  @Test
  void resourceName_givesItsTopics() {
    var topics = TOPICS.resource("coin-day");

    assertThat(topics.state()).isEqualTo(
        new Topic<>("tidemark.coin-day.state", CoinDayState.class, CleanupPolicy.COMPACT,
            "The newest known state of a day of a coin", "`<coin>/<yyyy-mm-dd>`", List.of()));
  }

  @Test
  void unknownResource_isNamed() {
    assertThatThrownBy(() -> TOPICS.resource("pond")).hasMessageContaining("'pond'");
  }

  @Test
  void retention_reachesTheTopic() {
    var weekly =
        new Topics("t.", new Retention(Duration.ofDays(7), Duration.ofDays(8), Duration.ofDays(9), Duration.ofDays(1)));

    assertThat(weekly.pool().changes().cleanup().config()).containsEntry("retention.ms", "604800000");
    assertThat(weekly.candles(weekly.pool(), CandleInterval.HOUR).cleanup().config())
        .containsEntry("retention.ms", "691200000");
  }

  @Test
  void prefixThatKafkaDoesNotAccept_isRejected() {
    assertThatThrownBy(() -> new Topics("a b", Retention.DEFAULT))
        .hasMessageContaining("prefix")
        .hasMessageContaining("a b");
  }
}
