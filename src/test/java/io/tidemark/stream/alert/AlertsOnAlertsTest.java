package io.tidemark.stream.alert;

import static io.tidemark.stream.PoolChanges.POOL;
import static io.tidemark.stream.PoolChanges.entered;
import static io.tidemark.stream.PoolChanges.moved;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import io.tidemark.event.PoolChange;
import io.tidemark.rule.Silence;
import io.tidemark.stream.TopologyRun;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules on the alerts of other rules: counts over resources, and sequences of topics. */
class AlertsOnAlertsTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  static final String RULES = """
      rules:
        - name: up
          on: pool.changes
          when: changed.price && price.base_token_price_usd > before.price.base_token_price_usd
          labels: { network: "{{ network }}" }
          annotations: { summary: "up" }
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 50.0
          annotations: { summary: "dear" }
        - name: listed
          on: trending
          kind: condition
          when: has(network)
          annotations: { summary: "listed" }
        - name: thrice
          on: alerts
          when: rule == "up"
          once: [labels.network]
          times: 3
          within: 1m
          annotations: { summary: "{{ labels.network }}, the last: {{ subject }}" }
        - name: rarely
          on: alerts
          when: rule == "up"
          once: [labels.network]
          times: 2
          within: 10s
          cooldown: 1h
          annotations: { summary: "twice" }
        - name: dear-twice
          on: alerts
          when: rule == "dear" && status == "firing"
          times: 2
          within: 1h
          annotations: { summary: "dear again" }
        - name: listed-then-up
          on: alerts
          after: rule == "listed" && status == "firing"
          within: 5m
          when: rule == "up"
          annotations: { summary: "up after it was listed" }
        - name: any-of-alerts
          on: alerts
          when: rule in ["thrice", "any-of-alerts"]
          annotations: { summary: "never" }
      """;

  private final TopologyRun run = TopologyRun.start();

  @BeforeEach
  void rules() {
    run.rules(at(0), RULES);
    run.ticks(at(0), at(2));
  }

  @AfterEach
  void close() {
    run.close();
  }

  @Test
  void thirdAlertOfAGroup_firesOnceWithTheThreeAsEvidence() {
    up("solana_A", "solana", 3);
    up("solana_B", "solana", 5);
    up("eth_C", "eth", 6);
    run.restart();
    run.ticks(at(8), at(10));
    up("solana_A", "solana", 11);
    up("solana_B", "solana", 13);
    run.ticks(at(15), at(17));

    var alerts = run.alerts().stream().filter(alert -> alert.getRule().equals("thrice")).toList(); // after the restart
    assertThat(alerts).extracting(AlertsOnAlertsTest::published).containsExactly("thrice fired solana 11");
    assertThat(alerts.getFirst().getSummary()).isEqualTo("solana, the last: solana_A");
    assertThat(alerts.getFirst().getEvidence()).extracting(Evidence::getKey)
        .containsExactly("solana_A", "solana_B", "solana_A");
    assertThat(alerts.getFirst().getEvidence()).allMatch(each -> each.getValues().get("id").startsWith("up/"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"A B C", "A C B", "B A C", "B C A", "C A B", "C B A"})
  void alertsOfOneTick_areReadInTheOrderOfTheirEventTimes(String pools) {
    var second = 3;
    for (var pool : pools.split(" ")) {
      run.change(risen("solana_" + pool, "solana", second++), at(7)); // committed together, after an outage of Kafka
    }
    run.ticks(at(8), at(10));

    assertThat(run.alerts()).filteredOn(alert -> alert.getRule().equals("thrice")).extracting(Alert::getSummary)
        .containsExactly("solana, the last: solana_" + pools.charAt(4));
  }

  @Test
  void cooldownLongerThanWithin_holdsAfterAnAlertThatCameAlone() {
    up("solana_A", "solana", 3);
    up("solana_B", "solana", 5);
    run.ticks(at(7), at(19));
    up("solana_A", "solana", 20);
    run.ticks(at(22), at(59));
    up("solana_A", "solana", 60);
    up("solana_B", "solana", 62);
    run.ticks(at(64), at(66));

    assertThat(fired("rarely")).containsExactly("rarely fired solana 5");
  }

  @Test
  void alertsFurtherApartThanWithin_doNotFireTogether() {
    up("solana_A", "solana", 3);
    run.ticks(at(4), at(42));
    up("solana_B", "solana", 43);
    run.ticks(at(44), at(70));
    up("solana_C", "solana", 71);
    assertThat(fired("thrice")).isEmpty();

    run.ticks(at(73), at(80));
    up("solana_D", "solana", 81);
    run.ticks(at(83), at(84));

    assertThat(fired("thrice")).containsExactly("thrice fired solana 81");
  }

  /** The label of an alert whose template had no value is "unknown", which is no group. */
  @Test
  void alertsWithoutTheValueOfTheGroup_areInNoGroup() {
    for (long second = 3; second < 12; second += 3) {
      var change = risen("solana_" + second, "solana", second);
      change.setNetwork("unknown");
      run.change(change);
      run.tick(at(second + 1));
    }
    run.ticks(at(13), at(15));

    assertThat(fired("thrice")).isEmpty();
  }

  @Test
  void alertThatIsPublishedAgainForItsSilence_countsOnce() {
    run.change(moved(at(3), "60", "55"));
    run.ticks(at(4), at(6));
    run.silences(at(7), 1, new Silence("quiet", "dear", POOL, Map.of(), at(7), at(10), "me", "I know"));
    run.ticks(at(8), at(15));

    assertThat(run.alerts()).extracting(Alert::getRule).containsExactly("dear", "dear", "dear");
  }

  @Test
  void alertOfAnAggregate_thenAlertOfTheSameKey_isASequence() {
    run.listing(entered(at(3), "solana/trending/1h", 50_000.0));
    run.ticks(at(4), at(65));
    up(POOL, "solana", 70);
    run.ticks(at(72), at(74));

    assertThat(fired("listed-then-up")).containsExactly("listed-then-up fired solana_A 70");
  }

  @Test
  void alertsOfRulesOnAlerts_areReadByNone() {
    List.of(3L, 5L, 7L, 9L).forEach(second -> up("solana_A", "solana", second));
    run.ticks(at(11), at(13));

    assertThat(fired("any-of-alerts")).isEmpty();
  }

  private void up(String pool, String network, long second) {
    run.change(risen(pool, network, second));
    run.tick(at(second + 1));
  }

  private static PoolChange risen(String pool, String network, long second) {
    var change = moved(at(second), "1", "2");
    change.setId(pool);
    change.setNetwork(network);
    return change;
  }

  private List<String> fired(String rule) {
    return run.alerts().stream().filter(alert -> alert.getRule().equals(rule)).map(AlertsOnAlertsTest::published)
        .toList();
  }

  private static String published(Alert alert) {
    return "%s %s %s %d".formatted(alert.getRule(), alert.getStatus(), alert.getSubject(),
        alert.getEventTime().getEpochSecond() - NOON.getEpochSecond());
  }

  private static Instant at(long second) {
    return NOON.plusSeconds(second);
  }
}
