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

/** A change of the rules visits the alert instances that are open, and not those that are over. */
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
