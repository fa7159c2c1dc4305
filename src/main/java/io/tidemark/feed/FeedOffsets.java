package io.tidemark.feed;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * The offsets of the next records of all partitions of a topic: how far a reader has come. Counts what was read, and not
 * what passed a filter. Its text is the id of events: {@code <topic id>.<offset>.<offset>...}, in URLs as it is.
 *
 * @param topicId of the topic; another topic of the same name has another
 */
record FeedOffsets(Uuid topicId, LongList next) {

  private static final int LONGEST = 20_000;

  /** Offsets by partition, immutable. */
  static final class LongList {
    private final long[] values;

    LongList(long... values) {
      this.values = values.clone();
    }

    /** The offsets of all partitions of one topic. */
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

    /** How many offsets it is beyond another, over all partitions. */
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
   * Parses the id of an event.
   *
   * @throws IllegalArgumentException if it is none
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
        "Last-Event-ID is not the id of an event of this feed: send it as it came, or leave it out");
  }

  /** The id of an event after which a reader has come this far. */
  String id() {
    return topicId + "." + next;
  }

  FeedOffsets with(int partition, long offset) {
    return new FeedOffsets(topicId, next.with(partition, offset));
  }
}
