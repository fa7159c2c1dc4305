package io.tidemark.stream;

import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.TopicReader;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;

/**
 * A finder of the offsets that follow the last committed records of partitions. Transaction markers have offsets and
 * timestamps too, but are not records. So a stream application that has read all records may not reach the offset
 * after the markers.
 */
record RecordedOffsets(TopicReader reader) {

  /** Number of offsets, counted back from the end of a partition, that are searched first for the last record. */
  private static final long FIRST_STRETCH = 16;

  /**
   * Returns, for each partition, the offset after the last record before the first record with a timestamp at or after
   * a time. Omits a partition without a record between its begin offset and that first record.
   */
  Map<TopicPartition, Long> endsBefore(Map<TopicPartition, Long> begins, Instant time) {
    var ends = reader.offsets().latest(begins.keySet());
    var found = reader.offsets().at(begins.keySet(), time);
    ends.replaceAll((partition, end) -> firstSince(time, partition, found.getOrDefault(partition, end), end));
    return behindLastRecords(begins, ends);
  }

  /**
   * Returns, for each partition, the offset after the last record. Omits partitions without a record at or after their
   * begin offset.
   */
  Map<TopicPartition, Long> ends(Map<TopicPartition, Long> begins) {
    return behindLastRecords(begins, reader.offsets().latest(begins.keySet()));
  }

  private Map<TopicPartition, Long> behindLastRecords(
      Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends) {
    var behind = new HashMap<TopicPartition, Long>();
    begins.forEach((partition, begin) -> {
      var offset = behindLastRecord(partition, begin, ends.getOrDefault(partition, begin));
      if (offset > begin) {
        behind.put(partition, offset);
      }
    });
    return behind;
  }

  /**
   * Returns the offset of the first record from {@code begin} with a timestamp at or after a time, or {@code end} if
   * there is no such record.
   */
  private long firstSince(Instant time, TopicPartition partition, long begin, long end) {
    var first = new AtomicLong(end);
    reader.readUntil(range(partition, begin, end), record -> {
      var isFound = record.timestamp() >= time.toEpochMilli();
      if (isFound) {
        first.set(record.offset());
      }
      return isFound;
    });
    return first.get();
  }

  /**
   * Returns the offset after the last record, or {@code begin} if there is no record. Searches backwards from the end,
   * in stretches of growing length.
   */
  private long behindLastRecord(TopicPartition partition, long begin, long end) {
    var behind = new AtomicLong(begin);
    var from = end;
    for (var stretch = FIRST_STRETCH; from > begin && behind.get() == begin; stretch *= 8) {
      from = Math.max(begin, end - stretch);
      reader.read(range(partition, from, end), record -> behind.set(record.offset() + 1));
    }
    return behind.get();
  }

  private static OffsetRange range(TopicPartition partition, long begin, long end) {
    return new OffsetRange(partition.topic(), partition.partition(), begin, end);
  }
}
