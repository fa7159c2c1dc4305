package io.tidemark.stream;

import static io.tidemark.stream.PoolChanges.created;
import static io.tidemark.stream.PoolChanges.entered;
import static io.tidemark.stream.PoolChanges.moved;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class ReplayTest {

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
          when: price.base_token_price_usd > 1.0
          for: 20s
          annotations: { summary: "dear" }
        - name: trending
          on: pool.listing
          when: action == "entered"
          once: [list]
          cooldown: 6h
          annotations: { summary: "{{ list }}" }
      """;

  @Test
  void sameTape_givesTheSameAlertsAndCandles() {
    var first = play(7);

    var second = play(7);

    assertThat(second).isEqualTo(first).hasSizeGreaterThan(20);
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
      var told = new ArrayList<SpecificRecord>(run.alerts());
      told.addAll(run.candles("1m"));
      told.addAll(run.candles("5m"));
      return told;
    }
  }
}
