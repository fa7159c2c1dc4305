package io.tidemark.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.RegistryFailure;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** Records of Kafka, their values decoded where that can be done. */
final class RecordDecoder {

  private final Map<String, AvroSerde<?>> serdes = new HashMap<>();

  RecordDecoder(SchemaRegistry registry, Collection<? extends Topic<?>> topics) {
    topics.forEach(topic -> serdes.put(topic.name(), topic.serde(registry)));
  }

  CommittedRecord row(ConsumerRecord<String, byte[]> record) {
    try {
      return row(record, value(record), null);
    } catch (SerializationException | RegistryFailure.UnknownSchema e) {
      return row(record, null, e.getMessage());
    }
  }

  private @Nullable SpecificRecord value(ConsumerRecord<String, byte[]> record) {
    return record.value() == null
        ? null
        : (SpecificRecord) Objects.requireNonNull(serdes.get(record.topic())).decode(record.topic(), record.value());
  }

  private static CommittedRecord row(
      ConsumerRecord<String, byte[]> record, @Nullable SpecificRecord value, @Nullable String unreadable) {
    return new CommittedRecord(record.topic(), record.partition(), record.offset(), record.timestamp(), record.key(),
        headers(record.headers()), value, unreadable);
  }

  private static Map<String, String> headers(Headers headers) {
    var map = new HashMap<String, String>();
    headers.forEach(each -> map.put(each.key(), each.value() == null ? "" : new String(each.value(), UTF_8)));
    return map;
  }
}
