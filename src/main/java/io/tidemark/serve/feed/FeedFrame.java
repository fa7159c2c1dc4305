package io.tidemark.serve.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.TopicReader.LostRange;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kind of an event and its data as JSON in UTF-8. The data is encoded once for all readers that get the event, and
 * counted as retained until its creator and all its readers have released it. Thread-safe.
 */
final class FeedFrame {

  private static final Logger LOG = LoggerFactory.getLogger(FeedFrame.class);
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Bytes of the objects around the data: this frame, its counter and the header of the array. */
  private static final long OVERHEAD = 80;

  /** Value of {@code partition} in an event that is of no single partition. */
  private static final int NO_PARTITION = -1;

  private final int partition;
  private final long next;
  private final FeedEvent kind;
  private final byte[] data;
  /** Offsets of all partitions that were reached before this event, or empty if the event does not say them. */
  private final long[] reached;
  private final FeedLimits limits;
  private final AtomicInteger holders = new AtomicInteger(1);

  /** Counts the bytes of the frame, so it must not be called by a thread that holds the lock of a feed. */
  private FeedFrame(int partition, long next, FeedEvent kind, String json, FeedLimits limits) {
    this(partition, next, new long[0], kind, json, limits);
    limits.reserve(size());
  }

  /** Leaves it to the caller to count the bytes of the frame. */
  private FeedFrame(int partition, long next, long[] reached, FeedEvent kind, String json, FeedLimits limits) {
    this.partition = partition;
    this.next = next;
    this.reached = reached;
    this.kind = kind;
    this.data = json.getBytes(UTF_8);
    this.limits = limits;
  }

  /**
   * Makes an event {@code record} with the JSON that {@code tail --format json} prints, or {@code unreadable} if the
   * record cannot be decoded. A record that cannot be written as JSON becomes a gap.
   */
  static FeedFrame record(CommittedRecord record, FeedLimits limits) {
    var next = record.offset() + 1;
    try {
      var event = record.unreadable() == null ? FeedEvent.RECORD : FeedEvent.UNREADABLE;
      return new FeedFrame(record.partition(), next, event, RecordJson.of(record).toString(), limits);
    } catch (RuntimeException e) {
      LOG.error("the record at {} cannot be written as JSON; readers of its topic get an event 'gap' instead",
          record.location(), e);
      return gap(new LostRange(new TopicPartition(record.topic(), record.partition()), record.offset(), next), limits);
    }
  }

  /**
   * Makes an event {@code gap} for offsets that are no longer readable. The field {@code records} of the event is
   * null if the log has become shorter.
   */
  static FeedFrame gap(LostRange lost, FeedLimits limits) {
    var json = JSON.objectNode()
        .put("topic", lost.partition().topic())
        .put("partition", lost.partition().partition())
        .put("from", lost.begin())
        .put("to", lost.end())
        .put("records", lost.end() < lost.begin() ? null : Long.valueOf(lost.end() - lost.begin()));
    return new FeedFrame(lost.partition().partition(), lost.end(), FeedEvent.GAP, json.toString(), limits);
  }

  /**
   * Makes an event {@code caught-up}. May be called by a thread that holds the lock of a feed, because it cuts off no
   * readers.
   *
   * @param reached offsets of all partitions up to which the topic was read
   */
  static FeedFrame caughtUp(String topic, long[] reached, FeedLimits limits) {
    var json = JSON.objectNode().put("topic", topic).toString();
    var frame = new FeedFrame(NO_PARTITION, 0, reached, FeedEvent.CAUGHT_UP, json, limits);
    limits.retain(frame.size());
    return frame;
  }

  /**
   * Sets the entry of this event's partition in the given offsets to the offset that follows the event. An event
   * {@code caught-up} sets all entries, also past records that did not pass a filter.
   */
  void advance(long[] offsets) {
    if (partition != NO_PARTITION) {
      offsets[partition] = next;
    }
    System.arraycopy(reached, 0, offsets, 0, reached.length);
  }

  /** Returns this event for one client. The data is shared with all readers. */
  Feed.Event withId(String id) {
    return new Feed.Event(id, kind, data);
  }

  /** Returns the number of bytes that this frame retains. */
  long size() {
    return data.length + (long) Long.BYTES * reached.length + OVERHEAD;
  }

  FeedFrame retain() {
    holders.incrementAndGet();
    return this;
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      limits.release(size());
    }
  }
}
