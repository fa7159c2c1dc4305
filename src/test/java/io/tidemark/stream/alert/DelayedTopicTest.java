package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.stream.PoolChanges;
import io.tidemark.stream.TopologyRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Alerts are a function of the event log: a topic that is read a little later than the others does not change them, also
 * behind a repartition.
 */
class DelayedTopicTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int SECONDS = 400;
  static final long TICK = 1_000;

  static final String RULES = """
      rules:
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > %s
          for: 20s
          keep_firing_for: 10s
          no_data_for: 30s
          annotations: { summary: "{{ price.base_token_price_usd }}" }
        - name: rising
          on: pool.changes
          kind: condition
          when: moved(price.base_token_price_usd, "2m") > 5.0
          annotations: { summary: "{{ moved(price.base_token_price_usd, '2m') | change }}" }
        - name: entered
          on: pool.listing
          when: action == "entered"
          once: [list]
          cooldown: 1m
          annotations: { summary: "{{ list }}" }
        - name: deep
          on: liquidity
          kind: condition
          when: reserve_usd > 50000.0
          annotations: { summary: "{{ reserve_usd }} in {{ pools }}" }
        - name: often
          on: trending
          when: entries > 2
          cooldown: 2m
          annotations: { summary: "{{ entries }} entries, {{ best_rank }} at best" }
      """;

  /** A record of a topic, read when its time has come. */
  private record Input(String topic, Instant stamp, Consumer<TopologyRun> feed) {}

  @ParameterizedTest
  @ValueSource(strings = {"pool.changes", "pool.listing", "control"})
  void topicReadATickLater_givesTheSameAlerts(String late) {
    var expected = alerts(eventLog(), input -> 0);

    assertThat(alerts(eventLog(), input -> input.topic().equals(late) ? TICK : 0)).isEqualTo(expected);
    assertThat(expected).hasSizeGreaterThan(40)
        .anyMatch(alert -> alert.contains("v2"))
        .anyMatch(alert -> alert.contains("deep") && alert.contains("firing"))
        .anyMatch(alert -> alert.contains("often"));
  }

  @Test
  void recordsReadInAnyOrderWithinATick_giveTheSameAlerts() {
    var expected = alerts(eventLog(), input -> 0);

    for (var seed = 1; seed <= 3; seed++) {
      var random = new Random(seed);
      var jitter = new long[] {random.nextInt(1000), random.nextInt(1000), random.nextInt(1000)};
      assertThat(alerts(eventLog(), input -> jitter[input.topic().length() % 3])).isEqualTo(expected);
    }
  }

  /** Sorted by time: alerts of different topics may be published in another order. */
  private static List<String> alerts(List<Input> eventLog, ToLongFunction<Input> delay) {
    try (var run = TopologyRun.start()) {
      eventLog.stream()
          .sorted(Comparator.comparing(input -> input.stamp().plusMillis(delay.applyAsLong(input))))
          .forEach(input -> input.feed().accept(run));
      return run.alerts().stream().map(DelayedTopicTest::text).sorted().toList();
    }
  }

  private static String text(Alert alert) {
    return "%s %s v%d %s %s %s".formatted(alert.getEventTime(), alert.getId(), alert.getRuleVersion(),
        alert.getStatus(), alert.getReason(), alert.getSummary());
  }

  /** Lively minutes: a tick each second, changes and entries between ticks, rules replaced in the middle. */
  private static List<Input> eventLog() {
    var random = new Random(11);
    var eventLog = new ArrayList<Input>();
    var start = NOON.minusSeconds(5); // without a gap before it: a record and a tick may measure one differently, by a second
    eventLog.add(new Input("control", start, run -> run.rules(start, RULES.formatted("1.5"))));
    IntStream.range(0, SECONDS).forEach(second -> {
      var at = NOON.plusSeconds(second);
      eventLog.add(new Input("control", at, run -> run.tick(at)));
    });
    var price = "1.0";
    for (var second = 0; second < SECONDS; second += 1 + random.nextInt(6)) {
      var at = NOON.plusSeconds(second).plusMillis(1 + random.nextInt(998));
      var next = random.nextInt(12) == 0 ? "NaN" : String.valueOf(1 + random.nextInt(10) / 10.0);
      var change = PoolChanges.moved(at.minusMillis(random.nextInt(700)), price, at.minusSeconds(5), next);
      change.getAbout().setReserveUsd(1_000.0 * random.nextInt(100));
      eventLog.add(new Input("pool.changes", at, run -> run.change(change, at)));
      price = next;
    }
    for (var second = 0; second < SECONDS; second += 1 + random.nextInt(20)) {
      var at = NOON.plusSeconds(second).plusMillis(1 + random.nextInt(998));
      var listing = PoolChanges.entered(at, "solana/trending/" + random.nextInt(3), 1.0);
      eventLog.add(new Input("pool.listing", at, run -> run.listing(listing)));
    }
    var noon = NOON.plus(Duration.ofSeconds(SECONDS / 2)).plusMillis(500);
    eventLog.add(new Input("control", noon, run -> run.rules(noon, RULES.formatted("1.4"))));
    return eventLog;
  }
}
