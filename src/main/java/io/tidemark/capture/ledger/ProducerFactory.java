package io.tidemark.capture.ledger;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A factory that creates the producer of a ledger. */
@FunctionalInterface
public interface ProducerFactory {
  /** A factory that creates a {@link KafkaProducer}. */
  ProducerFactory KAFKA = config -> new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());

  Producer<byte[], byte[]> create(Map<String, Object> config);
}
