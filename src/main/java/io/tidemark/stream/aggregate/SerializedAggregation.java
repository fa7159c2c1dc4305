package io.tidemark.stream.aggregate;

import io.tidemark.event.ChangeView;
import io.tidemark.stream.aggregate.Aggregation.Summary;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** An aggregation over members in bytes, as they are in the stores that all aggregations share. */
record SerializedAggregation<M extends SpecificRecord>(Aggregation<M, ?> aggregation, AvroSerde<M> serde) {

  /** Figures after a change, the groups that they count in now and counted in before, and when they can be dropped. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record FoldedMember(
      byte @Nullable [] figures, List<String> groups, List<String> groupsBefore, @Nullable Instant expiresAt) {}

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
        ? new FoldedMember(null, List.of(), groupsBefore, null)
        : new FoldedMember(encode(after), aggregation.groups(after), groupsBefore, aggregation.expiresAt(after));
  }

  List<String> groups(byte[] member) {
    return aggregation.groups(decode(member));
  }

  /** From when on a member can be dropped; null where it cannot. */
  @Nullable
  Instant expiresAt(byte[] member) {
    return aggregation.expiresAt(decode(member));
  }

  byte[] withHistory(String group, byte @Nullable [] before, byte[] now, Instant at) {
    return encode(aggregation.withHistory(group, before == null ? null : decode(before), decode(now), at));
  }

  /** The aggregate of a group, to which members are added in bytes. */
  Summary<byte[], SpecificRecord> summary(String group, Instant at) {
    var summary = aggregation.summary(group, at);
    return new Summary<>() {
      @Override
      public void add(byte[] member) {
        summary.add(decode(member));
      }

      @Override
      public SpecificRecord aggregate() {
        return summary.aggregate();
      }
    };
  }

  private byte[] encode(M member) {
    return serde.encode(name(), member);
  }

  private M decode(byte[] member) {
    return serde.decode(name(), member);
  }
}
