package io.tidemark.audit;

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
public record Row(
    String topic,
    int partition,
    long offset,
    long timestamp,
    @Nullable String key,
    Map<String, String> headers,
    @Nullable SpecificRecord value,
    @Nullable String unreadable) {

  String name() {
    return key == null ? "" : key;
  }

  Place place() {
    return new Place(topic, partition, offset, name());
  }

  String header(String name) {
    return headers.getOrDefault(name, "");
  }
}
