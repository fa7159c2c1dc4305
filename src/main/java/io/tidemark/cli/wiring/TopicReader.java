package io.tidemark.cli.wiring;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Committed records of some topics, as they come. It belongs to no group and leaves no trace. */
public final class TopicReader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
  private static final Duration PATIENCE = Duration.ofMillis(500);

  private final Map<String, Topic<?>> topics;
  private final Map<String, AvroSerde<?>> serdes = new HashMap<>();
  private final KafkaConsumer<String, byte[]> consumer;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean reading;

  public TopicReader(Map<String, Object> client, List<? extends Topic<?>> topics, SchemaRegistry registry) {
    this.topics = topics.stream().collect(Collectors.toMap(Topic::name, topic -> topic));
    topics.forEach(topic -> serdes.put(topic.name(), topic.serde(registry)));
    var config = new HashMap<>(client);
    config.put("isolation.level", "read_committed");
    config.put("enable.auto.commit", false);
    config.put("allow.auto.create.topics", false); // with the cluster's own count of partitions, that would be
    config.put("default.api.timeout.ms", 10_000);
    this.consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
  }

  /** Notes where reading begins: what is committed after this returns is read. */
  public void begin(StartPosition from) {
    var partitions = topics.keySet().stream()
        .flatMap(topic -> consumer.partitionsFor(topic).stream())
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
    consumer.assign(partitions);
    from.seek(consumer, partitions);
    partitions.forEach(consumer::position);
  }

  /** Reads all that is committed now, from the beginning, and closes. */
  public void readAll(Consumer<FoundRecord> reader) {
    readAll(reader, unreadable -> {
      throw unreadable;
    });
  }

  /** @param unreadable hears of each record that cannot be read */
  public void readAll(Consumer<FoundRecord> reader, Consumer<CommandFailure> unreadable) {
    try (consumer) {
      begin(new StartPosition.Beginning());
      var ends = consumer.endOffsets(consumer.assignment());
      while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(PATIENCE).forEach(record -> read(record, reader, unreadable));
      }
    }
  }

  private void read(ConsumerRecord<String, byte[]> record, Consumer<FoundRecord> reader,
      Consumer<CommandFailure> unreadable) {
    FoundRecord found;
    try {
      found = found(record);
    } catch (CommandFailure e) {
      unreadable.accept(e);
      return;
    }
    reader.accept(found);
  }

  /** Reads until the reader has enough, which it says with false, or until closed. */
  public void read(Predicate<FoundRecord> reader) {
    reading = true;
    try {
      while (true) {
        for (var record : consumer.poll(PATIENCE)) {
          if (!reader.test(found(record))) {
            return;
          }
        }
      }
    } catch (WakeupException e) {
      // closed
    } finally {
      consumer.close();
      ended.countDown();
    }
  }

  @Override
  public void close() {
    consumer.wakeup();
    try {
      if (reading && !ended.await(5, TimeUnit.SECONDS)) {
        LOG.warn("the reader is still busy");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private FoundRecord found(ConsumerRecord<String, byte[]> record) {
    var topic = Objects.requireNonNull(topics.get(record.topic()));
    return new FoundRecord(topic, record, value(record));
  }

  private @Nullable SpecificRecord value(ConsumerRecord<String, byte[]> record) {
    if (record.value() == null) {
      return null;
    }
    try {
      return (SpecificRecord) Objects.requireNonNull(serdes.get(record.topic())).decode(record.topic(), record.value());
    } catch (SerializationException | RegistryFailure.UnknownSchema e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          record.topic() + ", partition " + record.partition() + ", offset " + record.offset() + ": " + e.getMessage());
    }
  }
}
