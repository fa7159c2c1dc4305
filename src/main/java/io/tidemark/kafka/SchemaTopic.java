package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.PublishedSchema;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.kafka.registry.SharedSchemas;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topic in which instances of every version publish the schemas of the values that they write. An instance with a
 * built-in registry publishes a schema before it writes the first value with this schema, so a reader finds the
 * schema of any value, even if the writer no longer runs. Methods block. Thread-safe.
 */
public final class SchemaTopic implements SharedSchemas, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SchemaTopic.class);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final int TIMEOUT_MS = 10_000;

  private final TopicPartition partition;
  private final Supplier<Map<String, Object>> client;
  private final RecordDecoder<PublishedSchema> decoder;
  private final Set<Integer> published = new HashSet<>();
  private @Nullable Admin admin;
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;
  /** Id of the topic that {@link #consumer} reads. A topic that is deleted and created again gets a new id. */
  private @Nullable Uuid readId;

  /**
   * @param client supplier of the configuration that all clients of the cluster share; not called before the first
   *     request
   */
  public SchemaTopic(ClusterTopics topics, Supplier<Map<String, Object>> client) {
    var topic = topics.schemas();
    this.partition = new TopicPartition(topic.name(), 0);
    this.decoder = topic.decoder(new BuiltInRegistry(List.of()));
    this.client = client;
  }

  /** Visits no schema if the topic does not exist. */
  @Override
  public synchronized void readNew(Consumer<Schema> visitor) {
    attempt("read", () -> {
      var id = topicId();
      if (id == null) {
        return;
      }
      if (!id.equals(readId)) {
        forget();
        readId = id;
      }
      var reader = consumer();
      var end = reader.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
      while (reader.position(partition) < end) {
        reader.poll(POLL).forEach(record -> {
          var schema = schema(record);
          if (schema != null) {
            published.add(BuiltInRegistry.idOf(schema));
            visitor.accept(schema);
          }
        });
      }
    });
  }

  /** The topic must exist. */
  @Override
  public synchronized void publish(Collection<Schema> schemas, Consumer<Schema> visitor) {
    if (schemas.stream().map(BuiltInRegistry::idOf).allMatch(published::contains)) {
      return;
    }
    readNew(visitor);
    var missing = schemas.stream().filter(schema -> !published.contains(BuiltInRegistry.idOf(schema))).toList();
    if (!missing.isEmpty()) {
      attempt("write", () -> write(missing));
    }
  }

  @Override
  public synchronized void close() {
    forget();
    if (admin != null) {
      admin.close(Duration.ZERO);
      admin = null;
    }
  }

  /** Forgets what was read, so that the topic is read from its beginning. Known offsets may be of a lost topic. */
  private void forget() {
    published.clear();
    if (consumer != null) {
      consumer.close();
      consumer = null;
    }
  }

  /** Returns the id of the topic, or null if the topic does not exist. */
  private @Nullable Uuid topicId() {
    if (admin == null) {
      admin = Admin.create(
          config(Map.of("default.api.timeout.ms", TIMEOUT_MS, "request.timeout.ms", TIMEOUT_MS / 2)));
    }
    return new TopicOffsets(admin).ids(List.of(partition.topic())).get(partition.topic());
  }

  private void write(List<Schema> schemas) throws InterruptedException, ExecutionException {
    try (var producer =
        new KafkaProducer<>(config(Map.of("acks", "all", "delivery.timeout.ms", TIMEOUT_MS, "max.block.ms", TIMEOUT_MS,
            "request.timeout.ms", TIMEOUT_MS / 2)), new ByteArraySerializer(), new ByteArraySerializer())) {
      var sent = schemas.stream().map(this::record).map(producer::send).toList();
      for (var each : sent) {
        each.get();
      }
    }
    schemas.forEach(schema -> published.add(BuiltInRegistry.idOf(schema)));
    LOG.info("published {} schemas in topic {}, so that other versions can read the values written with them",
        schemas.size(), partition.topic());
  }

  private ProducerRecord<byte[], byte[]> record(Schema schema) {
    var id = BuiltInRegistry.idOf(schema);
    var value = new PublishedSchema(id, schema.getFullName(), schema.toString());
    return new ProducerRecord<>(partition.topic(), partition.partition(), Integer.toString(id).getBytes(UTF_8),
        decoder.serde().encode(partition.topic(), value));
  }

  /**
   * Returns the schema in a record, or null if another program wrote the record. A record of an instance has a readable
   * value with an id that is derived from the schema's text.
   */
  private @Nullable Schema schema(ConsumerRecord<byte[], byte[]> record) {
    try {
      decoder.key(record.key());
      var value = decoder.value(record.value());
      if (value == null) {
        return null;
      }
      var schema = new Schema.Parser().parse(value.getText());
      return BuiltInRegistry.idOf(schema) == value.getId() ? schema : null;
    } catch (UnreadableRecordException | AvroRuntimeException e) {
      LOG.warn("topic {}, offset {}: skipped a record that is not a schema ({})", partition.topic(), record.offset(),
          e.getMessage());
      return null;
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    if (consumer == null) {
      consumer = new KafkaConsumer<>(config(Map.of("enable.auto.commit", false, "auto.offset.reset", "earliest",
          "allow.auto.create.topics", false, "isolation.level", "read_committed", "fetch.max.wait.ms", 10,
          "default.api.timeout.ms", TIMEOUT_MS)), new ByteArrayDeserializer(), new ByteArrayDeserializer());
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
    }
    return consumer;
  }

  private Map<String, Object> config(Map<String, Object> own) {
    var config = new HashMap<>(client.get());
    config.put("client.id", "tidemark-schemas");
    config.putAll(own);
    return config;
  }

  private void attempt(String what, KafkaRequest request) {
    try {
      request.send();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptException("interrupted while reading or writing the topic of schemas", e);
    } catch (ExecutionException e) {
      throw failure(what, Objects.requireNonNullElse(e.getCause(), e));
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      throw failure(what, e);
    }
  }

  SchemaRegistryFailure failure(String what, Throwable cause) {
    var message = "cannot %s topic %s: %s".formatted(what, partition.topic(), isMissing(cause)
        ? "the topic does not exist. Every instance ('tidemark run') creates it at its start; restart an instance"
        : cause.getMessage());
    return cause instanceof AuthorizationException
        ? new SchemaRegistryFailure.RejectedByRegistry(
            message + "; docs/running/security.md lists the rights that this user needs")
        : new SchemaRegistryFailure.RegistryUnreachable(message, cause);
  }

  /** A producer waits for a missing topic until a timeout, whose cause says that the topic is unknown. */
  private static boolean isMissing(Throwable failure) {
    return failure instanceof UnknownTopicOrPartitionException
        || failure.getCause() instanceof UnknownTopicOrPartitionException;
  }

  @FunctionalInterface
  private interface KafkaRequest {
    void send() throws InterruptedException, ExecutionException;
  }
}
