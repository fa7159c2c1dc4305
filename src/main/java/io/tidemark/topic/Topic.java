package io.tidemark.topic;

import io.tidemark.event.Control;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * A Kafka topic and what is in it. All keys are plain strings.
 *
 * @param name with the prefix of its source
 * @param purpose what it holds, in one line for people
 * @param key what the key is, for people, in Markdown
 * @param madeOf topics without prefix that the stream application derives it from, the main one first; else empty
 */
public record Topic<V extends SpecificRecord>(
    String name, Class<V> value, CleanupPolicy cleanup, String purpose, String key, List<String> madeOf) {

  static final String CLEANUP_POLICY = "cleanup.policy";

  private static final String MAX_MESSAGE_BYTES = "max.message.bytes";

  public Topic {
    madeOf = List.copyOf(madeOf);
  }

  public Topic(String name, Class<V> value, CleanupPolicy cleanup) {
    this(name, value, cleanup, "", "", List.of());
  }

  /** Name of the value's schema in the registry. */
  public String subject() {
    return name + "-value";
  }

  public Schema schema() {
    return SpecificData.get().getSchema(value);
  }

  public AvroSerde<V> serde(SchemaRegistry registry) {
    return new AvroSerde<>(value, registry);
  }

  public RecordDecoder<V> decoder(SchemaRegistry registry) {
    return new RecordDecoder<>(this, serde(registry));
  }

  /** Whether its records have keys: all do, but for control records, which are on every partition. */
  public boolean isKeyed() {
    return !value.equals(Control.class);
  }

  /** What a record is, for people. */
  public String description() {
    var doc = schema().getDoc();
    return doc == null ? "" : doc.strip().replaceAll("\\s+", " ");
  }

  /** The configuration that it is created with. */
  Map<String, String> config() {
    var config = new HashMap<>(cleanup.config());
    config.put("message.timestamp.type", "CreateTime");
    config.put(MAX_MESSAGE_BYTES, Integer.toString(RecordLimits.BATCH));
    if (!isKeyed()) { // rules are repeated so that retention by time keeps them, whatever the broker's bound of bytes is
      config.put("retention.bytes", "-1");
    }
    return config;
  }

  /** Whether it may keep a value. Larger batches are fine; how eagerly it is compacted is up to its operator. */
  boolean accepts(String setting, String actual) {
    return switch (setting) {
      case MAX_MESSAGE_BYTES -> Long.parseLong(actual) >= RecordLimits.BATCH;
      case "min.cleanable.dirty.ratio", "segment.bytes" -> true;
      default -> actual.equals(config().get(setting));
    };
  }
}
