package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.SchemaRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.state.KeyValueStore;

/** One aggregation without a cluster: changes and ticks in, aggregates out. */
public final class AggregateRun<A extends SpecificRecord> implements AutoCloseable {

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());

  private final Aggregation<?, A> aggregation;
  private TopologyTestDriver driver;

  public AggregateRun(Aggregation<?, A> aggregation) {
    this.aggregation = aggregation;
    this.driver = driver();
  }

  /** A change that is committed at a time. */
  public void change(String key, SpecificRecord change, Instant at) {
    driver.createInputTopic("changes", new StringSerializer(), ANY.serializer()).pipeInput(key, change, at);
  }

  /** Ticks until all that is due by a time is published. */
  public void until(Instant at) {
    control(Control.newBuilder().setAt(at).build());
    control(Control.newBuilder().setAt(at.plusSeconds(1)).build());
  }

  public void control(Control control) {
    change("", control, control.getAt());
  }

  /** Aggregates not read before. */
  public List<A> published() {
    return out().stream().filter(aggregation.aggregateType()::isInstance).map(aggregation.aggregateType()::cast)
        .toList();
  }

  /** All that came out and was not read before, control too. */
  public List<SpecificRecord> out() {
    return driver.createOutputTopic("out", new StringDeserializer(), ANY.deserializer()).readValuesToList();
  }

  /** Groups with a tombstone not read before. */
  public List<String> removedGroups() {
    return driver.createOutputTopic("out", new StringDeserializer(), ANY.deserializer()).readKeyValuesToList().stream()
        .filter(each -> each.value == null)
        .map(each -> each.key)
        .toList();
  }

  /** The newest aggregate of a group, in the queryable store. */
  public A stored(String group) {
    return aggregation.aggregateType().cast(driver.getKeyValueStore(aggregation.name()).get(group));
  }

  /** The task ends, and begins elsewhere with what its changelogs hold. */
  public void restart() {
    var stored = new ConcurrentHashMap<String, List<KeyValue<String, Object>>>();
    driver.getAllStateStores().keySet().forEach(name -> stored.put(name, entries(name)));
    driver.close();
    driver = driver();
    stored.forEach((name, entries) -> {
      KeyValueStore<String, Object> store = driver.getKeyValueStore(name);
      entries.forEach(entry -> store.put(entry.key, entry.value));
    });
  }

  @Override
  public void close() {
    driver.close();
  }

  private List<KeyValue<String, Object>> entries(String name) {
    var entries = new ArrayList<KeyValue<String, Object>>();
    KeyValueStore<String, Object> store = driver.getKeyValueStore(name);
    try (var all = store.all()) {
      all.forEachRemaining(entries::add);
    }
    return entries;
  }

  private TopologyTestDriver driver() {
    var builder = new StreamsBuilder();
    var changes = builder.stream("changes", Consumed.with(Serdes.String(), ANY));
    AggregateTopology.of(changes, List.of(aggregation), REGISTRY).of(aggregation).to("out",
        Produced.with(Serdes.String(), ANY));
    return new TopologyTestDriver(builder.build(), properties());
  }

  static Properties properties() {
    try {
      var properties = new Properties();
      properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test.stream");
      properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:9092");
      properties.put(StreamsConfig.STATE_DIR_CONFIG, Files.createTempDirectory("tidemark-aggregation").toString());
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Records of any type, each behind the name of its class and a line break. */
  static final Serde<SpecificRecord> ANY = Serdes.serdeFrom(
      (topic, record) -> record == null ? null : written(record), (topic, bytes) -> bytes == null ? null : read(bytes));

  private static final Map<String, AvroSerde<?>> SERDES = new ConcurrentHashMap<>();

  private static <V extends SpecificRecord> byte[] written(V record) {
    @SuppressWarnings("unchecked") // a record is of its class
    var type = (Class<V>) record.getClass();
    var value = new AvroSerde<>(type, REGISTRY).encode("any", record);
    var name = (type.getName() + "\n").getBytes(StandardCharsets.UTF_8);
    var bytes = new byte[name.length + value.length];
    System.arraycopy(name, 0, bytes, 0, name.length);
    System.arraycopy(value, 0, bytes, name.length, value.length);
    return bytes;
  }

  private static SpecificRecord read(byte[] bytes) {
    var end = new String(bytes, StandardCharsets.ISO_8859_1).indexOf('\n');
    var name = new String(bytes, 0, end, StandardCharsets.UTF_8);
    var value = Arrays.copyOfRange(bytes, end + 1, bytes.length);
    return SERDES.computeIfAbsent(name, AggregateRun::serde).decode("any", value);
  }

  private static AvroSerde<?> serde(String type) {
    try {
      return new AvroSerde<>(Class.forName(type).asSubclass(SpecificRecord.class), REGISTRY);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(type, e);
    }
  }
}
