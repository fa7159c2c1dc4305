package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.google.common.base.Throwables;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A source of its own on a broker, the shared one or another: ledgers for it, its time, and what everyone can read of it. */
public final class TestSource {

  /** One minute more than brokers let a transaction be open by default ({@code transaction.max.timeout.ms}). */
  public static final Duration OPEN_TRANSACTION_WAIT = Duration.ofMinutes(16);

  private static final int MOST_ATTEMPTS = 5;

  static final TopicLayout TWO = new TopicLayout(2, (short) 1);
  /** Not a constant: Kafka refuses times of the future and drops those long past. */
  final Instant start = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);
  public static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());

  private final Map<String, Object> kafka;
  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  Instant now = start;

  /** A record as a reader sees it. */
  record Heard<V>(int partition, V value, Instant at, Map<String, String> headers) {}

  TestSource() {
    this(KAFKA);
  }

  /** @param kafka what clients of another broker take */
  TestSource(Map<String, Object> kafka) {
    this.kafka = kafka;
    try (var admin = Admin.create(kafka)) {
      new TopicSetup(admin, TWO).ensure(topics.all());
    }
  }

  Ledger start() {
    return start(ProducerFactory.KAFKA);
  }

  Ledger start(ProducerFactory producers) {
    return start("main", registry, producers);
  }

  Ledger start(String source, SchemaRegistry registry, ProducerFactory producers) {
    return start(settings(source), registry, producers, () -> now, LedgerListener.NONE);
  }

  /**
   * Starts a ledger as {@link Ledger#start} does, and starts it again if the broker refuses its first transaction, as a
   * session does. Every other failure is thrown.
   */
  public static Ledger start(LedgerSettings settings, SchemaRegistry registry, ProducerFactory producers,
      InstantSource time, LedgerListener listener) {
    for (var attempt = 1;; attempt++) {
      try {
        return Ledger.start(settings, registry, producers, time, listener);
      } catch (LedgerFailure e) {
        if (attempt == MOST_ATTEMPTS || Throwables.getCausalChain(e).stream()
            .noneMatch(InvalidTxnStateException.class::isInstance)) {
          throw e;
        }
      }
    }
  }

  LedgerSettings settings(String source) {
    return settings(source, OPEN_TRANSACTION_WAIT);
  }

  LedgerSettings settings(String source, Duration openTransactionWait) {
    return new LedgerSettings(source, "instance-1", topics, TWO, kafka, openTransactionWait);
  }

  /** All that is committed, in the order of each partition. */
  <V extends SpecificRecord> List<Heard<V>> committed(Topic<V> topic) {
    var serde = topic.serde(registry);
    return raw(topic).stream()
        .map(record -> heard(record, serde.deserializer().deserialize(topic.name(), record.value())))
        .toList();
  }

  private static <V> Heard<V> heard(ConsumerRecord<byte[], byte[]> record, V value) {
    var headers = new HashMap<String, String>();
    record.headers().forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
    return new Heard<>(record.partition(), value, Instant.ofEpochMilli(record.timestamp()), headers);
  }

  private List<ConsumerRecord<byte[], byte[]>> raw(Topic<?> topic) {
    var partitions =
        IntStream.range(0, TWO.partitions()).mapToObj(number -> new TopicPartition(topic.name(), number)).toList();
    // A commit answers before its markers are everywhere.
    await().until(() -> ends(partitions, "read_committed").equals(ends(partitions, "read_uncommitted")));
    var records = new ArrayList<ConsumerRecord<byte[], byte[]>>();
    try (var consumer = consumer("read_committed")) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
      }
    }
    return records;
  }

  private Map<TopicPartition, Long> ends(List<TopicPartition> partitions, String isolation) {
    try (var consumer = consumer(isolation)) {
      return consumer.endOffsets(partitions);
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer(String isolation) {
    var config = new HashMap<>(kafka);
    config.put("isolation.level", isolation);
    config.put("fetch.max.wait.ms", 10);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
