package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** From streams that rules can be on to the alerts of the rules in force. */
public final class AlertTopology {

  private final RuleSetCache texts;
  private final SchemaRegistry registry;

  /**
   * @param topics that rules can be on, by name without prefix, and what is in them
   * @param rules the text of rules that are in force instead of those that control names; null: those
   * @param registry of what is in stores
   */
  public AlertTopology(Map<String, Schema> topics, @Nullable String rules, SchemaRegistry registry) {
    this.texts = new RuleSetCache(topics, rules);
    this.registry = registry;
  }

  /** A store for the rules on streams of one part of the topology. */
  public static StoreBuilder<KeyValueStore<String, byte[]>> store(String name) {
    return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), Serdes.ByteArray());
  }

  /**
   * Alerts of the rules on one stream, by resource; null, by fingerprint, where nothing is said of it any more.
   *
   * @param stream records of the topic and control
   * @param name of the topic without prefix
   * @param store shared with other streams of the same part of the topology, or its own
   */
  public KStream<String, Alert> on(
      KStream<String, SpecificRecord> stream,
      Topic<?> topic,
      String name,
      StoreBuilder<KeyValueStore<String, byte[]>> store) {
    var supplier = new Supplier(new AlertedTopic(name, topic, store.name()), texts, registry, store);
    return stream.process(supplier, Named.as(name.replace('.', '-') + "-alerts"));
  }

  /** What rules are on: a topic, its name without prefix, and the store of what is remembered of it. */
  record AlertedTopic(String name, Topic<?> topic, String store) {}

  private record Supplier(
      AlertedTopic on, RuleSetCache texts, SchemaRegistry registry, StoreBuilder<KeyValueStore<String, byte[]>> store)
      implements ProcessorSupplier<String, SpecificRecord, String, Alert> {

    @Override
    public Processor<String, SpecificRecord, String, Alert> get() {
      return new AlertProcessor(on, texts, registry);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(store);
    }
  }
}
