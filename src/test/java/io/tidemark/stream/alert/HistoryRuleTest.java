package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.change;
import static io.tidemark.stream.PoolChanges.moved;
import static io.tidemark.stream.PoolChanges.notVisible;
import static io.tidemark.stream.PoolChanges.visible;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.stream.TopologyRun;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rules that need the history of an attribute. */
class HistoryRuleTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  static final String RULES = """
      rules:
        - name: fall
          on: pool.changes
          when: changed.price && moved(price.base_token_price_usd, "3m") < -10.0
          annotations: { summary: "{{ moved(price.base_token_price_usd, '3m') | change }}" }
        - name: falling
          on: pool.changes
          kind: condition
          when: moved(price.base_token_price_usd, "3m") < -10.0
          annotations: { summary: "falling" }
      """;

  static final String DRAINED = """
      rules:
        - name: drained
          on: liquidity
          when: dex == "raydium" && moved(reserve_usd, "3m") < -10.0
          annotations: { summary: "{{ reserve_usd }}" }
      """;

  private final TopologyRun run = TopologyRun.start();

  @BeforeEach
  void rules() {
    run.rules(NOON.minusSeconds(60), RULES);
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void newRule_isWarmingAndNotFalse() {
    run.change(moved(at(0), "3.0", "2.0"));
    run.change(moved(at(60), "2.0", "1.0"));

    assertThat(published("fall")).isEmpty();
  }

  @Test
  void moveWithinTheWindow_fires() {
    run.change(moved(at(0), "2.0", "2.1"));
    run.change(moved(at(120), "2.1", "2.0"));
    run.change(moved(at(240), "2.0", "1.6"));

    assertThat(published("fall")).containsExactly("fired 240 -23.8 %");
  }

  @Test
  void conditionWhoseWindowPasses_isResolvedWithoutARecord() {
    run.change(moved(at(0), "2.0", "2.1"));
    run.ticks(at(1), at(239));
    run.change(moved(at(240), "2.1", "1.6"));
    run.ticks(at(241), at(481));

    assertThat(published("falling")).containsExactly("firing 240 falling", "resolved 480 falling");
  }

  @Test
  void poolThatIsNotVisible_hasNoHistory() {
    run.rules(at(1), """
        rules:
          - name: hidden
            on: pool.changes
            when: changed.visibility && highest(price.base_token_price_usd, "3m") > 1.0
            annotations: { summary: "hidden" }
        """);
    run.ticks(at(2), at(59));
    run.change(moved(at(60), "2.0", "2.1"));
    run.change(moved(at(120), "2.1", "2.2"));
    run.change(notVisible(at(300)));
    assertThat(published("hidden")).isEmpty();

    run.change(visible(at(310)));
    assertThat(published("hidden")).containsExactly("fired 310 hidden");
  }

  @Test
  void sparsePolls_areNoValue() {
    run.change(moved(at(0), "2.0", "2.1"));
    run.change(moved(at(600), "2.1", at(400), "1.0"));

    assertThat(published("fall")).isEmpty();
  }

  @Test
  void aggregateAfterAGapWithoutAnOwner_hasNoValueUntilTheGapIsBeforeTheWindow() {
    run.rules(at(1), DRAINED);
    run.change(change(at(10), 50_000.0));
    run.ticks(at(11), at(200));
    run.ticks(at(10_800), at(10_804));
    run.change(change(at(10_805), 10_000.0));
    run.ticks(at(10_806), at(10_930));
    assertThat(published("drained")).isEmpty();

    run.change(change(at(11_100), 5_000.0));
    run.ticks(at(11_101), at(11_230));

    assertThat(published("drained")).containsExactly("fired 11160 5,000");
  }

  @Test
  void aggregateAfterAGapShorterThanTheWindow_hasItsHistory() {
    run.rules(at(1), DRAINED);
    run.change(change(at(10), 50_000.0));
    run.ticks(at(11), at(200));
    run.ticks(at(260), at(264));
    run.change(change(at(265), 10_000.0));
    run.ticks(at(266), at(400));

    assertThat(published("drained")).hasSize(1);
  }

  @Test
  void otherChanges_leaveTheHistoryAsItIs() {
    run.change(moved(at(0), "2.0", "2.1"));
    run.change(change(at(100), 1.0));
    run.change(moved(at(200), "2.1", "1.8"));

    assertThat(published("fall")).containsExactly("fired 200 -14.3 %");
  }

  @Test
  void historyOfATimeWhenNoRuleNeededIt_isNotKnown() {
    run.change(moved(at(0), "2.0", "2.1"));
    run.ticks(at(1), at(239));
    run.rules(at(240), "rules: []\n");
    run.ticks(at(240), at(250));
    run.change(moved(at(260), "2.1", "1.0"));
    run.rules(at(270), RULES);
    run.ticks(at(270), at(280));
    run.change(moved(at(300), "1.0", "0.99"));

    assertThat(run.alerts()).isEmpty();
  }

  private List<String> published(String rule) {
    return run.alerts().stream().filter(alert -> alert.getRule().equals(rule)).map(HistoryRuleTest::text).toList();
  }

  private static String text(Alert alert) {
    var second = alert.getEventTime().getEpochSecond() - NOON.getEpochSecond();
    return "%s %d %s".formatted(alert.getStatus(), second, alert.getSummary());
  }

  private static Instant at(int second) {
    return NOON.plusSeconds(second);
  }
}
