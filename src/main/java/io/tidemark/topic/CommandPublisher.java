package io.tidemark.topic;

import io.tidemark.event.Watch;
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

/** Writes commands to the topic {@code watch} of a source, whose owner carries them out. */
public final class CommandPublisher {

  private final Topic<Watch> topic;
  private final SchemaRegistry registry;
  private final Map<String, Object> client;

  /** @param client configuration that all clients of the cluster share */
  public CommandPublisher(Topics topics, SchemaRegistry registry, Map<String, Object> client) {
    this.topic = topics.watch();
    this.registry = registry;
    this.client = Map.copyOf(client);
  }

  /**
   * Writes a command; without a text, it withdraws an earlier one of that kind and name. Returns when Kafka has it.
   *
   * @throws KafkaException if Kafka does not take it within half a minute
   */
  public void publish(Watch command) {
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
