package io.tidemark.feed;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.SafeText;
import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.TopicReader;
import io.tidemark.topic.TopicReader.LostRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a topic for one reader with a consumer of its own, from where the reader begins to the newest records that all
 * share.
 */
final class CatchUp {

  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
  private static final int LONGEST_PROBLEM = 200;

  private final FeedReader feed;
  private final Quarantine quarantine;
  private final SchemaRegistry registry;
  private final Map<String, Object> client;

  CatchUp(FeedReader feed, Quarantine quarantine, SchemaRegistry registry, Map<String, Object> client) {
    this.feed = feed;
    this.quarantine = quarantine;
    this.registry = registry;
    this.client = client;
  }

  /**
   * Where reading begins after an event of a reader, and what of that is lost.
   *
   * @param lost in the order of the partitions
   */
  record ResumePlan(FeedOffsets begin, List<LostRange> lost) {

    /**
     * Compares the offsets of a reader with those of the topic. Another topic id is another log: all of it is new.
     *
     * @param current the topic as it is
     */
    static ResumePlan of(String topic, FeedOffsets last, Uuid current, LongList earliest, LongList latest) {
      var isSame = last.topicId().equals(current);
      var begin = new FeedOffsets(current, earliest);
      var lost = new ArrayList<LostRange>();
      for (var i = 0; i < earliest.size(); i++) {
        var known = i < last.next().size();
        var wanted = known ? last.next().get(i) : earliest.get(i);
        var from = wanted > latest.get(i) ? latest.get(i) : Math.max(earliest.get(i), wanted);
        from = isSame ? from : earliest.get(i);
        begin = begin.with(i, from);
        if (known && (from != wanted || !isSame)) {
          lost.add(new LostRange(new TopicPartition(topic, i), wanted, from));
        }
      }
      return new ResumePlan(begin, List.copyOf(lost));
    }
  }

  /** Reads until the reader shares the newest records, or has ended. */
  void run(FeedRequest request) {
    var topic = feed.tail().topic();
    try (var reader = new TopicReader(client, List.of(topic), registry, feed::offer)) {
      begin(request, reader);
      var isFirst = true;
      while (!feed.isDone()) {
        var target = feed.tail().end();
        read(reader, target.offsets().next());
        if (isFirst && !feed.isDone()) {
          feed.offerCaughtUp();
          isFirst = false;
        }
        if (feed.share(target.place(), -1)) {
          return;
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("feed of {}: reading from an earlier offset failed; the reader is told to connect again", topic.name(),
          e);
      feed.end("reading failed: " + SafeText.escaped(String.valueOf(e.getMessage()), LONGEST_PROBLEM)
          + "; connect again with the last id");
    }
  }

  private void begin(FeedRequest request, TopicReader reader) {
    var topicId = feed.tail().end().offsets().topicId();
    var partitions = IntStream.range(0, feed.tail().end().offsets().next().size())
        .mapToObj(each -> new TopicPartition(feed.tail().topic().name(), each))
        .toList();
    var earliest = list(reader.offsets().earliest(partitions));
    if (request.lastEvent() != null) {
      var plan = ResumePlan.of(feed.tail().topic().name(), FeedOffsets.parse(request.lastEvent()), topicId, earliest,
          list(reader.offsets().latest(partitions)));
      feed.begin(plan.begin());
      plan.lost().forEach(feed::offer);
    } else {
      feed.begin(new FeedOffsets(topicId, switch (request.from()) {
        case StartPosition.At at -> list(reader.offsets().at(partitions, at.time()));
        case StartPosition.Beginning beginning -> earliest;
        case StartPosition.End end -> list(reader.offsets().latest(partitions));
      }));
    }
  }

  private static LongList list(Map<TopicPartition, Long> offsets) {
    var values = new long[offsets.size()];
    offsets.forEach((partition, offset) -> values[partition.partition()] = offset);
    return new LongList(values);
  }

  /** Reads up to these offsets, and no record beyond them. */
  private void read(TopicReader reader, LongList ends) {
    var begins = feed.offsets().next();
    var topic = feed.tail().topic().name();
    var wanted = IntStream.range(0, ends.size())
        .filter(each -> begins.get(each) < ends.get(each))
        .mapToObj(each -> new TopicPartition(topic, each))
        .collect(Collectors.toMap(each -> each, each -> ends.get(each.partition())));
    if (wanted.isEmpty()) {
      return;
    }
    reader.startOnly(wanted.keySet().stream()
        .collect(Collectors.toMap(each -> each, each -> begins.get(each.partition()))));
    reader.follow(
        record -> record.offset() >= requireNonNull(wanted.get(partition(record))) || offer(record),
        progress -> progress.remaining(wanted) > 0 && !feed.isDone());
    feed.reached(ends);
  }

  private boolean offer(CommittedRecord record) {
    if (record.unreadable() != null) {
      quarantine.add(record.unreadable());
    }
    return feed.offer(record);
  }

  private static TopicPartition partition(CommittedRecord record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
