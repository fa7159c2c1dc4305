package io.tidemark.kafka;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.Watch;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A publisher of commands to the topic {@code watch} of a source. The instance that owns the source carries the
 * commands out.
 */
public final class CommandPublisher {

  /**
   * Number of offsets to read at the end of each partition of {@code source.state}. It is large enough that at least
   * one of these offsets has a committed record in the partition of the source's key. The other partitions have no
   * records of the source.
   */
  private static final int NEWEST = 100;
  private static final int TIMEOUT_MS = 5_000;

  private final Topics topics;
  private final SchemaRegistry registry;
  private final Map<String, Object> client;

  /** @param client configuration that all clients of the cluster share */
  public CommandPublisher(Topics topics, SchemaRegistry registry, Map<String, Object> client) {
    this.topics = topics;
    this.registry = registry;
    this.client = client;
  }

  /**
   * Writes a command, and returns after Kafka has acknowledged the record. A command without a text withdraws an
   * earlier command of the same kind and name.
   *
   * @throws KafkaException if Kafka does not answer, or does not acknowledge the command within 25 seconds after it
   *     was handed to the producer
   * @throws SchemaRegistryFailure if the owner of the source uses the other kind of registry, since the owner could
   *     then not read the command, or if the registry does not return an id for the command's schema
   */
  public void publish(Watch command) {
    requireSameRegistryAsOwner();
    var topic = topics.watch();
    var value = topic.serde(registry).encode(topic.name(), command);
    var config = new HashMap<>(client);
    config.put("acks", "all");
    config.put("delivery.timeout.ms", 20_000);
    config.put("request.timeout.ms", 10_000);
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer())) {
      var key = command.getKind() + "/" + command.getName();
      producer.send(new ProducerRecord<>(topic.name(), key, value)).get(25, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new KafkaException("cannot write to " + topic.name() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while writing to " + topic.name(), e);
    }
  }

  private void requireSameRegistryAsOwner() {
    // only the header is read, so any registry will do
    var bounded = new HashMap<>(client);
    bounded.put("default.api.timeout.ms", TIMEOUT_MS);
    bounded.put("request.timeout.ms", TIMEOUT_MS);
    var sourceState = topics.sourceState();
    try (var reader = new TopicReader(bounded, List.of(sourceState), new BuiltInRegistry(List.of()))) {
      var offsets = reader.offsets();
      var partitions = offsets.partitions(List.of(sourceState.name()));
      var begins = offsets.earliest(partitions);
      offsets.latest(partitions).forEach((each, end) -> reader.read(
          new OffsetRange(each.topic(), each.partition(),
              Math.max(requireNonNull(begins.get(each)), end - NEWEST), end),
          this::requireSameRegistry));
    }
  }

  private void requireSameRegistry(CommittedRecord state) {
    var owners = state.header(RecordHeader.REGISTRY.wire());
    if (!owners.isEmpty() && !owners.equals(registry.identity())) {
      throw new SchemaRegistryFailure.UnknownSchema(
          "cannot write to %s: the schemas of this source are in %s registry, but this command uses %s one. %s"
              .formatted(topics.watch().name(), article(owners), article(registry.identity()),
                  owners.equals(ConfluentRegistry.IDENTITY)
                      ? "Give the URL of the external one with --registry, or with registry.url in the file of --config"
                      : "Leave out --registry and registry.url"));
    }
  }

  private static String article(String identity) {
    return (identity.equals(ConfluentRegistry.IDENTITY) ? "an " : "the ") + identity;
  }
}
