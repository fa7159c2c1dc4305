package io.tidemark.stream.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.event.StoredResource;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.PoolChanges;
import io.tidemark.stream.TaskRun;
import io.tidemark.stream.TopologyRun;
import io.tidemark.stream.alert.TopicRules.AlertedTopic;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** A change of the rules visits the alert instances that are open, and not those that are over, and disarms changed rules. */
class RuleChangeTest {

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int OVER = 2_000;
  static final RuleSet DEAR = rules("""
      rules:
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 1.0
          annotations: { summary: "dear" }
      """, RuleSet.EMPTY);
  static final RuleSet NONE = rules("rules: []", DEAR);

  /** A few for each open instance, and those of the rules themselves. */
  static final long MOST_OPERATIONS = 60;

  final TaskRun<SpecificRecord, SpecificRecord> task = task();

  @Test
  void removedRule_resolvesOpenInstancesWithoutReadingTheOthers() {
    task.process("", announced(DEAR, NOON.minusSeconds(1)), NOON.minusSeconds(1));
    for (var pool = 0; pool < OVER; pool++) {
      price("over-" + pool, "1.0", "2.0", NOON);
      price("over-" + pool, "2.0", "0.5", NOON);
    }
    price("open-1", "1.0", "2.0", NOON);
    price("open-2", "1.0", "2.0", NOON);
    task.init(); // what is open is known from the store

    task.process("", announced(NONE, NOON.plusSeconds(1)), NOON.plusSeconds(1));
    var published = new ArrayList<SpecificRecord>();
    var most = 0L;
    for (var second = 2; second < 8; second++) {
      published.addAll(task.process("", tick(second), NOON.plusSeconds(second)));
      most = Math.max(most, task.lastOperations());
    }

    assertThat(published).filteredOn(Alert.class::isInstance).map(Alert.class::cast)
        .extracting(alert -> alert.getSubject() + " " + alert.getStatus() + " " + alert.getReason())
        .containsExactlyInAnyOrder("open-1 resolved rule removed", "open-2 resolved rule removed");
    assertThat(most).isLessThanOrEqualTo(MOST_OPERATIONS);
  }

  @Test
  void armedRuleWithAnotherConditionNow_firesOnWhatTheNewOneArms() {
    var rule = """
        rules:
          - name: pulled
            on: pool.changes
            after: price.base_token_price_usd > %s
            within: 10m
            when: price.base_token_price_usd < 1.0
            annotations: { summary: "%s" }
        """;
    var before = rules(rule.formatted("2.0", "old"), RuleSet.EMPTY);
    var texts = rules(rule.formatted("2.0", "new"), before);
    var after = rules(rule.formatted("5.0", "new"), texts);

    force(before, 0);
    price("texts", "1.0", "3.0", NOON.plusSeconds(5));
    force(texts, 6);
    assertThat(fired("texts", "3.0", "0.5", 12)).containsExactly("texts new");

    price("edited", "1.0", "3.0", NOON.plusSeconds(13));
    force(after, 14);
    assertThat(fired("edited", "3.0", "0.5", 20)).isEmpty();
    price("edited", "0.5", "6.0", NOON.plusSeconds(21));
    assertThat(fired("edited", "6.0", "0.5", 22)).containsExactly("edited new");
  }

  @Test
  void countedRuleWithAnotherConditionNow_countsAnew() {
    var rule = """
        rules:
          - name: often
            on: pool.changes
            when: price.base_token_price_usd > settings.floor
            times: 2
            within: 10m
            settings: { floor: %s }
            annotations: { summary: "often" }
        """;
    var before = rules(rule.formatted("2"), RuleSet.EMPTY);

    force(before, 0);
    price("pool", "1.0", "3.0", NOON.plusSeconds(5));
    force(rules(rule.formatted("4"), before), 6);

    assertThat(fired("pool", "3.0", "5.0", 12)).isEmpty();
    assertThat(fired("pool", "5.0", "6.0", 13)).containsExactly("pool often");
  }

  /** Announces rules, and lets the ticks pass until they are in force. */
  private void force(RuleSet rules, int second) {
    task.process("", announced(rules, NOON.plusSeconds(second)), NOON.plusSeconds(second));
    for (var next = second + 1; next < second + 5; next++) {
      task.process("", tick(next), NOON.plusSeconds(next));
    }
  }

  private List<String> fired(String pool, String before, String after, int second) {
    var at = NOON.plusSeconds(second);
    return task.process(pool, PoolChanges.moved(at, before, after), at).stream()
        .filter(Alert.class::isInstance).map(Alert.class::cast)
        .filter(alert -> alert.getStatus().equals("fired"))
        .map(alert -> alert.getSubject() + " " + alert.getSummary())
        .distinct()
        .toList();
  }

  private void price(String pool, String before, String after, Instant at) {
    task.process(pool, PoolChanges.moved(at, before, after), at);
  }

  private static TaskRun<SpecificRecord, SpecificRecord> task() {
    var topics = TopologyRun.TOPICS;
    var alerted = new AlertedTopic("pool.changes", topics.pool().changes(), "alerts-memory", "alerts-clocks");
    return new TaskRun<SpecificRecord, SpecificRecord>(
        TaskRun.withResources((resources, context,
            output) -> new TopicRules(alerted, new RuleSetCache(topics.ruleSchemas(), null), REGISTRY,
                resources.section("pool.changes", StoredResource.class, REGISTRY), context, output)::process),
        0,
        List.of(TaskRun.resources(), new CountingStore<byte[]>("alerts-memory"),
            new CountingStore<byte[]>("alerts-clocks")));
  }

  private static RuleSet rules(String yaml, RuleSet before) {
    return RuleSetReader.read(List.of(new RuleDocument("test.yaml", yaml)), TopologyRun.TOPICS.ruleSchemas(), List.of())
        .versionedAfter(before);
  }

  private static Control announced(RuleSet rules, Instant at) {
    return new Control("rules", at, rules.version(), RuleFormat.write(rules), 1);
  }

  private static Control tick(int second) {
    return Control.newBuilder().setAt(NOON.plusSeconds(second)).build();
  }
}
