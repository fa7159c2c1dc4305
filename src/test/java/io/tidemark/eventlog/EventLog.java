package io.tidemark.eventlog;

import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** All records in the topics of one source, in the order of each partition. */
record EventLog(Topics topics, List<Entry> entries) {
  EventLog {
    entries = List.copyOf(entries);
  }

  /** One record; the value of a tombstone is null. */
  record Entry(
      String topic,
      int partition,
      long offset,
      Instant timestamp,
      String key,
      Map<String, String> headers,
      @Nullable SpecificRecord value) {}

  Stream<Entry> in(Topic<?> topic) {
    return entries.stream().filter(entry -> entry.topic().equals(topic.name()));
  }
}
