package io.tidemark.topic;

import io.tidemark.audit.RecordPosition;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One committed record.
 *
 * @param timestamp milliseconds since 1970
 * @param value null in a tombstone, and where it cannot be read
 * @param unreadable why it cannot be read; null where it can
 */
public record CommittedRecord(
    String topic,
    int partition,
    long offset,
    long timestamp,
    @Nullable String key,
    Map<String, String> headers,
    @Nullable SpecificRecord value,
    @Nullable String unreadable) {

  public String keyText() {
    return key == null ? "" : key;
  }

  public RecordPosition place() {
    return new RecordPosition(topic, partition, offset, keyText());
  }

  public String header(String name) {
    return headers.getOrDefault(name, "");
  }
}
