package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleTestFile.RuleTest;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TopologyTestDriver;

/**
 * The production topology with one partition in virtual time, without a cluster. Each record is processed at its own
 * time. Ticks come every second if a rule is on an aggregate, and every 10 seconds otherwise.
 */
public final class VirtualTopology implements AutoCloseable {

  private final Topics topics;
  private final Duration tick;
  private final BuiltInRegistry registry;
  private final TopologyTestDriver driver;
  private Instant nextTick;

  private VirtualTopology(Topics topics, RuleSet rules, Instant start) {
    this.topics = topics;
    // other rules need ticks only often enough that no gap without an owner is seen
    this.tick =
        Duration.ofSeconds(rules.rules().stream().allMatch(rule -> inputs(topics).contains(rule.on())) ? 10 : 1);
    this.registry = new BuiltInRegistry(topics.all());
    this.driver = new TopologyTestDriver(TidemarkTopology.build(
        topics, topics, registry, new BuiltInRegistry(List.of()), RuleFormat.write(rules), false));
    this.nextTick = start.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Returns the alerts that rules fire on the records of a test, in the order of publication. */
  public static List<Alert> alerts(Topics topics, RuleSet rules, RuleTest test) {
    try (var topology = new VirtualTopology(topics, rules, test.records().getFirst().at())) {
      for (var record : test.records()) {
        topology.tickUntil(record.at().minusMillis(1));
        topology.process(topics.byShortName(record.topic()), record.key(), record.value(), record.at());
      }
      // each tick fires what was due by the one before it; rules on alerts of aggregates need two ticks more
      topology.tickUntil(test.end().plus(topology.tick.multipliedBy(4)));
      return topology.driver.createOutputTopic(topics.alerts().name(), new StringDeserializer(),
          topics.alerts().serde(topology.registry).deserializer()).readValuesToList();
    }
  }

  /** Returns the names, without prefix, of the topics that a topology reads and that rules can be on. */
  public static List<String> inputs(Topics topics) {
    return TidemarkTopology.inputs(topics).stream().filter(Topic::isKeyed).map(topics::shortName).toList();
  }

  private void tickUntil(Instant at) {
    for (; !nextTick.isAfter(at); nextTick = nextTick.plus(tick)) {
      process(topics.control(), "tick", new Control("tick", nextTick, 0L, null, 1), nextTick);
    }
  }

  private <V extends SpecificRecord> void process(Topic<V> topic, String key, SpecificRecord value, Instant at) {
    var serde = topic.serde(registry);
    driver.<String, SpecificRecord>createInputTopic(topic.name(), new StringSerializer(),
        (to, record) -> serde.encode(to, topic.value().cast(record))).pipeInput(key, value, at);
  }

  @Override
  public void close() {
    driver.close();
  }
}
