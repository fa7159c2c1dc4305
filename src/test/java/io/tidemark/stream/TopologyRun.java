package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Price;
import io.tidemark.event.Watch;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractMap.SimpleEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Spliterators;
import java.util.stream.StreamSupport;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/** The whole topology without a cluster, fed in order: each record is stamped with its own time. */
public final class TopologyRun implements AutoCloseable {

  public static final Topics TOPICS = new Topics("test.", Retention.DEFAULT);
  static final SchemaRegistry REGISTRY = new BuiltInRegistry(TOPICS.all());

  private TopologyTestDriver driver;
  private final Map<String, TestInputTopic<String, SpecificRecord>> inputs = new HashMap<>();
  private RuleSet inForce = RuleSet.EMPTY;
  private final RecordedOutputs outputs = new RecordedOutputs();

  private TopologyRun() {
    driver = driver();
  }

  public static TopologyRun start() {
    return new TopologyRun();
  }

  public void change(PoolChange change) {
    record(TOPICS.pool().changes(), change.getId(), change, change.getOrigin().getObservedAt());
  }

  /** A change whose header names a span. */
  public void change(PoolChange change, TraceParent span) {
    var at = change.getOrigin().getObservedAt();
    var record = new TestRecord<String, SpecificRecord>(change.getId(), change, at);
    span.addTo(record.headers());
    inputs.computeIfAbsent(TOPICS.pool().changes().name(), name -> input(TOPICS.pool().changes())).pipeInput(record);
  }

  /** A change committed some time after it was observed. */
  public void change(PoolChange change, Instant stamp) {
    record(TOPICS.pool().changes(), change.getId(), change, stamp);
  }

  public void listing(PoolListing listing) {
    record(TOPICS.poolListing(), listing.getPool(), listing, listing.getOrigin().getObservedAt());
  }

  /** Any record of the event log, committed at a time. */
  public void record(Topic<?> topic, String key, SpecificRecord value, Instant at) {
    inputs.computeIfAbsent(topic.name(), name -> input(topic)).pipeInput(key, value, at);
  }

  public void tick(Instant at) {
    record(TOPICS.control(), "tick", new Control("tick", at, 0L, null, 1), at);
  }

  /** Puts rules in force, as the ledger does. */
  public void rules(Instant at, String yaml) {
    var read = RuleSetReader.read(List.of(new RuleDocument("test.yaml", yaml)), TOPICS.ruleSchemas(), List.of());
    inForce = read.versionedAfter(inForce);
    var control = new Control("rules", at, inForce.version(), RuleFormat.write(inForce), 1);
    record(TOPICS.control(), "rules", control, at);
  }

  public void silences(Instant at, long version, Silence... silences) {
    var yaml = RuleFormat.writeSilences(version, List.of(silences));
    record(TOPICS.control(), "silences", new Control("silences", at, version, yaml, 1), at);
  }

  /** Two ticks: the second fires what was due by the first. */
  public void until(Instant at) {
    tick(at);
    tick(at.plusSeconds(1));
  }

  /** A tick each second from one time to another, both included. */
  public void ticks(Instant from, Instant to) {
    for (var at = from; !at.isAfter(to); at = at.plus(Duration.ofSeconds(1))) {
      tick(at);
    }
  }

  /** Candles of an interval not read before: 1m, 5m, 15m, 1h, 4h or 1d. */
  public List<Candle> candles(CandleInterval interval) {
    return read(TOPICS.candles(TOPICS.pool(), interval));
  }

  /** Open candles of pools not read before, in the order in which they were published; null for a tombstone. */
  public List<OpenCandles> openCandles() {
    return read(TOPICS.openCandles(TOPICS.pool()));
  }

  /** Moves of prices not read before. */
  public List<Price> prices() {
    return read(TOPICS.prices());
  }

  /** Records of an aggregate not read before; null for a tombstone. */
  public List<? extends SpecificRecord> aggregates(String name) {
    return read(TOPICS.byShortName(name));
  }

  /** Alerts not read before. */
  public List<Alert> alerts() {
    return read(TOPICS.alerts());
  }

  /** The statuses of alerts not read before, each with the span that its header names; null if there is none. */
  public List<Map.Entry<String, @Nullable TraceParent>> tracedAlerts() {
    return driver
        .createOutputTopic(
            TOPICS.alerts().name(), new StringDeserializer(), TOPICS.alerts().serde(REGISTRY).deserializer())
        .readRecordsToList().stream().<Map.Entry<String, @Nullable TraceParent>>map(each -> new SimpleEntry<>(
            each.value().getStatus(), TraceParent.of(each.headers())))
        .toList();
  }

