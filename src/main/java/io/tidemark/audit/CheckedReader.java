package io.tidemark.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.Control;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.Topic;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** Reads partitions for the laws, and holds every record against those laws that hold wherever it lies. */
final class CheckedReader {

  private final ClusterReader log;
  private final AuditReport report;
  private final AuditProgress progress;
  private long done;
  private long total;

  CheckedReader(ClusterReader log, AuditReport report, AuditProgress progress) {
    this.log = log;
    this.report = report;
    this.progress = progress;
  }

  /** Tells beforehand what will be read. */
  void expect(Topic<?> topic) {
    partitions(topic).mapToObj(each -> log.range(topic, each)).forEach(range -> total += range.size());
  }

  IntStream partitions(Topic<?> topic) {
    return IntStream.range(0, log.partitions(topic.name()));
  }

  OffsetRange range(Topic<?> topic, int partition) {
    return log.range(topic, partition);
  }

  Stream<OffsetRange> ranges(Topic<?> topic) {
    return partitions(topic).mapToObj(each -> log.range(topic, each));
  }

  /** Reads what only the ledger writes. */
  void readLedgerTopic(OffsetRange range, Consumer<CommittedRecord> reader) {
    var clock = new PartitionChecks(log.partitions(range.topic()));
    read(range, row -> {
      clock.check(row);
      reader.accept(row);
    });
  }

  /** Reads what others write, too. */
  void read(OffsetRange range, Consumer<CommittedRecord> reader) {
    var before = done;
    log.read(range, row -> {
      report.read();
      if (row.unreadable() != null) {
        report.add(Law.VALUES, row.position(), "value", "an Avro record of a schema that is known", row.unreadable());
      } else {
        reader.accept(row);
      }
      at(before + row.offset() - range.begin());
    });
    at(before + range.size());
  }

  /** Reads what was read and judged before; what cannot be read is left out. */
  void readAgain(OffsetRange range, Consumer<CommittedRecord> reader) {
    log.read(range, row -> {
      if (row.unreadable() == null) {
        reader.accept(row);
      }
    });
  }

  /** The value of one record that was read before; null where it is gone meanwhile. */
  @Nullable
  SpecificRecord value(String topic, int partition, long offset) {
    var found = Stream.<SpecificRecord>builder();
    readAgain(new OffsetRange(topic, partition, offset, offset + 1), row -> {
      if (row.value() != null && row.offset() == offset) {
        found.add(row.value());
      }
    });
    return found.build().findFirst().orElse(null);
  }

  private void at(long now) {
    done = now;
    total = Math.max(total, done);
    progress.update(done, total);
  }

  /** The times and places of records in one partition. */
  private final class PartitionChecks {

    private final int partitions;
    private long newest = Long.MIN_VALUE;
    private long tick = Long.MIN_VALUE;

    PartitionChecks(int partitions) {
      this.partitions = partitions;
    }

    void check(CommittedRecord row) {
      if (row.timestamp() < newest) {
        report.add(Law.CLOCK, row.position(), "timestamp", "not before " + newest, row.timestamp());
      }
      newest = Math.max(newest, row.timestamp());
      if (row.value() instanceof Control control) {
        tick(row, control);
      }
      place(row);
    }

    private void tick(CommittedRecord row, Control control) {
      if (row.timestamp() == tick) {
        report.add(Law.TICKS, row.position(), "timestamp", "after the tick at " + tick, row.timestamp());
      }
      if (control.getAt().toEpochMilli() != row.timestamp()) {
        report.add(Law.TICKS, row.position(), "at", row.timestamp(), control.getAt().toEpochMilli());
      }
      tick = control.getKind().equals("tick") ? Math.max(tick, row.timestamp()) : tick;
    }

    private void place(CommittedRecord row) {
      if (row.key() != null) {
        var right = Utils.toPositive(Utils.murmur2(row.key().getBytes(UTF_8))) % partitions;
        if (right != row.partition()) {
          report.add(Law.PARTITIONS, row.position(), "partition", right, row.partition());
        }
      }
    }
  }
}
