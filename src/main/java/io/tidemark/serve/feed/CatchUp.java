package io.tidemark.serve.feed;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.SafeText;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicReader.LostRange;
import io.tidemark.serve.feed.Feed.TopicCursor;
import io.tidemark.serve.feed.LiveReader.LiveTopic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The catch-up of clients in the topics in which they do not start at the position of the shared consumer. A
 * dedicated consumer reads these topics of one client, one topic at a time, from the client's start position to the
 * position of the shared consumer.
 *
 * @param readers creates a reader of topics that reports lost ranges to the given listener
 */
record CatchUp(Quarantine quarantine, FeedLimits limits, Function<Consumer<LostRange>, TopicReader> readers) {

  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
  private static final int LONGEST_PROBLEM = 200;

  /**
   * Maximum number of offsets of a topic, over all its partitions, that may still be unread when the shared consumer
   * begins to add records to the feed.
   */
  private static final long MOST_LEFT = 1_000;

  /**
   * A topic that a client reads from an earlier offset than the shared consumer.
   *
   * @param last offsets to continue from; null to begin at {@code from}
   */
  record LateTopic(TopicCursor cursor, LiveTopic live, StartPosition from, @Nullable FeedOffsets last) {}

  /**
   * The offsets from which a reader continues after its last event, and the records it has lost since.
   *
   * @param lost ranges of offsets that are no longer readable, in the order of the partitions
   */
  record ResumePlan(FeedOffsets begin, List<LostRange> lost) {

    /**
     * Plans how a reader continues after the offsets {@code last}, given the earliest and the end offsets of the
     * topic. If the topic's id has changed, the topic is a new log, which is read from its beginning, and {@code
     * lost} has a range for each partition in {@code last}. A partition that is not in {@code last} is read from its
     * earliest offset.
     *
     * @param current the present id of the topic
     */
    static ResumePlan of(String topic, FeedOffsets last, Uuid current, List<Long> earliest, List<Long> latest) {
      var isSame = last.topicId().equals(current);
      var begin = new FeedOffsets(current, earliest);
      var lost = new ArrayList<LostRange>();
      for (var i = 0; i < earliest.size(); i++) {
        var known = i < last.next().size();
        long wanted = known ? last.next().get(i) : earliest.get(i);
        long from = wanted > latest.get(i) ? latest.get(i) : Math.max(earliest.get(i), wanted);
        from = isSame ? from : earliest.get(i);
        begin = begin.with(i, from);
        if (known && (from != wanted || !isSame)) {
          lost.add(new LostRange(new TopicPartition(topic, i), wanted, from));
        }
      }
      return new ResumePlan(begin, List.copyOf(lost));
    }
  }

  /**
   * Reads the given topics until the shared consumer adds the records of all of them to the feed, or until the feed
   * has ended. If reading fails, ends the feed with a reason.
   */
  void run(Feed feed, List<LateTopic> late) {
    if (feed.isDone()) {
      return;
    }
    var cursors = new HashMap<String, TopicCursor>();
    late.forEach(each -> cursors.put(each.cursor().topic().name(), each.cursor()));
    try (var reader = readers.apply(lost -> requireNonNull(cursors.get(lost.partition().topic())).offer(lost))) {
      late.forEach(each -> begin(each, reader));
      late.forEach(each -> catchUp(each.cursor(), each.live(), reader));
    } catch (RuntimeException e) {
      if (!feed.isDone()) {
        LOG.warn("feed of {}: reading from an earlier offset failed; the client must connect again", feed, e);
        feed.end("reading failed: " + SafeText.escaped(String.valueOf(e.getMessage()), LONGEST_PROBLEM)
            + "; connect again with the last id");
      }
    }
  }

  private static void begin(LateTopic late, TopicReader reader) {
    var cursor = late.cursor();
    if (cursor.feed().isDone()) {
      return;
    }
    var now = late.live().position();
    var topic = cursor.topic().name();
    var partitions = IntStream.range(0, now.next().size()).mapToObj(each -> new TopicPartition(topic, each)).toList();
    var earliest = FeedOffsets.list(reader.offsets().earliest(partitions));
    if (late.last() != null) {
      var latest = FeedOffsets.list(reader.offsets().latest(partitions));
      var plan = ResumePlan.of(topic, late.last(), now.topicId(), earliest, latest);
      cursor.begin(plan.begin());
      plan.lost().forEach(cursor::offer);
    } else {
      cursor.begin(new FeedOffsets(now.topicId(), switch (late.from()) {
        case StartPosition.At at -> FeedOffsets.list(reader.offsets().at(partitions, at.time()));
        case StartPosition.Beginning beginning -> earliest;
        case StartPosition.End end -> FeedOffsets.list(reader.offsets().latest(partitions));
      }));
    }
  }

  private void catchUp(TopicCursor cursor, LiveTopic live, TopicReader reader) {
    read(cursor, reader, live.position().next());
    if (!cursor.feed().isDone()) {
      cursor.offerCaughtUp();
    }
    while (!cursor.feed().isDone() && live.position().beyond(cursor.offsets()) > MOST_LEFT) {
      read(cursor, reader, live.position().next());
    }
    if (cursor.feed().isDone()) {
      return;
    }
    read(cursor, reader, live.join(cursor).next());
    cursor.unhold();
  }

  /** Returns the end offset of each partition that has not been read up to its end offset. */
  private static Map<TopicPartition, Long> left(TopicCursor cursor, List<Long> ends) {
    var left = new HashMap<TopicPartition, Long>();
    var begins = cursor.offsets().next();
    for (var each = 0; each < ends.size(); each++) {
      if (begins.get(each) < ends.get(each)) {
        left.put(new TopicPartition(cursor.topic().name(), each), ends.get(each));
      }
    }
    return left;
  }

  /** Reads up to the given end offsets, and no further. */
  private void read(TopicCursor cursor, TopicReader reader, List<Long> ends) {
    var wanted = left(cursor, ends);
    if (wanted.isEmpty() || cursor.feed().isDone()) {
      return;
    }
    var begins = new HashMap<TopicPartition, Long>();
    wanted.keySet().forEach(each -> begins.put(each, cursor.offsets().next().get(each.partition())));
    reader.startOnly(begins, limits.consumer());
    reader.follow(
        record -> record.offset() >= requireNonNull(wanted.get(partition(record))) || offer(cursor, record),
        progress -> progress.remaining(wanted) > 0 && cursor.feed().awaitRoom()); // the batch can be freed during the wait
    cursor.reached(ends);
  }

  private boolean offer(TopicCursor cursor, CommittedRecord record) {
    quarantine.addOnce(record);
    return cursor.offer(record);
  }

  private static TopicPartition partition(CommittedRecord record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
