package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.moved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.tidemark.kafka.TraceParent;
import io.tidemark.stream.TopologyRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The traces that the headers of alerts continue: those of the changes that caused them. */
class TracedAlertTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final TraceParent COMMIT = TraceParent.ofPoll("main", "/global", NOON, 1).child("commit");
  static final TraceParent LATER = TraceParent.ofPoll("main", "/global", NOON.plusSeconds(1), 1).child("commit");

  static final String RULES = """
      rules:
        - name: up
          on: pool.changes
          when: changed.price && price.base_token_price_usd > before.price.base_token_price_usd
          annotations: { summary: "up" }
      """;
  static final String HELD = """
      rules:
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 1.0
          for: 5m
          annotations: { summary: "dear" }
      """;

  @Test
  void alert_continuesTheTraceOfItsChange() {
    var spans = fired();

    assertThat(spans).hasSize(2).allSatisfy(each -> {
      assertThat(each.getKey()).isEqualTo("fired");
      assertThat(each.getValue().traceId()).isEqualTo(COMMIT.traceId());
      assertThat(each.getValue().sampled()).isTrue();
      assertThat(each.getValue().spanId()).isNotEqualTo(COMMIT.spanId());
    }).doesNotHaveDuplicates();
    assertThat(fired()).as("again").isEqualTo(spans);
  }

  private static List<Map.Entry<String, @Nullable TraceParent>> fired() {
    try (var run = TopologyRun.start()) {
      run.rules(NOON.minusSeconds(60), RULES);
      run.change(moved(NOON, "1.0", "1.1"), COMMIT);
      run.change(moved(NOON.plusSeconds(1), "1.1", "1.2"), COMMIT);
      return run.tracedAlerts();
    }
  }

  @Test
  void alertOfAChangeWithoutHeader_hasNone() {
    try (var run = TopologyRun.start()) {
      run.rules(NOON.minusSeconds(60), RULES);
      run.change(moved(NOON, "1.0", "1.1"), COMMIT);
      run.change(moved(NOON.plusSeconds(1), "1.1", "1.2"));

      assertThat(run.tracedAlerts()).last().isEqualTo(entry("fired", null));
    }
  }

  /** Which record or tick comes first after its time is a matter of chance. */
  @Test
  void alertOfATimer_hasNone_evenIfARecordFiresIt() {
    try (var run = TopologyRun.start()) {
      run.rules(NOON.minusSeconds(60), HELD);
      run.change(moved(NOON, "1.0", "2.0"), COMMIT);
      run.ticks(NOON.plusSeconds(1), NOON.plusSeconds(300));
      run.change(moved(NOON.plusMillis(300_500), "2.0", "3.0"), LATER);

      var alerts = run.tracedAlerts();
      assertThat(alerts).extracting(Map.Entry::getKey).containsExactly("pending", "firing");
      assertThat(alerts.get(0).getValue().traceId()).isEqualTo(COMMIT.traceId());
      assertThat(alerts.get(1).getValue()).isNull();
    }
  }
}
