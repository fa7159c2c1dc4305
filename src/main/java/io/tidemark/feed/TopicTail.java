package io.tidemark.feed;

import static java.util.Objects.requireNonNull;

import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicReader.LostRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest records of one topic in memory, in the order in which the shared consumer read them, each encoded once for
 * all readers. A reader is a place in it: a reader that is slower than the oldest record leaves is too slow.
 * Thread-safe.
 */
final class TopicTail {

  private static final Logger LOG = LoggerFactory.getLogger(TopicTail.class);

  static final int MOST_BYTES = 8 << 20;
  static final int MOST_ENTRIES = 1 << 14;

  private final Topic<?> topic;
  private final Entry[] ring = new Entry[MOST_ENTRIES];
  private final CompletableFuture<TopicTail> opened = new CompletableFuture<>();
  private @Nullable FeedOffsets begin;
  private @Nullable FeedOffsets end;
  private @Nullable LongList logEnd;
  private long first;
  private long next;
  private long bytes;
  private int readers;
  private long unusedSince = System.nanoTime();
  private volatile @Nullable String problem;

  /**
   * A record, or a gap.
   *
   * @param record null where it is a gap
   * @param id the offsets behind it, as they are in an id
   * @param event name and data
   * @param after how far the consumer had come with it
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Entry(@Nullable CommittedRecord record, int partition, byte[] id, byte[] event, FeedOffsets after) {

    int size() {
      return id.length + event.length;
    }
  }

  /** The place after the newest record, and the offsets that belong to it. */
  record TailEnd(long place, FeedOffsets offsets) {}

  TopicTail(Topic<?> topic) {
    this.topic = topic;
  }

  Topic<?> topic() {
    return topic;
  }

  /** Completes when all is read that was there when it opened. */
  CompletableFuture<TopicTail> opened() {
    return opened;
  }

  /** All is read that was there when it opened. */
  void complete() {
    opened.complete(this);
  }

  /** Where the log ended when it opened, by partition; empty where all of that is read. */
  synchronized Map<TopicPartition, Long> unread() {
    return opened.isDone() ? Map.of() : byPartition(requireNonNull(logEnd, "not open"));
  }

  /** @param latest where the log ends, as of now */
  synchronized void open(FeedOffsets offsets, LongList latest) {
    logEnd = latest;
    begin = offsets;
    end = offsets;
  }

  synchronized boolean isOpen() {
    return begin != null && problem == null;
  }

  /** Why all readers end here; null where they do not. */
  @Nullable
  String problem() {
    return problem;
  }

  void fail(RuntimeException cause) {
    problem = String.valueOf(cause.getMessage());
    opened.completeExceptionally(cause);
  }

  synchronized void addReader() {
    readers++;
  }

  synchronized void removeReader() {
    readers--;
    unusedSince = System.nanoTime();
  }

  synchronized int readers() {
    return readers;
  }

  synchronized boolean isUnusedFor(long nanos, long now) {
    return readers == 0 && now - unusedSince > nanos;
  }

  /** The offsets that the shared consumer reads next, by partition. */
  synchronized Map<TopicPartition, Long> positions() {
    return byPartition(end().offsets().next());
  }

  private Map<TopicPartition, Long> byPartition(LongList offsets) {
    var partitions = new HashMap<TopicPartition, Long>();
    IntStream.range(0, offsets.size())
        .forEach(each -> partitions.put(new TopicPartition(topic.name(), each), offsets.get(each)));
    return partitions;
  }

  synchronized TailEnd end() {
    return new TailEnd(next, requireNonNull(end, "not open"));
  }

  /**
   * The place of the oldest record; null where somebody who has come this far would miss an older one, or has come
   * further than the log is known to reach.
   */
  synchronized @Nullable Long placeFor(LongList offsets) {
    var oldest = requireNonNull(begin, "not open").next();
    return oldest.size() == offsets.size() && offsets.covers(oldest) && isWithinLog(offsets) ? first : null;
  }

  private boolean isWithinLog(LongList offsets) {
    var read = end().offsets().next();
    var known = requireNonNull(logEnd, "not open");
    return IntStream.range(0, read.size()).allMatch(i -> offsets.get(i) <= Math.max(read.get(i), known.get(i)));
  }

  synchronized boolean holds(long place) {
    return place >= first;
  }

  /** Records from a place on, as many as there are; null where the oldest of them is not held any more. */
  synchronized @Nullable List<Entry> read(long place, int most) {
    if (place < first) {
      return null;
    }
    var found = new ArrayList<Entry>();
    for (var each = place; each < next && found.size() < most; each++) {
      found.add(ring[(int) (each % MOST_ENTRIES)]);
    }
    return found;
  }

  /** Whether there are records from a place on, or none because the place is not held any more. */
  synchronized boolean hasMore(long place) {
    return place < next;
  }

  synchronized void append(CommittedRecord record) {
    var after = end().offsets().with(record.partition(), record.offset() + 1);
    add(new Entry(record, record.partition(), FeedFrame.offsets(after), event(record), after));
  }

  synchronized void append(LostRange lost) {
    var partition = lost.partition().partition();
    var after = end().offsets().with(partition, lost.end());
    add(new Entry(null, partition, FeedFrame.offsets(after), FeedFrame.gap(lost), after));
  }

  private byte[] event(CommittedRecord record) {
    try {
      return FeedFrame.record(record);
    } catch (RuntimeException e) {
      LOG.error("feed of {}: the record at {} cannot be written as JSON; its readers get a gap",
          topic.name(), record.location(), e);
      return FeedFrame.gap(new LostRange(new TopicPartition(record.topic(), record.partition()), record.offset(),
          record.offset() + 1));
    }
  }

  private void add(Entry entry) {
    while (next - first >= MOST_ENTRIES || (next > first && bytes + entry.size() > MOST_BYTES)) {
      var place = (int) (first % MOST_ENTRIES);
      bytes -= ring[place].size();
      begin = ring[place].after();
      first++;
    }
    ring[(int) (next % MOST_ENTRIES)] = entry;
    next++;
    bytes += entry.size();
    end = entry.after();
  }
}
