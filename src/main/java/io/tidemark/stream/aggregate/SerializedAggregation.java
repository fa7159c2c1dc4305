package io.tidemark.stream.aggregate;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A rollup whose members are bytes: as they lie in stores that rollups share. */
final class SerializedAggregation<M extends SpecificRecord> {

  /** Figures after a change, and the groups that they belong to. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record FoldedMember(byte @Nullable [] figures, List<String> groups, List<String> groupsBefore) {}

  private final Aggregation<M, ?> aggregation;
  private final AvroSerde<M> serde;

  SerializedAggregation(Aggregation<M, ?> rollup, SchemaRegistry registry) {
    this.aggregation = rollup;
    this.serde = new AvroSerde<>(rollup.memberType(), registry);
  }

  Aggregation<M, ?> aggregation() {
    return aggregation;
  }

  FoldedMember fold(byte @Nullable [] known, SpecificRecord change) {
    var before = known == null ? null : decode(known);
    var groupsBefore = before == null ? List.<String>of() : aggregation.groups(before);
    var after = aggregation.fold(before, change);
    return after == null
        ? new FoldedMember(null, List.of(), groupsBefore)
        : new FoldedMember(encode(after), aggregation.groups(after), groupsBefore);
  }

  List<String> groups(byte[] figures) {
    return aggregation.groups(decode(figures));
  }

  boolean isExpired(byte[] figures, Instant at) {
    return aggregation.isExpired(decode(figures), at);
  }

  byte[] withHistory(String group, byte @Nullable [] before, byte[] now, Instant at) {
    return encode(aggregation.withHistory(group, before == null ? null : decode(before), decode(now), at));
  }

  @Nullable
  SpecificRecord aggregate(String group, Stream<byte[]> members, Instant at) {
    return aggregation.aggregate(group, members.map(this::decode), at);
  }

  private byte[] encode(M figures) {
    return serde.encode(aggregation.name(), figures);
  }

  private M decode(byte[] figures) {
    return serde.decode(aggregation.name(), figures);
  }
}
