package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.topic.Retention;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** What is committed on topics, by the stamps of its records. */
final class RecordedOffsets implements AutoCloseable {

  /** Results of a trial bear stamps of long ago. */
  static final Retention UNLIMITED =
      new Retention(Duration.ofDays(36_500), Duration.ofDays(36_500), Duration.ofDays(36_500));

  private static final Duration POLL_TIMEOUT = Duration.ofMillis(500);

  private final KafkaConsumer<String, byte[]> consumer;

  RecordedOffsets(Map<String, Object> client) {
    var config = new HashMap<>(client);
    config.put("isolation.level", "read_committed");
    config.put("enable.auto.commit", false);
    config.put("allow.auto.create.topics", false);
    config.put("auto.offset.reset", "earliest"); // where what it looks for is deleted meanwhile
    this.consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
  }

  List<TopicPartition> partitions(Collection<? extends Topic<?>> topics) {
    return partitions(topics.stream().map(Topic::name));
  }

  List<TopicPartition> partitions(Stream<String> topics) {
    return topics
        .flatMap(topic -> consumer.partitionsFor(topic).stream())
        .map(info -> new TopicPartition(info.topic(), info.partition()))
        .toList();
  }

  /** Where the half of a retention begins that a time lies in: all that changes from there on is known whole. */
  Instant keyFramesFrom(Instant time, Duration retention) {
    var half = retention.toMillis() / 2;
    return Instant.ofEpochMilli(Math.floorDiv(time.toEpochMilli(), half) * half);
  }

  /** Where what is stamped with a time or later begins. */
  Map<TopicPartition, Long> offsetsAt(List<TopicPartition> parts, Instant time) {
    var times = new HashMap<TopicPartition, Long>();
    parts.forEach(part -> times.put(part, Math.max(0, time.toEpochMilli())));
    var ends = consumer.endOffsets(parts);
    var offsets = new HashMap<TopicPartition, Long>();
    consumer.offsetsForTimes(times)
        .forEach((part, found) -> offsets.put(part, found == null ? ends.get(part) : Long.valueOf(found.offset())));
    return offsets;
  }

  /** Where reading from a beginning is done: behind the last record stamped before a time; nothing where there is none. */
  Map<TopicPartition, Long> endsBefore(Map<TopicPartition, Long> begin, Instant time) {
    var found = offsetsAt(List.copyOf(begin.keySet()), time);
    var ends = new HashMap<>(consumer.endOffsets(begin.keySet()));
    ends.replaceAll((part, end) -> first(part, found.getOrDefault(part, end), end, time));
    return last(begin, ends);
  }

  /** Where reading from a beginning is done: behind the last record; nothing where there is none. */
  Map<TopicPartition, Long> last(Map<TopicPartition, Long> begin) {
    return last(begin, consumer.endOffsets(begin.keySet()));
  }

  private Map<TopicPartition, Long> last(Map<TopicPartition, Long> begin, Map<TopicPartition, Long> ends) {
    var last = new HashMap<TopicPartition, Long>();
    begin.forEach((part, from) -> {
      var done = last(part, from, ends.getOrDefault(part, from));
      if (done > from) {
        last.put(part, done);
      }
    });
    return last;
  }

  /** The first record stamped with a time or later. Kafka finds marks of transactions too, which bear times of their own. */
  private long first(TopicPartition part, long from, long end, Instant time) {
    consumer.assign(List.of(part));
    consumer.seek(part, from);
    while (consumer.position(part) < end) {
      for (var record : consumer.poll(POLL_TIMEOUT)) {
        if (record.timestamp() >= time.toEpochMilli()) {
          return record.offset();
        }
      }
    }
    return end;
  }

  /** Marks of transactions are no records: the last one is looked for, from ever further back. */
  private long last(TopicPartition part, long begin, long end) {
    consumer.assign(List.of(part));
    var from = end;
    var last = begin;
    for (long back = 16; from > begin && last == begin; back *= 8) {
      from = Math.max(begin, end - back);
      last = last(part, from, end, begin);
    }
    return last;
  }

  private long last(TopicPartition part, long from, long end, long none) {
    var last = none;
    consumer.seek(part, from);
    while (consumer.position(part) < end) {
      for (var record : consumer.poll(POLL_TIMEOUT)) {
        last = record.offset() < end ? record.offset() + 1 : last;
      }
    }
    return last;
  }

  /** Alerts stamped between two times, in the order of their event times. */
  List<Alert> alerts(Topic<Alert> topic, SchemaRegistry registry, Instant from, Instant to) {
    var parts = partitions(List.of(topic));
    var serde = topic.serde(registry);
    var ends = consumer.endOffsets(parts);
    var alerts = new ArrayList<Alert>();
    consumer.assign(parts);
    consumer.seekToBeginning(parts);
    while (parts.stream().anyMatch(part -> consumer.position(part) < ends.getOrDefault(part, 0L))) {
      consumer.poll(POLL_TIMEOUT).forEach(record -> {
        if (record.timestamp() >= from.toEpochMilli() && record.timestamp() < to.toEpochMilli()) {
          alerts.add(serde.decode(topic.name(), record.value()));
        }
      });
    }
    alerts.sort(Comparator.comparing(Alert::getEventTime).thenComparing(Alert::getId));
    return alerts;
  }

  static <T> T await(KafkaFuture<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw new KafkaException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while waiting for Kafka", e);
    }
  }

  static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while waiting for Kafka", e);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
