package io.tidemark.judge;

import static java.util.Comparator.comparingLong;

import io.tidemark.judge.Event.Content;
import io.tidemark.judge.Event.End;
import io.tidemark.judge.Event.Place;
import io.tidemark.judge.Event.Transaction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/**
 * The log files of a broker. They hold what consumers are not shown: the records of aborted transactions, and which
 * transaction each record belongs to.
 */
public final class BrokerLog {

  private static final String SCHEMAS = "tidemark-schemas-0";

  private final Path folder;

  /** @param folder with a folder for each partition */
  public BrokerLog(Path folder) {
    this.folder = folder;
  }

  /** Returns the records of all topics that begin with a prefix, those of each partition in their order. */
  List<Event> events(String prefix) throws IOException {
    var parser = new RecordParser(prefix);
    batches(folder.resolve(SCHEMAS), batch -> batch.forEach(each -> {
      if (!batch.isControlBatch() && each.hasValue()) {
        parser.learn(each.value());
      }
    }));
    var events = new ArrayList<Event>();
    for (Path partition : partitions(prefix)) {
      events.addAll(new Partition(parser, partitionOf(partition)).read(partition));
    }
    return events;
  }

  /** Returns the checksum of each batch of all topics that begin with a prefix, by the last offset of the batch. */
  Map<Place, Long> checksums(String prefix) throws IOException {
    var checksums = new HashMap<Place, Long>();
    for (Path partition : partitions(prefix)) {
      batches(partition, batch -> checksums.put(new Place(partitionOf(partition), batch.lastOffset()),
          ((long) batch.producerEpoch() << Integer.SIZE) ^ batch.checksum()));
    }
    return checksums;
  }

  private List<Path> partitions(String prefix) throws IOException {
    try (var all = Files.list(folder)) {
      return all.filter(each -> each.getFileName().toString().startsWith(prefix)).sorted().toList();
    }
  }

  private static TopicPartition partitionOf(Path partition) {
    var name = partition.getFileName().toString();
    var dash = name.lastIndexOf('-');
    return new TopicPartition(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1)));
  }

  private static void batches(Path partition, Consumer<RecordBatch> reader) throws IOException {
    try (var segments = Files.list(partition)) {
      for (Path segment : segments.filter(each -> each.toString().endsWith(".log")).sorted().toList()) {
        try (var records = FileRecords.open(segment.toFile(), false)) {
          records.batches().forEach(reader);
        }
      }
    }
  }

  /** Returns a checksum of what a reader is given of a record. */
  static long checksum(long timestamp, @Nullable ByteBuffer key, @Nullable ByteBuffer value) {
    var checksum = new CRC32C();
    checksum.update(ByteBuffer.allocate(Long.BYTES).putLong(0, timestamp));
    if (key != null) {
      checksum.update(key.duplicate());
    }
    if (value != null) {
      checksum.update(value.duplicate());
    }
    return checksum.getValue();
  }

  /** The records of one partition; the end of a transaction is only known from the marker after its records. */
  private static final class Partition {
    private final RecordParser parser;
    private final TopicPartition partition;
    private final List<Event> events = new ArrayList<>();
    private final Map<Long, TreeMap<Long, Function<Transaction, Event>>> open = new HashMap<>();

    Partition(RecordParser parser, TopicPartition partition) {
      this.parser = parser;
      this.partition = partition;
    }

    List<Event> read(Path folder) throws IOException {
      var epochs = new HashMap<Long, Integer>();
      batches(folder, batch -> {
        if (batch.isControlBatch()) {
          batch.forEach(marker -> end(batch, marker));
        } else {
          epochs.put(batch.producerId(), (int) batch.producerEpoch());
          batch.forEach(record -> add(batch, record));
        }
      });
      new ArrayList<>(open.keySet())
          .forEach(producer -> end(new Transaction(producer, epochs.getOrDefault(producer, 0) + 1, End.OPEN)));
      events.sort(comparingLong(each -> each.place().offset()));
      return events;
    }

    private void add(RecordBatch batch, Record record) {
      var place = new Place(partition, record.offset());
      var key = record.hasKey() ? StandardCharsets.UTF_8.decode(record.key()).toString() : null;
      var value = record.hasValue() ? record.value() : null;
      var checksum = checksum(record.timestamp(), record.hasKey() ? record.key() : null, value);
      var timestamp = record.timestamp();
      Content content = parser.parse(partition.topic(), value, record.headers());
      Function<Transaction, Event> event = end -> new Event(place, timestamp, key, checksum, end, content);
      if (batch.isTransactional()) {
        open.computeIfAbsent(batch.producerId(), any -> new TreeMap<>()).put(place.offset(), event);
      } else {
        events.add(event.apply(new Transaction(RecordBatch.NO_PRODUCER_ID, 0, End.COMMITTED)));
      }
    }

    private void end(RecordBatch batch, Record marker) {
      var type = marker.key().getShort(Short.BYTES);
      if (type <= 1) {
        end(new Transaction(batch.producerId(), batch.producerEpoch(), type == 1 ? End.COMMITTED : End.ABORTED));
      }
    }

    private void end(Transaction transaction) {
      var records = open.remove(transaction.producer());
      if (records != null) {
        records.values().forEach(event -> events.add(event.apply(transaction)));
      }
    }
  }
}
