package io.tidemark.kafka;

import static java.util.Objects.requireNonNull;

import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of the committed records of topics. It joins no consumer group and commits no offsets. Only one thread may
 * use a reader, but any thread may call {@link #close}.
 */
public final class TopicReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TopicReader.class);
  private static final Duration POLL_TIMEOUT = Duration.ofMillis(500);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  /** Maximum number of empty polls in a row. After these polls, half a minute in all, Kafka counts as unavailable. */
  private static final int MAX_EMPTY_POLLS = 60;

  private final Map<String, Object> client;
  private final List<String> topics;
  private final Map<String, RecordDecoder<?>> decoders = new HashMap<>();
  private final Admin admin;
  private final TopicOffsets offsets;
  private final Consumer<LostRange> lost;
  private final Map<String, Object> ranges;
  private final Deque<KafkaConsumer<byte[], byte[]>> idle = new ArrayDeque<>();
  private volatile @Nullable KafkaConsumer<byte[], byte[]> follower;
  private final CountDownLatch followed = new CountDownLatch(1);
  private volatile boolean following;
  private volatile boolean isClosed;

  /**
   * A range of offsets that this reader requested but that no longer exist, usually because retention deleted them.
   * Reading continues at {@code end}.
   *
   * @param begin first offset that was requested
   * @param end first offset that still exists; less than {@code begin} if the log has become shorter
   */
  public record LostRange(TopicPartition partition, long begin, long end) {}

  /**
   * @param client configuration that all clients of the cluster share
   * @param topics topics whose values are decoded. {@link #readAll} and the start methods except {@link #startOnly}
   *     read exactly these topics
   */
  public TopicReader(Map<String, Object> client, Collection<? extends Topic<?>> topics, SchemaRegistry registry) {
    this(client, topics, registry, range -> {});
  }

  /** @param lost called in the reading thread with each range of requested offsets that no longer exist */
  public TopicReader(Map<String, Object> client, Collection<? extends Topic<?>> topics, SchemaRegistry registry,
      Consumer<LostRange> lost) {
    this(client, topics, registry, lost,
        Map.of("max.partition.fetch.bytes", 8 << 20, "max.poll.records", 5_000));
  }

  /** @param ranges additional configuration of the consumers that read ranges */
  public TopicReader(Map<String, Object> client, Collection<? extends Topic<?>> topics, SchemaRegistry registry,
      Consumer<LostRange> lost, Map<String, Object> ranges) {
    this.ranges = new HashMap<>(ranges);
    // all records of a range are in the topic already, and a fetch that waits for more would delay the next range
    this.ranges.put("fetch.max.wait.ms", 1);
    this.lost = lost;
    this.client = client;
    this.topics = topics.stream().<String>map(Topic::name).distinct().toList();
    topics.forEach(topic -> decoders.put(topic.name(), topic.decoder(registry)));
    this.admin = Admin.create(client);
    this.offsets = new TopicOffsets(admin);
  }

  public TopicOffsets offsets() {
    return offsets;
  }

  /**
   * Reads a range of offsets and passes each record to {@code reader}, which may call this method for other ranges.
   *
   * @throws TimeoutException if Kafka delivers nothing for half a minute
   */
  public void read(OffsetRange range, Consumer<CommittedRecord> reader) {
    readUntil(range, record -> {
      reader.accept(record);
      return false;
    });
  }

  /** Reads a range up to the first record that satisfies {@code enough}. Returns false if no record satisfies it. */
  public boolean readUntil(OffsetRange range, Predicate<CommittedRecord> enough) {
    return readRawUntil(range, record -> enough.test(decode(record)));
  }

  /**
   * Reads a range up to the first record that satisfies {@code enough}. Returns false if no record satisfies it.
   * Records with other keys than the given one are also passed to {@code enough}, but their values are not decoded:
   * they are null.
   */
  public boolean readUntil(OffsetRange range, byte[] key, Predicate<CommittedRecord> enough) {
    return readRawUntil(range, record -> enough.test(
        Arrays.equals(record.key(), key) ? decode(record) : CommittedRecord.of(record, null, null)));
  }

  private boolean readRawUntil(OffsetRange range, Predicate<ConsumerRecord<byte[], byte[]>> enough) {
    var partition = range.topicPartition();
    var consumer = idle.isEmpty() ? consumer(ranges) : idle.pop();
    try {
      consumer.assign(List.of(partition));
      consumer.seek(partition, range.begin());
      for (int empty = 0; consumer.position(partition) < range.end(); empty++) {
        if (empty > MAX_EMPTY_POLLS) {
          throw new TimeoutException("Kafka delivered nothing for half a minute while " + partition + " was read");
        }
        for (var record : poll(consumer)) {
          empty = 0;
          if (record.offset() < range.end() && enough.test(record)) {
            return true;
          }
        }
      }
      return false;
    } finally {
      idle.push(consumer);
    }
  }

  /** Reads all records before the last stable offsets at the time of the call, one partition after another. */
  public void readAll(Consumer<CommittedRecord> reader) {
    var partitions = offsets.partitions(topics);
    var begins = offsets.earliest(partitions);
    var ends = offsets.latest(partitions);
    partitions.forEach(each -> read(new OffsetRange(each.topic(), each.partition(),
        requireNonNull(begins.get(each)), requireNonNull(ends.get(each))), reader));
  }

  /** Makes {@link #follow} begin with the first record of each partition that retention has not deleted. */
  public void startAtBeginning() {
    start(offsets::earliest);
  }

  /**
   * Makes {@link #follow} begin at the last stable offset that each partition has now. A record of a transaction that
   * is open now is read after its commit.
   */
  public void startAtEnd() {
    start(offsets::latest);
  }

  /**
   * Makes {@link #follow} begin, in each partition, with the first record whose timestamp is the given time or later,
   * or at the last stable offset if there is no such record.
   */
  public void startAt(Instant time) {
    start(partitions -> offsets.at(partitions, time));
  }

  /**
   * Makes {@link #follow} read only the given partitions, from the given offsets.
   *
   * @param tuning additional configuration of the consumer
   */
  public void startOnly(Map<TopicPartition, Long> begins, Map<String, Object> tuning) {
    var consumer = consumer(tuning);
    assign(consumer, begins);
    follower = consumer;
  }

  /**
   * Reads the partitions of the start method that was called before, until {@code reader} returns false or this
   * reader is closed. Then closes the consumer of the start method.
   */
  public void follow(Predicate<CommittedRecord> reader) {
    follow(reader, progress -> true);
  }

  /** The progress of {@link #follow}. Only the thread that called {@link #follow} may use it. */
  public record FollowProgress(KafkaConsumer<?, ?> consumer) {

    /**
     * Returns the last stable offset of each partition that is being read. Throws {@link TimeoutException} if Kafka
     * does not answer in time.
     */
    public Map<TopicPartition, Long> ends() {
      return consumer.endOffsets(consumer.assignment());
    }

    /** Returns how many offsets remain to be read before the given ends. */
    public long remaining(Map<TopicPartition, Long> ends) {
      return ends.entrySet().stream()
          .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
          .sum();
    }

    /**
     * Makes {@link #follow} read only the given partitions from now on. The offset given for a partition that is
     * already being read is ignored.
     */
    public void assign(Map<TopicPartition, Long> begins) {
      TopicReader.assign(consumer, begins);
    }
  }

  /**
   * Reads the partitions of the start method that was called before, until {@code reader} or {@code goOn} returns
   * false, or until this reader is closed. Then closes the consumer of the start method.
   *
   * @param goOn called after each batch of which {@code reader} accepted all records, and twice a second while there
   *     are no records
   */
  public void follow(Predicate<CommittedRecord> reader, Predicate<FollowProgress> goOn) {
    whileOpen(consumer -> {
      while (readBatch(consumer, reader) && goOn.test(new FollowProgress(consumer))) {
        // goOn may wait; readBatch() has returned, so the last batch is not held in memory while goOn waits
      }
    });
  }

  private boolean readBatch(KafkaConsumer<byte[], byte[]> consumer, Predicate<CommittedRecord> reader) {
    for (var record : poll(consumer)) {
      if (!reader.test(decode(record))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads as {@link #follow} does. Records before the last stable offsets at the time of the call come in the order
   * of their timestamps over all partitions. Later records wait for no other partition; those that arrive together
   * come in the order of their timestamps.
   */
  public void followInTimeOrder(Predicate<CommittedRecord> reader) {
    whileOpen(consumer -> {
      var order = new TimeOrder(consumer.endOffsets(consumer.assignment()));
      do {
        poll(consumer).forEach(order::add);
      } while (passOn(order, consumer, reader));
    });
  }

  /**
   * Reads the partitions of the start method that was called before up to the given ends, in the order of timestamps
   * over all partitions, or until {@code reader} returns false. Then closes the consumer of the start method.
   *
   * @param ends the offset after the last record to read, for each of the partitions
   * @param progress called before each batch
   * @throws TimeoutException if Kafka delivers nothing for half a minute
   */
  public void readInTimeOrder(Map<TopicPartition, Long> ends, Predicate<CommittedRecord> reader,
      Consumer<FollowProgress> progress) {
    whileOpen(consumer -> {
      var order = new TimeOrder(ends);
      for (int empty = 0; !order.isComplete(positions(consumer)); empty++) {
        if (empty > MAX_EMPTY_POLLS) {
          throw new TimeoutException("Kafka delivered nothing for half a minute while " + topics + " were read");
        }
        progress.accept(new FollowProgress(consumer));
        for (var record : poll(consumer)) {
          empty = 0;
          if (record.offset() < requireNonNull(ends.get(new TopicPartition(record.topic(), record.partition())))) {
            order.add(record);
          }
        }
        if (!passOn(order, consumer, reader)) {
          return;
        }
      }
    });
  }

  /**
   * Passes on the waiting records in order, and pauses partitions of which too many wait. Returns false if
   * {@code reader} does.
   */
  private boolean passOn(
      TimeOrder order, KafkaConsumer<byte[], byte[]> consumer, Predicate<CommittedRecord> reader) {
    var positions = positions(consumer);
    for (var next = order.next(positions); next != null; next = order.next(positions)) {
      if (!reader.test(decode(next))) {
        return false;
      }
    }
    consumer.pause(order.full());
    consumer.resume(order.drained(consumer.paused()));
    return true;
  }

  private static Map<TopicPartition, Long> positions(KafkaConsumer<?, ?> consumer) {
    var positions = new HashMap<TopicPartition, Long>();
    consumer.assignment().forEach(each -> positions.put(each, consumer.position(each)));
    return positions;
  }

  /**
   * Runs {@code work} with the consumer that a start method created, until {@code work} returns or this reader is
   * closed. Then closes the consumer.
   */
  private void whileOpen(Consumer<KafkaConsumer<byte[], byte[]>> work) {
    var consumer = requireNonNull(follower, "call a start method before following");
    following = true;
    try {
      if (!isClosed) {
        work.accept(consumer);
      }
    } catch (WakeupException e) {
      // closed
    } finally {
      consumer.close();
      followed.countDown();
    }
  }

  /**
   * Ends {@link #follow}, for which it waits up to 5 seconds, and closes the clients. It does not end a {@link #read}
   * in another thread, and does not close the consumer of a start method without a call of {@link #follow}.
   */
  @Override
  public void close() {
    isClosed = true;
    var consumer = follower;
    if (consumer != null) {
      consumer.wakeup();
    }
    try {
      if (following && !followed.await(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("the reader of topics {} did not stop within {} s; close() returns without waiting for it", topics,
            CLOSE_TIMEOUT.toSeconds());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    idle.forEach(KafkaConsumer::close);
    admin.close(POLL_TIMEOUT);
  }

  private void start(Function<Collection<TopicPartition>, Map<TopicPartition, Long>> position) {
    startOnly(position.apply(offsets.partitions(topics)), Map.of());
  }

  private static void assign(KafkaConsumer<?, ?> consumer, Map<TopicPartition, Long> begins) {
    var before = consumer.assignment();
    consumer.assign(begins.keySet());
    begins.forEach((partition, begin) -> {
      if (!before.contains(partition)) {
        consumer.seek(partition, begin);
      }
    });
  }

  private ConsumerRecords<byte[], byte[]> poll(KafkaConsumer<byte[], byte[]> consumer) {
    try {
      return consumer.poll(POLL_TIMEOUT);
    } catch (OffsetOutOfRangeException e) {
      var wanted = e.offsetOutOfRangePartitions();
      offsets.earliest(wanted.keySet()).forEach((partition, earliest) -> {
        consumer.seek(partition, earliest);
        lost.accept(new LostRange(partition, requireNonNull(wanted.get(partition)), earliest));
      });
      return ConsumerRecords.empty();
    }
  }

  private CommittedRecord decode(ConsumerRecord<byte[], byte[]> record) {
    var decoder = decoders.get(record.topic());
    if (decoder == null) {
      return CommittedRecord.of(record, null, null);
    }
    try {
      decoder.key(record.key());
      return CommittedRecord.of(record, decoder.value(record.value()), null);
    } catch (UnreadableRecordException e) {
      return CommittedRecord.of(record, null, UnreadableRecord.of(record, e));
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> tuning) {
    var config = new HashMap<>(client);
    config.put("fetch.max.bytes", RecordLimits.FETCH);
    config.putAll(tuning);
    config.put("isolation.level", "read_committed");
    config.put("enable.auto.commit", false);
    config.put("allow.auto.create.topics", false); // new topics would get the cluster's default partition count
    config.put("auto.offset.reset", "none"); // starts seek; poll() handles offsets that no longer exist
    config.put("default.api.timeout.ms", 10_000);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
