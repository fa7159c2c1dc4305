package io.tidemark.ledger;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Configuration of a ledger's clients: what may be set otherwise, then what is set, then what must be so. */
final class LedgerClients {

  private LedgerClients() {}

  static Map<String, Object> producer(LedgerSettings settings) {
    var config = new HashMap<String, Object>();
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
    config.putAll(settings.kafka());
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "tidemark-ledger-" + settings.source());
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, settings.topics().prefix() + settings.source());
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    // The ledger counts what goes over the wire more exactly than the producer, which must not be the stricter one.
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 2 * settings.largestRecord());
    return config;
  }

  static Consumer<byte[], byte[]> consumer(LedgerSettings settings) {
    var config = new HashMap<>(settings.kafka());
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "tidemark-restore-" + settings.source());
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
    // It reads what is there: no broker need wait for more.
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
