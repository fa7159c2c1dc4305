package io.tidemark.stream.alert;

import io.tidemark.stream.tick.StateStores;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/** The part of the topology from streams that rules can be on to the alerts of the rules in force. */
public final class AlertTopology {

  private final RuleSetCache ruleSets;
  private final SchemaRegistry registry;

  /**
   * @param topics that rules can be on, by name without prefix, with their schemas
   * @param rules the text of rules that are in force instead of those of control; null: those of control
   * @param registry of the records in stores
   */
  public AlertTopology(Map<String, Schema> topics, @Nullable String rules, SchemaRegistry registry) {
    this.ruleSets = new RuleSetCache(topics, rules);
    this.registry = registry;
  }

  /**
   * The alerts of the rules on one stream, by subject; a null by fingerprint where an instance is dropped; and a command
   * by its key where a rule is put out of force.
   *
   * @param stream records of the topic, merged with control
   * @param name of the topic without prefix
   * @param store for the rules on all streams of the same sub-topology
   * @param clocks for their clocks
   */
  public KStream<String, SpecificRecord> on(
      KStream<String, SpecificRecord> stream,
      Topic<?> topic,
      String name,
      StoreBuilder<KeyValueStore<String, byte[]>> store,
      StoreBuilder<KeyValueStore<String, byte[]>> clocks) {
    var alerted = new AlertedTopic(name, topic, store.name(), clocks.name());
    return stream.process(
        StateStores.processors(() -> new AlertProcessor(alerted, ruleSets, registry), Set.of(store, clocks)),
        Named.as(name.replace('.', '-') + "-alerts"));
  }

  /** A topic that rules are on, its name without prefix, and the stores of its alert instances and of its clock. */
  record AlertedTopic(String name, Topic<?> topic, String store, String clocks) {}
}
