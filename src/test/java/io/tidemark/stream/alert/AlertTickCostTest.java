package io.tidemark.stream.alert;

import static io.tidemark.stream.alert.TopicRules.SLICE_OF_A_TICK;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store operations of one call do not grow with the number of timers that are due together. */
class AlertTickCostTest {

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final String RULES = """
      rules:
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 1.0
          for: 20s
          annotations: { summary: "dear" }
      """;

  /** Each timer costs a few operations. */
  static final long MOST_OPERATIONS = 12L * SLICE_OF_A_TICK;

  @ParameterizedTest
  @ValueSource(ints = {1_000, 20_000})
  void timersOfATick_fireInSlices(int pools) {
    var task = task();
    var fired = new ArrayList<Alert>();
    for (var pool = 0; pool < pools; pool++) {
      fired.addAll(alerts(task.process("pool-" + pool, PoolChanges.moved(NOON, "1.0", "2.0"), NOON)));
    }
    assertThat(fired).hasSize(pools).allMatch(alert -> alert.getStatus().equals("pending"));
    fired.clear();
    for (var second = 1; second < 25 + pools / SLICE_OF_A_TICK; second++) {
      fired.addAll(alerts(task.process("", tick(second), NOON.plusSeconds(second))));
    }

    System.out.printf("%,d timers: at most %,d store operations in a call%n", pools, task.mostOperations());
    assertThat(fired).hasSize(pools)
        .allMatch(alert -> alert.getStatus().equals("firing") && alert.getEventTime().equals(NOON.plusSeconds(20)));
    assertThat(task.mostOperations()).isLessThanOrEqualTo(MOST_OPERATIONS);
  }

  @Test
  void recordOfAResourceWhoseTimerIsLeft_isEvaluatedBehindIt() {
    var pools = 3 * SLICE_OF_A_TICK;
    var task = task();
    for (var pool = 0; pool < pools; pool++) {
      task.process("pool-" + pool, PoolChanges.moved(NOON, "1.0", "2.0"), NOON);
    }
    for (var second = 1; second <= 21; second++) {
      task.process("", tick(second), NOON.plusSeconds(second));
    }

    var at = NOON.plusSeconds(22);
    var last = alerts(task.process("pool-999", PoolChanges.moved(at, "2.0", "0.5"), at));

    assertThat(last).filteredOn(alert -> alert.getSubject().equals("pool-999")).extracting(Alert::getStatus)
        .containsExactly("firing", "resolved");
  }

  private static TaskRun<SpecificRecord, SpecificRecord> task() {
    var topics = TopologyRun.TOPICS;
    var rules = RuleFormat.write(RuleSetReader
        .read(List.of(new RuleDocument("test.yaml", RULES)), topics.ruleSchemas(), List.of())
        .versionedAfter(RuleSet.EMPTY));
    var alerted = new AlertedTopic("pool.changes", topics.pool().changes(), "alerts-memory", "alerts-clocks");
    return new TaskRun<SpecificRecord, SpecificRecord>(
        TaskRun.withResources((resources, context,
            output) -> new TopicRules(alerted, new RuleSetCache(topics.ruleSchemas(), rules), REGISTRY,
                resources.section("pool.changes", StoredResource.class, REGISTRY), context, output)::process),
        0,
        List.of(TaskRun.resources(), new CountingStore<byte[]>("alerts-memory"),
            new CountingStore<byte[]>("alerts-clocks")));
  }

  private static List<Alert> alerts(List<SpecificRecord> records) {
    return records.stream().filter(Alert.class::isInstance).map(Alert.class::cast).toList();
  }

  private static Control tick(int second) {
    return Control.newBuilder().setAt(NOON.plusSeconds(second)).build();
  }
}
