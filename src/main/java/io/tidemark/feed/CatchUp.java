package io.tidemark.feed;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.SafeText;
import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.feed.FeedRequest.TopicRequest;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicReader;
import io.tidemark.topic.TopicReader.LostRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads topics for one client with a consumer of its own, one after the other, each from where the client begins to the
 * newest records that all share.
 */
final class CatchUp {

  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
  private static final int LONGEST_PROBLEM = 200;

  private final MergedFeed feed;
  private final Quarantine quarantine;
  private final SchemaRegistry registry;
  private final Map<String, Object> client;

  CatchUp(MergedFeed feed, Quarantine quarantine, SchemaRegistry registry, Map<String, Object> client) {
    this.feed = feed;
    this.quarantine = quarantine;
    this.registry = registry;
    this.client = client;
  }

  /**
   * A reader that begins before the newest records.
   *
   * @param last where it goes on; null where it begins as it asks for
   */
  record LateReader(FeedReader reader, TopicRequest request, @Nullable FeedOffsets last) {

    Topic<?> topic() {
      return reader.tail().topic();
    }
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

  /** Reads until all readers share the newest records, or have ended. */
  void run(List<LateReader> late) {
    var byTopic = late.stream().collect(Collectors.toMap(each -> each.topic().name(), LateReader::reader));
    var topics = late.stream().<Topic<?>>map(LateReader::topic).toList();
    try (var reader = new TopicReader(client, topics, registry,
        lost -> requireNonNull(byTopic.get(lost.partition().topic())).offer(lost))) {
      late.forEach(each -> begin(each, reader));
      late.forEach(each -> catchUp(each.reader(), reader));
    } catch (RuntimeException e) {
      if (!feed.isDone()) {
        LOG.warn("feed of {}: reading from an earlier offset failed; the client has to connect again", feed, e);
        feed.end("reading failed: " + SafeText.escaped(String.valueOf(e.getMessage()), LONGEST_PROBLEM)
            + "; connect again with the last id");
      }
    }
  }

  private static void begin(LateReader late, TopicReader reader) {
    var feed = late.reader();
    if (feed.isDone()) {
      return;
    }
    var now = feed.tail().end().offsets();
    var partitions = IntStream.range(0, now.next().size())
        .mapToObj(each -> new TopicPartition(late.topic().name(), each))
        .toList();
    var earliest = list(reader.offsets().earliest(partitions));
    if (late.last() != null) {
      var plan = ResumePlan.of(late.topic().name(), late.last(), now.topicId(), earliest,
          list(reader.offsets().latest(partitions)));
      feed.begin(plan.begin());
      plan.lost().forEach(feed::offer);
    } else {
      feed.begin(new FeedOffsets(now.topicId(), switch (late.request().from()) {
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

  private void catchUp(FeedReader feed, TopicReader reader) {
    var isFirst = true;
    while (!feed.isDone()) {
      var target = feed.tail().end();
      read(feed, reader, target.offsets().next());
      if (isFirst && !feed.isDone()) {
        feed.offerCaughtUp();
        isFirst = false;
      }
      if (feed.share(target.place(), -1)) {
        return;
      }
    }
  }

  /** Reads up to these offsets, and no record beyond them. */
  private void read(FeedReader feed, TopicReader reader, LongList ends) {
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
        record -> record.offset() >= requireNonNull(wanted.get(partition(record))) || offer(feed, record),
        progress -> progress.remaining(wanted) > 0 && !feed.isDone());
    feed.reached(ends);
  }

  private boolean offer(FeedReader feed, CommittedRecord record) {
    if (record.unreadable() != null) {
      quarantine.addOnce(record.unreadable());
    }
    return feed.offer(record);
  }

  private static TopicPartition partition(CommittedRecord record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
