package io.tidemark.kafka;

import io.tidemark.event.Control;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.Subject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * A Kafka topic, the type of its values, and its configuration. All keys are plain strings.
 *
 * @param name full name of the topic, including the prefix
 * @param purpose what the topic holds, in one line for people
 * @param key description of the key for people, in Markdown
 * @param madeOf names, without prefix, of the topics from which the stream application derives this topic, the main
 *     topic first; empty if this topic is not derived, and for alerts, which rules derive from any topic that they
 *     name
 */
public record Topic<V extends SpecificRecord>(
    String name, Class<V> value, CleanupPolicy cleanup, String purpose, String key, List<String> madeOf)
    implements Subject {

  static final String CLEANUP_POLICY = "cleanup.policy";

  private static final String MAX_MESSAGE_BYTES = "max.message.bytes";

  @Override
  public String subject() {
    return name + "-value";
  }

  @Override
  public Schema schema() {
    return SpecificData.get().getSchema(value);
  }

  public AvroSerde<V> serde(SchemaRegistry registry) {
    return new AvroSerde<>(value, registry);
  }

  public RecordDecoder<V> decoder(SchemaRegistry registry) {
    return new RecordDecoder<>(this, serde(registry));
  }

  /**
   * Returns whether the records have keys. Only control records have no keys, since each control record is written to
   * every partition.
   */
  public boolean isKeyed() {
    return !value.equals(Control.class);
  }

  /**
   * Returns the documentation of the values' schema in one line, or an empty string if the schema has no documentation.
   */
  public String description() {
    var doc = schema().getDoc();
    return doc == null ? "" : doc.strip().replaceAll("\\s+", " ");
  }

  /** Returns the topic as the program creates it, for Kafka's admin client. */
  public NewTopic toNewTopic(int partitions, short replicationFactor) {
    return new NewTopic(name, partitions, replicationFactor).configs(config());
  }

  /** Returns the configuration that the topic is created with, sorted by name. */
  Map<String, String> config() {
    var config = new TreeMap<>(cleanup.config());
    config.put("message.timestamp.type", "CreateTime");
    config.put(MAX_MESSAGE_BYTES, Integer.toString(RecordLimits.BATCH));
    if (!isKeyed()) {
      // Rule sets are written again before retention by time deletes them. Retention by size, a default of the broker,
      // could delete them earlier, so it is off.
      config.put("retention.bytes", "-1");
    }
    return config;
  }

  /**
   * Returns whether an existing topic may keep the actual value of a setting. A higher limit on the size of batches is
   * accepted. Any value of the settings for compaction speed is accepted, since the operator of the cluster chooses it.
   */
  boolean accepts(String setting, String actual) {
    return switch (setting) {
      case MAX_MESSAGE_BYTES -> Long.parseLong(actual) >= RecordLimits.BATCH;
      case "min.cleanable.dirty.ratio", "segment.bytes" -> true;
      default -> actual.equals(config().get(setting));
    };
  }
}
