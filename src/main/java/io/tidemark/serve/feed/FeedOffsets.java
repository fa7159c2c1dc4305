package io.tidemark.serve.feed;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
record FeedOffsets(Uuid topicId, List<Long> next) {

  private static final int LONGEST = 20_000;

  /** Returns the offsets of all partitions of one topic as a list. */
  static List<Long> list(Map<TopicPartition, Long> offsets) {
    return offsets.entrySet().stream().sorted(Comparator.comparingInt(each -> each.getKey().partition()))
        .map(Map.Entry::getValue).toList();
  }

  /**
   * Parses the part of an event's id that concerns one topic.
   *
   * @throws FeedRefusal if the text is not such a part
   */
  static FeedOffsets parse(String id) {
    var parts = id.split("\\.", -1);
    if (id.length() > LONGEST || parts.length < 2) {
      throw notAnId();
    }
    try {
      var offsets = Arrays.stream(parts).skip(1).map(FeedOffsets::offset).toList();
      return new FeedOffsets(Uuid.fromString(parts[0]), offsets);
    } catch (IllegalArgumentException e) {
      throw notAnId();
    }
  }

  private static Long offset(String text) {
    if (!text.matches("\\d{1,18}")) {
      throw notAnId();
    }
    return Long.valueOf(text);
  }

  private static FeedRefusal notAnId() {
    return FeedRefusal.badRequest(
        "Last-Event-ID is not the id of an event of this feed: send it exactly as received, or leave it out");
  }

  /** Returns this position as text, which is the id of an event if the feed has no other topic. */
  String id() {
    return topicId + "." + next.stream().map(String::valueOf).collect(Collectors.joining("."));
  }

  FeedOffsets with(int partition, long offset) {
    var copy = new ArrayList<>(next);
    copy.set(partition, offset);
    return new FeedOffsets(topicId, Collections.unmodifiableList(copy));
  }

  /** Returns how many offsets this position is ahead of another, summed over the partitions in which it is ahead. */
  long beyond(FeedOffsets other) {
    return IntStream.range(0, next.size()).mapToLong(i -> Math.max(0, next.get(i) - other.next.get(i))).sum();
  }
}
