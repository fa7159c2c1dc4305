package io.tidemark.stream.aggregate;

import io.tidemark.event.ChangeView;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** An aggregation over members in bytes, as they are in the stores that all aggregations share. */
record SerializedAggregation<M extends SpecificRecord>(Aggregation<M, ?> aggregation, AvroSerde<M> serde) {

  /** Figures after a change, the groups that they count in now, and those that they counted in before. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record FoldedMember(byte @Nullable [] figures, List<String> groups, List<String> groupsBefore) {}

  static List<SerializedAggregation<?>> all(List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    return aggregations.stream()
        .<SerializedAggregation<?>>map(each -> of(each, registry))
        .toList();
  }

  private static <M extends SpecificRecord> SerializedAggregation<M> of(
      Aggregation<M, ?> aggregation, SchemaRegistry registry) {
    return new SerializedAggregation<>(aggregation, new AvroSerde<>(aggregation.memberType(), registry));
  }

  String name() {
    return aggregation.name();
  }

  FoldedMember fold(byte @Nullable [] known, SpecificRecord change) {
    var before = known == null ? null : decode(known);
    var groupsBefore = before == null ? List.<String>of() : aggregation.groups(before);
    var isDropped = ChangeView.of(change).removed(change) != null && !aggregation.keepsRemoved();
    var after = isDropped ? null : aggregation.fold(before, change);
    return after == null
        ? new FoldedMember(null, List.of(), groupsBefore)
        : new FoldedMember(encode(after), aggregation.groups(after), groupsBefore);
  }

  List<String> groups(byte[] member) {
    return aggregation.groups(decode(member));
  }

  boolean isExpired(byte[] member, Instant at) {
    return aggregation.isExpired(decode(member), at);
  }

  byte[] withHistory(String group, byte @Nullable [] before, byte[] now, Instant at) {
    return encode(aggregation.withHistory(group, before == null ? null : decode(before), decode(now), at));
  }

  SpecificRecord aggregate(String group, Stream<byte[]> members, Instant at) {
    return aggregation.aggregate(group, members.map(this::decode), at);
  }

  private byte[] encode(M member) {
    return serde.encode(name(), member);
  }

  private M decode(byte[] member) {
    return serde.decode(name(), member);
  }
}
