package io.tidemark.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DerivativesExchangeChange;
import io.tidemark.event.DerivativesExchangeDescription;
import io.tidemark.event.DerivativesExchangeDescriptionChange;
import io.tidemark.event.Origin;
import io.tidemark.event.ResourceSections;
import io.tidemark.kafka.BadRecord;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.stream.UnreadableRecordPolicy.DeadLetterSink;
import java.nio.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProcessingExceptionHandler;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Records that the stream application cannot use, over its whole topology: processing goes on behind each of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuarantinedRecordsTest {

  static final List<Topic<?>> INPUTS = StreamApplication.inputs(TopologyRun.TOPICS);
  static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  final Quarantine quarantine = TestCluster.quarantine(TopologyRun.TOPICS);
  TopologyTestDriver driver;
  Instant minute = NOON;
  RuleSet rules = RuleSet.EMPTY;

  @BeforeAll
  void start() {
    var properties = TopologyRun.properties();
    properties.putAll(StreamApplication.quarantined(TopologyRun.TOPICS, TopologyRun.REGISTRY, quarantine));
    driver = new TopologyTestDriver(TidemarkTopology.build(TopologyRun.TOPICS, TopologyRun.REGISTRY), properties);
  }

  @AfterAll
  void close() {
    driver.close();
  }

  static Stream<Arguments> badRecords() {
    return BadRecord.in(INPUTS);
  }

  @ParameterizedTest
  @MethodSource("badRecords")
  void badRecord_isQuarantinedAndProcessingGoesOn(Topic<?> topic, BadRecord bad) {
    var reason = bad.reasonIn(topic);
    var before = quarantine.count(topic.name());
    input(topic).pipeInput(bad.key(), bad.value(topic), minute);

    var deadLetters = read(TopologyRun.TOPICS.deadLetters(), DeadLetter.class);
    if (reason == null) {
      assertThat(deadLetters).isEmpty();
      assertThat(quarantine.count(topic.name())).isEqualTo(before);
    } else {
      assertThat(deadLetters).singleElement().satisfies(deadLetter -> {
        assertThat(deadLetter.getRecord().getReason()).isEqualTo(reason.wire());
        assertThat(deadLetter.getRecord().getTopic()).isEqualTo(topic.name());
        assertThat(deadLetter.getSource()).isEqualTo("main");
        assertThat(deadLetter.getReason()).startsWith("topic " + topic.name() + ", partition 0, offset ");
      });
      assertThat(quarantine.count(topic.name())).isEqualTo(before + 1);
    }
    assertProcessingGoesOn();
  }

  /** Silences that cannot be read are in force for no one, and do not fail every tick from then on. */
  @Test
  void silencesOfAnotherProgram_areNotInForce() {
    control(new Control("silences", minute, 7L, "{ not: [silences", 1));

    assertProcessingGoesOn();
    assertThat(read(TopologyRun.TOPICS.deadLetters(), DeadLetter.class)).isEmpty();
  }

  /** The value before and the value after in one entry of a store were more than Kafka takes. */
  @Test
  void description_of600Kilobytes_isStoredOnce() {
    var text = "d".repeat(600 << 10);
    rules("changed.description");

    exchange("binance", null, text);

    assertThat(read(TopologyRun.TOPICS.deadLetters(), DeadLetter.class)).isEmpty();
    assertThat(alerts()).extracting(Alert::getSubject).containsExactly("binance");
    assertThat(stored("binance")).isBetween(text.length(), RecordLimits.VALUE);

    rules("!changed.description && description.description == before.description.description");
    exchange("binance", null, null);
    assertThat(alerts()).as("the facet is still complete").hasSize(1);
    assertProcessingGoesOn();
  }

  @Test
  void descriptionTooLargeForTheStore_isQuarantined() {
    exchange("deribit", null, "d".repeat(RecordLimits.VALUE + 1));

    assertThat(read(TopologyRun.TOPICS.deadLetters(), DeadLetter.class)).singleElement().satisfies(deadLetter -> {
      assertThat(deadLetter.getRecord().getReason()).isEqualTo("too_large");
      assertThat(deadLetter.getReason()).contains("derivatives-exchange.changes", "key deribit", "resources");
    });
    assertProcessingGoesOn();
  }

  /** Where everything fails, the program is wrong: it stops, loudly, rather than skip a whole topic. */
  @Test
  void recordsThatAllFail_stopTheApplication() {
    var policy = new UnreadableRecordPolicy();
    var sink = new DeadLetterSink(TopologyRun.TOPICS.deadLetters(), TopologyRun.REGISTRY,
        TestCluster.quarantine(TopologyRun.TOPICS), () -> NOON);
    policy.configure(Map.of(UnreadableRecordPolicy.DEAD_LETTERS, sink));

    var results = IntStream.rangeClosed(0, DeadLetterSink.MOST_FAILURES)
        .mapToObj(i -> policy.handleError(
            new FailedRecord(), new Record<>("key", "value", i), new IllegalStateException("a bug")).result())
        .toList();

    assertThat(results.subList(0, DeadLetterSink.MOST_FAILURES)).containsOnly(ProcessingExceptionHandler.Result.RESUME);
    assertThat(results.getLast()).isEqualTo(ProcessingExceptionHandler.Result.FAIL);
  }

  @Test
  void failureOfKafka_isNoFaultOfTheRecord() {
    var policy = new UnreadableRecordPolicy();
    var record = new ProducerRecord<>("any", new byte[0], new byte[0]);

    assertThat(policy.handleError(new FailedRecord(), record, new TimeoutException("no answer")).result())
        .isEqualTo(ProductionExceptionHandler.Result.RETRY);
    assertThat(policy.handleError(new FailedRecord(), record, new TopicAuthorizationException("denied")).result())
        .isEqualTo(ProductionExceptionHandler.Result.FAIL);
    assertThat(policy.handleError(new FailedRecord(), new Record<>("key", "value", 0),
        new StreamsException("the store cannot be written")).result())
        .isEqualTo(ProcessingExceptionHandler.Result.FAIL);
    assertThat(policy.handleError(new FailedRecord(), new ConsumerRecord<>("any", 0, 7, new byte[0], new byte[0]),
        new SchemaRegistryFailure.RegistryUnreachable("no answer", null)).result())
        .isEqualTo(DeserializationExceptionHandler.Result.FAIL);
  }

  private List<Alert> alerts() {
    return read(TopologyRun.TOPICS.alerts(), Alert.class).stream()
        .filter(alert -> alert.getRule().equals("test"))
        .toList();
  }

  private void assertProcessingGoesOn() {
    minute = minute.plusSeconds(60);
    var change = PoolChanges.moved(minute, "1", "2");
    input(TopologyRun.TOPICS.pool().changes()).pipeInput(change.getId().getBytes(UTF_8),
        TopologyRun.TOPICS.pool().changes().serde(TopologyRun.REGISTRY).encode("any", change), minute);
    minute = minute.plusSeconds(120);
    control(new Control("tick", minute, 0L, null, 1));
    control(new Control("tick", minute.plusSeconds(1), 0L, null, 1));
    assertThat(read(TopologyRun.TOPICS.candles(TopologyRun.TOPICS.pool(), CandleInterval.MINUTE), Candle.class))
        .as("candles behind the record").isNotEmpty();
    minute = minute.plusSeconds(60);
  }

  /** An event rule on derivatives exchanges. */
  private void rules(String when) {
    var yaml = """
        rules:
          - name: test
            on: derivatives-exchange.changes
            kind: event
            when: %s
            severity: info
            annotations: { summary: text }
        """.formatted("'" + when + "'");
    rules = RuleSetReader.read(List.of(new RuleDocument("t.yaml", yaml)), TopologyRun.TOPICS.ruleSchemas(), List.of())
        .versionedAfter(rules);
    control(new Control("rules", minute, rules.version(), RuleFormat.write(rules), 1));
    IntStream.rangeClosed(1, 4).forEach(i -> control(new Control("tick", minute.plusSeconds(i), 0L, null, 1)));
    minute = minute.plusSeconds(5);
  }

  private void exchange(String id, String before, String after) {
    var change = DerivativesExchangeChange.newBuilder().setId(id).setGeneration(NOON)
        .setOrigin(Origin.newBuilder().setSource("main").setObservedAt(minute).build()).build();
    if (after != null) {
      change.setDescription(new DerivativesExchangeDescriptionChange(description(before), description(after), null));
    }
    var topic = TopologyRun.TOPICS.resource("derivatives-exchange").changes();
    input(topic).pipeInput(id.getBytes(UTF_8), encode(topic, change), minute);
    minute = minute.plusSeconds(5);
  }

  private static DerivativesExchangeDescription description(String text) {
    return text == null ? null : DerivativesExchangeDescription.newBuilder().setDescription(text).build();
  }

  private int stored(String key) {
    var stored = driver.<String, ResourceSections>getKeyValueStore("resources").get(key);
    return stored.getSections().values().stream().mapToInt(Buffer::remaining).sum();
  }

  private void control(Control control) {
    input(TopologyRun.TOPICS.control()).pipeInput(
        null, encode(TopologyRun.TOPICS.control(), control), control.getAt());
  }

  private TestInputTopic<byte[], byte[]> input(Topic<?> topic) {
    return driver.createInputTopic(topic.name(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static <V extends SpecificRecord> byte[] encode(Topic<V> topic, SpecificRecord value) {
    return topic.serde(TopologyRun.REGISTRY).encode(topic.name(), topic.value().cast(value));
  }

  private <V extends SpecificRecord> List<V> read(Topic<?> topic, Class<V> type) {
    return driver
        .createOutputTopic(topic.name(), new StringDeserializer(), topic.serde(TopologyRun.REGISTRY).deserializer())
        .readValuesToList().stream().<V>map(type::cast).toList();
  }

  /** What Kafka says of a record whose processing failed. */
  private static final class FailedRecord implements ErrorHandlerContext {
    @Override
    public String topic() {
      return TopologyRun.TOPICS.pool().changes().name();
    }

    @Override
    public int partition() {
      return 0;
    }

    @Override
    public long offset() {
      return 7;
    }

    @Override
    public Headers headers() {
      return new RecordHeaders();
    }

    @Override
    public String processorNodeId() {
      return "candles";
    }

    @Override
    public TaskId taskId() {
      return new TaskId(0, 0);
    }

    @Override
    public long timestamp() {
      return 0;
    }

    @Override
    public byte[] sourceRawKey() {
      return null;
    }

    @Override
    public byte[] sourceRawValue() {
      return null;
    }
  }
}
