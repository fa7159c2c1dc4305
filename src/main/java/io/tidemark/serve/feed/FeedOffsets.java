package io.tidemark.serve.feed;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The position of a reader in a topic: the offset of the next record in each partition. The position advances past
 * all records read, not only past records that passed a filter. Written as text, the position is the id of an event
 * of a feed of one topic, or one part of the id if the feed has several topics: {@code <topic
 * id>.<offset>.<offset>...}, which needs no escaping in URLs.
 *
 * @param topicId Kafka's id of the topic, which changes if a topic of the same name is created again
 */
record FeedOffsets(Uuid topicId, LongList next) {

  private static final int LONGEST = 20_000;

  /** An immutable list of offsets by partition. */
  static final class LongList {
    private final long[] values;

    LongList(long... values) {
      this.values = values.clone();
    }

    /** Returns the offsets of all partitions of one topic as a list. */
    static LongList of(Map<TopicPartition, Long> offsets) {
      var list = new LongList(new long[offsets.size()]);
      offsets.forEach((partition, offset) -> list.values[partition.partition()] = offset);
      return list;
    }

    int size() {
      return values.length;
    }

    long get(int partition) {
      return values[partition];
    }

    LongList with(int partition, long value) {
      var copy = new LongList(values);
      copy.values[partition] = value;
      return copy;
    }

    /** Returns how many offsets this list is ahead of another, summed over the partitions in which it is ahead. */
    long beyond(LongList other) {
      return IntStream.range(0, values.length).mapToLong(i -> Math.max(0, values[i] - other.values[i])).sum();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof LongList list && Arrays.equals(values, list.values);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
      return LongStream.of(values).mapToObj(Long::toString).collect(Collectors.joining("."));
    }
  }

  /**
   * Parses the part of an event's id that concerns one topic.
   *
   * @throws IllegalArgumentException if the text is not such a part
   */
  static FeedOffsets parse(String id) {
    var parts = id.split("\\.", -1);
    if (id.length() > LONGEST || parts.length < 2) {
      throw notAnId();
    }
    try {
      var offsets = Arrays.stream(parts).skip(1).mapToLong(FeedOffsets::offset).toArray();
      return new FeedOffsets(Uuid.fromString(parts[0]), new LongList(offsets));
    } catch (IllegalArgumentException e) {
      throw notAnId();
    }
  }

  private static long offset(String text) {
    if (!text.matches("\\d{1,18}")) {
      throw notAnId();
    }
    return Long.parseLong(text);
  }

  private static IllegalArgumentException notAnId() {
    return new IllegalArgumentException(
        "Last-Event-ID is not the id of an event of this feed: send it exactly as received, or leave it out");
  }

  /** Returns this position as text, which is the id of an event if the feed has no other topic. */
  String id() {
    return topicId + "." + next;
  }

  FeedOffsets with(int partition, long offset) {
    return new FeedOffsets(topicId, next.with(partition, offset));
  }
}
