package io.tidemark.kafka;

import static io.tidemark.kafka.AdminCalls.await;
import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** A reader of the offsets at which partitions begin and end. Its methods block. The caller closes the admin client. */
public record TopicOffsets(Admin admin) {
  /** Maximum number of checks whether open transactions have ended. The pauses before them take 10 seconds in all. */
  private static final int ATTEMPTS = 400;

  private static final Duration PAUSE = Duration.ofMillis(25);

  /** Returns the partition count of each given topic that exists, by topic name. */
  public Map<String, Integer> partitionCounts(Collection<String> topics) {
    return describe(topics, topic -> topic.partitions().size());
  }

  /**
   * Returns the id of each given topic that exists, by topic name. A topic that is deleted and created again gets a new
   * id.
   */
  public Map<String, Uuid> ids(Collection<String> topics) {
    return describe(topics, TopicDescription::topicId);
  }

  private <T> Map<String, T> describe(Collection<String> topics, Function<TopicDescription, T> property) {
    var found = new HashMap<String, T>();
    admin.describeTopics(topics).topicNameValues().forEach((topic, described) -> {
      var description = AdminCalls.awaitUnless(UnknownTopicOrPartitionException.class, described);
      if (description != null) {
        found.put(topic, property.apply(description));
      }
    });
    return found;
  }

  /** Returns all partitions of each given topic that exists. */
  public List<TopicPartition> partitions(Collection<String> topics) {
    var counts = partitionCounts(topics);
    return topics.stream()
        .flatMap(topic -> IntStream.range(0, counts.getOrDefault(topic, 0))
            .mapToObj(each -> new TopicPartition(topic, each)))
        .toList();
  }

  /** Returns the first offset of each partition that retention has not deleted. */
  public Map<TopicPartition, Long> earliest(Collection<TopicPartition> partitions) {
    return list(partitions, OffsetSpec.earliest(), IsolationLevel.READ_COMMITTED);
  }

  /**
   * Returns the last stable offset of each partition: the first record of the earliest open transaction, or the
   * offset after the last record if no transaction is open.
   */
  public Map<TopicPartition, Long> latest(Collection<TopicPartition> partitions) {
    return list(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
  }

  /** Returns the offset after the last record of each partition, including records of open transactions. */
  public Map<TopicPartition, Long> written(Collection<TopicPartition> partitions) {
    return list(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
  }

  /**
   * Returns, for each partition whose leader answers in time, the last stable offset, or the offset after the last
   * record, as {@code isolation} says.
   */
  Map<TopicPartition, Long> answered(Collection<TopicPartition> partitions, IsolationLevel isolation) {
    var listed = request(partitions, OffsetSpec.latest(), isolation);
    var offsets = new HashMap<TopicPartition, Long>();
    for (var partition : partitions) {
      var result = AdminCalls.awaitUnless(RetriableException.class, listed.partitionResult(partition));
      if (result != null) {
        offsets.put(partition, result.offset());
      }
    }
    return offsets;
  }

  /**
   * Returns, for each partition, the offset of the first record with the given timestamp or a later one, or the last
   * stable offset if there is no such record before it.
   */
  public Map<TopicPartition, Long> at(Collection<TopicPartition> partitions, Instant time) {
    var ends = latest(partitions);
    var found =
        list(partitions, OffsetSpec.forTimestamp(Math.max(0, time.toEpochMilli())), IsolationLevel.READ_COMMITTED);
    found.replaceAll((partition, offset) -> offset < 0 ? requireNonNull(ends.get(partition)) : offset);
    return found;
  }

  /**
   * Returns the range of committed offsets of a partition. Waits up to 10 seconds until every record that was written
   * before the call is readable. After that, returns the range up to the last stable offset without a failure. The
   * wait is necessary because the commit markers of a transaction reach its partitions one by one, after all of its
   * records are in the log.
   */
  public OffsetRange committed(String topic, int partition) {
    var partitions = List.of(new TopicPartition(topic, partition));
    long begin = only(earliest(partitions));
    long written = only(written(partitions));
    long end = only(latest(partitions));
    for (var attempt = 0; end < written && attempt < ATTEMPTS; attempt++) {
      AdminCalls.sleep(PAUSE);
      end = only(latest(partitions));
    }
    return new OffsetRange(topic, partition, begin, end);
  }

  private static long only(Map<TopicPartition, Long> offsets) {
    return offsets.values().iterator().next();
  }

  private Map<TopicPartition, Long> list(Collection<TopicPartition> partitions, OffsetSpec spec,
      IsolationLevel isolation) {
    var offsets = new HashMap<TopicPartition, Long>();
    await(request(partitions, spec, isolation).all())
        .forEach((partition, result) -> offsets.put(partition, result.offset()));
    return offsets;
  }

  private ListOffsetsResult request(Collection<TopicPartition> partitions, OffsetSpec spec, IsolationLevel isolation) {
    var specs = partitions.stream().collect(Collectors.toMap(Function.identity(), partition -> spec));
    return admin.listOffsets(specs, new ListOffsetsOptions(isolation));
  }
}
