package io.tidemark.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.audit.Audit.AuditProgress;
import io.tidemark.event.Control;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Topic;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The reader with which all checkers read offset ranges. It reports progress, and checks the laws that hold for the
 * records of every topic that the ledger writes.
 */
final class CheckedReader {

  private final ClusterReader cluster;
  private final AuditReport report;
  private final AuditProgress progress;
  private long done;
  private long total;

  CheckedReader(ClusterReader cluster, AuditReport report, AuditProgress progress) {
    this.cluster = cluster;
    this.report = report;
    this.progress = progress;
  }

  /** Adds the size of a topic to the total that the progress reports. */
  void expect(Topic<?> topic) {
    ranges(topic).forEach(range -> total += range.size());
  }

  IntStream partitions(Topic<?> topic) {
    return IntStream.range(0, cluster.partitions(topic.name()));
  }

  @Nullable
  String topicId(String topic) {
    return cluster.topicId(topic);
  }

  OffsetRange range(Topic<?> topic, int partition) {
    return cluster.range(topic, partition);
  }

  Stream<OffsetRange> ranges(Topic<?> topic) {
    return partitions(topic).mapToObj(each -> cluster.range(topic, each));
  }

  /**
   * Reads a range of a topic that only the ledger writes. Also checks the sizes, timestamps, ticks and partitions of
   * the records.
   */
  void readLedgerTopic(OffsetRange range, Consumer<CommittedRecord> visitor) {
    read(range, new PartitionChecks(cluster.partitions(range.topic()), true), visitor);
  }

  /**
   * Reads a range of a topic that the ledger and the streams write. Does not check the order of timestamps, because
   * each producer sets them by itself.
   */
  void readSharedTopic(OffsetRange range) {
    read(range, new PartitionChecks(cluster.partitions(range.topic()), false), record -> {});
  }

  private void read(OffsetRange range, PartitionChecks checks, Consumer<CommittedRecord> visitor) {
    read(range, record -> {
      checks.check(record);
      visitor.accept(record);
    });
  }

  /** Visits the readable records of a range, and adds the unreadable ones to the report. */
  void read(OffsetRange range, Consumer<CommittedRecord> visitor) {
    var before = done;
    cluster.read(range, record -> {
      report.countRecord();
      if (record.unreadable() != null) {
        report.addUnreadable(record.unreadable());
      } else {
        visitor.accept(record);
      }
      updateProgress(before + record.offset() - range.begin());
    });
    updateProgress(before + range.size());
  }

  /**
   * Visits the readable records of a range without checking, counting or reporting anything, because another read of
   * the topic does so.
   */
  void readAgain(OffsetRange range, Consumer<CommittedRecord> visitor) {
    cluster.read(range, record -> {
      if (record.unreadable() == null) {
        visitor.accept(record);
      }
    });
  }

  /**
   * Returns the value of one record that was read before, or null if the record is a tombstone or has been deleted
   * meanwhile.
   */
  @Nullable
  SpecificRecord value(String topic, int partition, long offset) {
    var found = new AtomicReference<@Nullable SpecificRecord>();
    readAgain(new OffsetRange(topic, partition, offset, offset + 1), record -> {
      if (record.offset() == offset) {
        found.set(record.value());
      }
    });
    return found.get();
  }

  private void updateProgress(long now) {
    done = now;
    total = Math.max(total, done);
    progress.update(done, total);
  }

  /** A checker of the sizes, timestamps, ticks and partitions of the records in one partition. */
  private final class PartitionChecks {

    private final int partitions;
    private final boolean isOrdered;
    private long newest = Long.MIN_VALUE;
    private long tick = Long.MIN_VALUE;

    /** @param isOrdered true if no record may have a timestamp before the record in front of it */
    PartitionChecks(int partitions, boolean isOrdered) {
      this.partitions = partitions;
      this.isOrdered = isOrdered;
    }

    void check(CommittedRecord record) {
      if (record.size() > RecordLimits.RECORD) {
        report.add(ConsistencyLaw.SIZES, record.position(), "bytes", "at most " + RecordLimits.RECORD, record.size());
      }
      if (isOrdered && record.timestamp() < newest) {
        report.add(ConsistencyLaw.CLOCK, record.position(), "timestamp", "not before " + newest, record.timestamp());
      }
      newest = Math.max(newest, record.timestamp());
      if (record.value() instanceof Control control) {
        checkTick(record, control);
      }
      checkPartition(record);
    }

    private void checkTick(CommittedRecord record, Control control) {
      if (record.timestamp() == tick) {
        report.add(ConsistencyLaw.TICKS, record.position(), "timestamp", "after the tick at " + tick,
            record.timestamp());
      }
      if (control.getAt().toEpochMilli() != record.timestamp()) {
        report.add(ConsistencyLaw.TICKS, record.position(), "at", record.timestamp(), control.getAt().toEpochMilli());
      }
      tick = control.getKind().equals("tick") ? Math.max(tick, record.timestamp()) : tick;
    }

    private void checkPartition(CommittedRecord record) {
      if (record.key() != null) {
        var expected = Utils.toPositive(Utils.murmur2(record.key().getBytes(UTF_8))) % partitions;
        if (expected != record.partition()) {
          report.add(ConsistencyLaw.PARTITIONS, record.position(), "partition", expected, record.partition());
        }
      }
    }
  }
}
