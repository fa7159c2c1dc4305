package io.tidemark.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The producer of a ledger, which can record the records that are sent, so that a bare producer can write the same
 * records.
 */
final class RecordedProducer extends KafkaProducer<byte[], byte[]> {
  private final Map<String, Object> config;
  private final List<ProducerRecord<byte[], byte[]>> sent = new ArrayList<>();
  private boolean isRecording;

  RecordedProducer(Map<String, Object> config) {
    super(config, new ByteArraySerializer(), new ByteArraySerializer());
    this.config = config;
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
    if (isRecording) {
      sent.add(record);
    }
    return super.send(record);
  }

  /** Returns the records that are sent while the given task runs. */
  List<ProducerRecord<byte[], byte[]>> recorded(Runnable meanwhile) {
    sent.clear();
    isRecording = true;
    meanwhile.run();
    isRecording = false;
    return List.copyOf(sent);
  }

  /** Creates a transactional producer with the same settings. */
  Producer<byte[], byte[]> bare() {
    var same = new HashMap<>(config);
    same.put(ProducerConfig.CLIENT_ID_CONFIG, "bare");
    same.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG) + "-bare");
    var producer = new KafkaProducer<>(same, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }
}
