package io.tidemark.stream;

import static io.tidemark.stream.PoolChanges.change;
import static io.tidemark.stream.PoolChanges.created;
import static io.tidemark.stream.PoolChanges.entered;
import static io.tidemark.stream.PoolChanges.keyFrame;
import static io.tidemark.stream.PoolChanges.moved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.kafka.CandleInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class ReplayTest {

  static final int KEY_FRAME_AT = 600;

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  static final String RULES = """
      rules:
        - name: new
          on: pool.changes
          after: appeared.kind == "created"
          within: 60m
          when: about.reserve_usd >= 5000.0
          annotations: { summary: "new pool {{ about.name }}" }
        - name: move
          on: pool.changes
          when: changed.price && moved(price.base_token_price_usd, "5m") >= 5.0
          cooldown: 1m
          annotations: { summary: "{{ moved(price.base_token_price_usd, '5m') | change }}" }
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 1.0 && about.reserve_usd > 5000.0
          for: 20s
          annotations: { summary: "dear" }
        - name: trending
          on: pool.listing
          when: action == "entered"
          once: [list]
          cooldown: 6h
          annotations: { summary: "{{ list }}" }
        - name: dear-then-moved
          on: alerts
          after: rule == "dear" && status == "firing"
          within: 2m
          when: rule == "move"
          annotations: { summary: "{{ summary }}" }
      """;

  @Test
  void sameEventLog_givesTheSameAlertsAndCandles() {
    var first = play(7);

    var second = play(7);

    assertThat(second).isEqualTo(first).hasSizeGreaterThan(20);
  }

  @Test
  void eventLogFromALaterKeyFrameOn_givesTheSameFromThereOn() {
    var eventLog = eventLog(5);
    var keyFrame = NOON.plusSeconds(KEY_FRAME_AT);
    var warm = keyFrame.plus(Duration.ofMinutes(6));

    var whole = alerts(eventLog, warm);
    var fromTheKeyFrame = alerts(eventLog.stream().filter(input -> !input.at().isBefore(keyFrame)).toList(), warm);

    assertThat(fromTheKeyFrame).isEqualTo(whole)
        .anyMatch(alert -> alert.startsWith("move"))
        .anyMatch(alert -> alert.startsWith("dear firing"))
        .anyMatch(alert -> alert.startsWith("dear-then-moved"))
        .anyMatch(alert -> alert.startsWith("candle"));
  }

  private record Input(Instant at, Consumer<TopologyRun> feed) {}

  /** Twenty minutes of a pool whose reserve changes by itself; a key frame in between, before which the rules are repeated. */
  private static List<Input> eventLog(long seed) {
    var random = new Random(seed);
    var eventLog = new ArrayList<Input>();
    var start = NOON.minusSeconds(1);
    var rules = RULES.replace("cooldown: 1m", "cooldown: 0s"); // a cooldown that began before is not known
    eventLog.add(new Input(start, run -> run.rules(start, rules)));
    var price = "1.0";
    for (var second = 0; second <= 1_200; second += 5) {
      var at = NOON.plusSeconds(second);
      var before = price;
      var next = String.valueOf(0.95 + random.nextDouble() / 5);
      if (second == KEY_FRAME_AT) {
        eventLog.add(new Input(at, run -> run.rules(at, rules)));
        eventLog.add(new Input(at, run -> run.change(keyFrame(at, before))));
      } else if (random.nextInt(3) > 0) {
        eventLog.add(new Input(at, run -> run.change(moved(at, before, next))));
        price = next;
      } else {
        var reserve = 1_000.0 * random.nextInt(100);
        eventLog.add(new Input(at, run -> run.change(change(at, reserve))));
      }
      eventLog.add(new Input(at.plusSeconds(1), run -> run.tick(at.plusSeconds(1))));
    }
    return eventLog;
  }

  /** Alerts and candles that started at a time or later. */
  private static List<String> alerts(List<Input> eventLog, Instant from) {
    try (var run = TopologyRun.start()) {
      eventLog.forEach(input -> input.feed().accept(run));
      var alerts = run.alerts().stream()
          .filter(alert -> !begun(alert).isBefore(from))
          .map(alert -> "%s %s %s %s %s".formatted(
              alert.getRule(), alert.getStatus(), alert.getId(), alert.getEventTime(), alert.getSummary()));
      var candles = run.candles(CandleInterval.MINUTE).stream().filter(candle -> !candle.getStart().isBefore(from));
      return Stream.concat(alerts, candles.map(candle -> "candle " + candle)).toList();
    }
  }

  private static Instant begun(Alert alert) {
    return alert.getStartedAt() == null ? alert.getEventTime() : alert.getStartedAt();
  }

  /** Twenty minutes of a lively pool. */
  private static List<SpecificRecord> play(long seed) {
    var random = new Random(seed);
    try (var run = TopologyRun.start()) {
      run.rules(NOON.minusSeconds(1), RULES);
      run.change(created(NOON, Duration.ofMinutes(1), 50_000.0));
      var price = 1.0;
      for (var second = 1; second <= 1_200; second += 7) {
        var next = price * (0.9 + random.nextDouble() / 5);
        run.change(moved(NOON.plusSeconds(second), String.valueOf(price), String.valueOf(next)));
        run.listing(entered(NOON.plusSeconds(second), "solana/trending/" + random.nextInt(3), 50_000.0));
        run.tick(NOON.plusSeconds(second + 1));
        price = next;
      }
      var records = new ArrayList<SpecificRecord>(run.alerts());
      records.addAll(run.candles(CandleInterval.MINUTE));
      records.addAll(run.candles(CandleInterval.FIVE_MINUTES));
      return records;
    }
  }
}
