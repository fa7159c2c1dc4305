package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.AppendedStates;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.event.CoinDay;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommittedTargetsTest {

  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final String DAY = "/coins/bitcoin/history?date=2026-11-01";

  final ResourceStateStore states = new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), null);
  final ChangeDetector detector =
      new ChangeDetector(PublishSettings.MATERIAL, Duration.ofDays(30), Duration.ofDays(30), NOW, NOW);
  final CommittedTargets targets = new CommittedTargets(states);

  @AfterEach
  void close() {
    states.close();
  }

  @Test
  void observedDay_isKnown() {
    observeDay();

    assertThat(targets.known(DAY)).isNotNull();
  }

  /** As after a rebuild without its changes. It counted as observed, and nothing polled it again. */
  @Test
  void dayWhoseStateIsLost_isNotKnown() {
    observeDay();

    AppendedStates.append(states, TOPICS, new ResourceUpdate("coin-day", "bitcoin/2026-11-01", null, null));

    assertThat(targets.known(DAY)).isNull();
    assertThat(states.targetState(DAY)).isNotNull();
  }

  private void observeDay() {
    var query = new Query.CoinHistory("bitcoin", LocalDate.parse("2026-11-01"), true);
    var day = Observation.of(CoinDay.newBuilder().setCoin("bitcoin").setDate("2026-11-01").build());
    var answer = new Answer<>(query, Body.of(day), "digest", NOW, NOW, null, null, null, null);
    AppendedStates.append(states, TOPICS, detector.detect(
        new Snapshot(new Target("main", DAY, query, 1), List.of(answer), true, null, NOW, NOW), states));
  }
}