  /** Commands for the ledger not read before. */
  public List<Watch> commands() {
    return read(TOPICS.watch());
  }

  /** Announces to this partition that a rule is out of force, as the ledger does. */
  public void ruleFailure(Instant at, Watch command) {
    var control = new Control("rule-failure", at, 1L, command.getText(), 1);
    record(TOPICS.control(), "rule-failure", control, at);
  }

  /** The newest alerts of {@code alerts.state} by fingerprint, of those not read before. */
  public Map<String, Alert> alertsState() {
    return driver
        .createOutputTopic(
            TOPICS.alertsState().name(), new StringDeserializer(), TOPICS.alertsState().serde(REGISTRY).deserializer())
        .readKeyValuesToMap();
  }

  /** The sum over tasks of one of Kafka's figures. */
  public double metric(String name) {
    return driver.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(name))
        .mapToDouble(metric -> (Double) metric.getValue().metricValue())
        .sum();
  }

  /** The sum over tasks of one of Kafka's figures that bears a tag; NaN if no task has it. */
  public double metric(String name, String tag, String value) {
    return driver.metrics().entrySet().stream()
        .filter(metric -> metric.getKey().name().equals(name) && value.equals(metric.getKey().tags().get(tag)))
        .mapToDouble(metric -> (Double) metric.getValue().metricValue())
        .reduce(Double::sum).orElse(Double.NaN);
  }

  /** The records of all topics, of those not read before and those before each restart. */
  public RecordedOutputs outputs() {
    TOPICS.derived().forEach(this::record);
    record(TOPICS.watch());
    return outputs;
  }

  private void record(Topic<?> topic) {
    var records = driver
        .createOutputTopic(topic.name(), new StringDeserializer(), topic.serde(REGISTRY).deserializer())
        .readRecordsToList();
    records.forEach(each -> outputs.add(
        TOPICS.shortName(topic), each.key(), each.value(), Instant.ofEpochMilli(each.timestamp())));
  }

  /** The task ends, and begins elsewhere with what its stores hold: none has a changelog here. */
  public void restart() {
    outputs();
    var stored = new HashMap<String, List<KeyValue<String, Object>>>();
    driver.getAllStateStores().keySet().forEach(name -> stored.put(name, entries(name)));
    driver.close();
    inputs.clear();
    driver = driver();
    stored.forEach((name, entries) -> driver.<String, Object>getKeyValueStore(name).putAll(entries));
    initializeProcessors();
  }

  /** Initializes the processors with what the stores hold now: the driver restores none. */
  private void initializeProcessors() {
    try {
      var task = TopologyTestDriver.class.getDeclaredField("task");
      task.setAccessible(true);
      for (var step : List.of("closeTopology", "initializeTopology")) {
        var method = task.get(driver).getClass().getDeclaredMethod(step);
        method.setAccessible(true);
        method.invoke(task.get(driver));
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<KeyValue<String, Object>> entries(String name) {
    try (var all = driver.<String, Object>getKeyValueStore(name).all()) {
      return StreamSupport.stream(Spliterators.spliteratorUnknownSize(all, 0), false).toList();
    }
  }

  private static TopologyTestDriver driver() {
    var topology = TidemarkTopology.build(TOPICS, TOPICS, REGISTRY, new BuiltInRegistry(List.of()), null, false);
    return new TopologyTestDriver(topology, properties());
  }

  /** How many entries a store holds. */
  public long stored(String store) {
    try (var entries = driver.getKeyValueStore(store).all()) {
      return StreamSupport.stream(Spliterators.spliteratorUnknownSize(entries, 0), false).count();
    }
  }

  @Override
  public void close() {
    driver.close();
  }

  private <V extends SpecificRecord> TestInputTopic<String, SpecificRecord> input(Topic<V> topic) {
    var values = topic.serde(REGISTRY);
    return driver.createInputTopic(
        topic.name(), new StringSerializer(),
        (to, value) -> value == null ? null : values.encode(to, topic.value().cast(value)));
  }

  private <V extends SpecificRecord> List<V> read(Topic<V> topic) {
    return driver
        .createOutputTopic(topic.name(), new StringDeserializer(), topic.serde(REGISTRY).deserializer())
        .readValuesToList();
  }

  /** The driver deletes its state directory: it gets one of its own. */
  static Properties properties() {
    try {
      var properties = new Properties();
      properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test.stream");
      properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:9092");
      properties.put(StreamsConfig.STATE_DIR_CONFIG, Files.createTempDirectory("tidemark-topology").toString());
      properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
      return properties;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
