package io.tidemark.stream.rollup;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A rollup whose members are bytes: as they lie in stores that rollups share. */
final class Figures<M extends SpecificRecord> {

  /** Figures after a change, and the groups that they belong to. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record Folded(byte @Nullable [] figures, List<String> groups, List<String> groupsBefore) {}

  private final Rollup<M, ?> rollup;
  private final AvroSerde<M> serde;

  Figures(Rollup<M, ?> rollup, Registry registry) {
    this.rollup = rollup;
    this.serde = new AvroSerde<>(rollup.members(), registry);
  }

  Rollup<M, ?> rollup() {
    return rollup;
  }

  Folded fold(byte @Nullable [] known, SpecificRecord change) {
    var before = known == null ? null : decode(known);
    var groupsBefore = before == null ? List.<String>of() : rollup.groups(before);
    var after = rollup.fold(before, change);
    return after == null
        ? new Folded(null, List.of(), groupsBefore)
        : new Folded(encode(after), rollup.groups(after), groupsBefore);
  }

  List<String> groups(byte[] figures) {
    return rollup.groups(decode(figures));
  }

  boolean isOver(byte[] figures, Instant at) {
    return rollup.isOver(decode(figures), at);
  }

  byte[] joined(String group, byte @Nullable [] before, byte[] now, Instant at) {
    return encode(rollup.joined(group, before == null ? null : decode(before), decode(now), at));
  }

  @Nullable
  SpecificRecord of(String group, Stream<byte[]> members, Instant at) {
    return rollup.of(group, members.map(this::decode), at);
  }

  private byte[] encode(M figures) {
    return serde.encode(rollup.name(), figures);
  }

  private M decode(byte[] figures) {
    return serde.decode(rollup.name(), figures);
  }
}
