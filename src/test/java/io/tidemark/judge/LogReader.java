package io.tidemark.judge;

import io.tidemark.judge.Event.Place;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** A reader of committed records that remembers all that it was given, as any reader of the topics may. */
public final class LogReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final String snapshots;
  private final List<Read> reads = new ArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicLong snapshotsRead = new AtomicLong();
  private volatile boolean closed;
  private @Nullable Thread thread;

  /** A record that was read. */
  record Read(Place place, long checksum) {}

  /** Begins at the first record of each partition of the topics whose names begin with a prefix. */
  public LogReader(String bootstrapServers, String prefix) {
    consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed",
        "auto.offset.reset", "none", "enable.auto.commit", "false", "metadata.max.age.ms", "5000",
        "default.api.timeout.ms", "240000"), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    snapshots = prefix + "target.state";
    consumer.assign(consumer.listTopics().entrySet().stream().filter(topic -> topic.getKey().startsWith(prefix))
        .flatMap(topic -> topic.getValue().stream().map(each -> new TopicPartition(each.topic(), each.partition())))
        .toList());
    consumer.assignment().forEach(each -> consumer.seek(each, 0));
  }

  /** Reads on in a thread of its own until it is closed. */
  public LogReader follow() {
    thread = Thread.ofPlatform().start(() -> {
      while (!closed) {
        try {
          poll();
        } catch (RuntimeException e) {
          failures.add(e.toString());
          closed = true;
        }
      }
    });
    return this;
  }

  /** Reads up to the ends of all partitions. */
  public LogReader readAll() {
    var ends = consumer.endOffsets(consumer.assignment());
    while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      poll();
    }
    return this;
  }

  private void poll() {
    consumer.poll(POLL).forEach(this::add);
  }

  private void add(ConsumerRecord<byte[], byte[]> record) {
    var checksum = BrokerLog.checksum(record.timestamp(), wrapped(record.key()), wrapped(record.value()));
    synchronized (reads) {
      reads.add(new Read(new Place(new TopicPartition(record.topic(), record.partition()), record.offset()), checksum));
    }
    if (record.topic().equals(snapshots)) {
      snapshotsRead.incrementAndGet();
    }
  }

  private static @Nullable ByteBuffer wrapped(byte @Nullable [] bytes) {
    return bytes == null ? null : ByteBuffer.wrap(bytes);
  }

  /** Returns how many snapshots of targets it has read. */
  public long snapshots() {
    return snapshotsRead.get();
  }

  List<Read> reads() {
    synchronized (reads) {
      return List.copyOf(reads);
    }
  }

  /** Returns why it could not read on, such as a log that was cut. */
  List<String> failures() {
    return failures;
  }

  @Override
  public void close() {
    closed = true;
    try {
      if (thread != null) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    consumer.close();
  }
}
