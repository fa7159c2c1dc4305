package io.tidemark.fault;

import io.tidemark.event.SourceState;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;

/** The calls that a source has reserved, read from the requests of its ledger to Kafka. */
final class ReservedCalls {

  private static final int HEADER = 5;
  private static final int ID = BuiltInRegistry.idOf(SourceState.getClassSchema());
  private static final AvroSerde<SourceState> SOURCES =
      new AvroSerde<>(SourceState.class, new BuiltInRegistry(List.of()));

  private long last = Long.MAX_VALUE;
  private boolean more;

  /** Returns whether the last request reserves more calls than those before it. */
  synchronized boolean isMore() {
    return more;
  }

  synchronized void receive(KafkaRequests.Request request) {
    more = false;
    if (request.isProduced()) {
      sources(request).forEach(source -> {
        more |= source.getBudget().getReserved() > last;
        last = source.getBudget().getReserved();
      });
    }
  }

  private static Stream<SourceState> sources(KafkaRequests.Request request) {
    return request.produced().topicData().stream()
        .flatMap(topic -> topic.partitionData().stream())
        .flatMap(partition -> records((MemoryRecords) partition.records()))
        .map(Record::value)
        .filter(value -> value != null && value.remaining() > HEADER && value.getInt(value.position() + 1) == ID)
        .map(ReservedCalls::source);
  }

  private static Stream<Record> records(MemoryRecords records) {
    return StreamSupport.stream(records.records().spliterator(), false);
  }

  private static SourceState source(ByteBuffer value) {
    var bytes = new byte[value.remaining()];
    value.duplicate().get(bytes);
    return SOURCES.decode("source.state", bytes);
  }
}
