package io.tidemark.kafka;

import io.tidemark.event.Watch;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.util.HashMap;
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
    var topic = topics.watch();
    OwnersRegistry.requireSame(topics, registry, client, "write to the topic " + topic.name());
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
}
