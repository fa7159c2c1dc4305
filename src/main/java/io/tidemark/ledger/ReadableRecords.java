package io.tidemark.ledger;

import io.tidemark.topic.RecordDecoder;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topics;
import io.tidemark.topic.UnreadableRecord;
import io.tidemark.topic.UnreadableRecordException;
import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;

/**
 * Separates the records of a restore from those that the ledger did not write and cannot use. A skipped record counts for
 * nothing: the state before it stands. Where compaction removed that one, the resource is observed anew.
 */
final class ReadableRecords {

  private final Map<String, RecordDecoder<?>> decoders = new HashMap<>();
  private final List<UnreadableRecord> unreadable = new ArrayList<>();

  ReadableRecords(Topics topics, SchemaRegistry registry) {
    StateTopics.of(topics).forEach(topic -> decoders.put(topic.name(), topic.decoder(registry)));
  }

  /** Those that can be used, in their order. */
  List<ConsumerRecord<byte[], byte[]>> of(ConsumerRecords<byte[], byte[]> records) {
    var readable = new ArrayList<ConsumerRecord<byte[], byte[]>>(records.count());
    for (var partition : records.partitions()) {
      var decoder = Objects.requireNonNull(decoders.get(partition.topic()));
      for (var record : records.records(partition)) {
        try {
          check(record, decoder);
          readable.add(record);
        } catch (UnreadableRecordException e) {
          unreadable.add(UnreadableRecord.of(record, e));
        }
      }
    }
    return readable;
  }

  /** The others, for the dead letters. */
  List<UnreadableRecord> unreadable() {
    return unreadable;
  }

  private static void check(ConsumerRecord<byte[], byte[]> record, RecordDecoder<?> decoder) {
    decoder.key(record.key());
    if (record.value() != null) {
      decoder.value(record.value());
    } else if (record.headers().lastHeader(TransactionBuffer.LedgerRecords.REASON) == null) {
      throw new UnreadableRecordException(UnreadableReason.MISSING_VALUE,
          "topic %s: a tombstone without the reason that the ledger gives".formatted(record.topic()), null);
    }
  }
}
