package io.tidemark.stream.aggregate;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.ChangeView;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.aggregate.Aggregation.RunningSummary;
import io.tidemark.stream.aggregate.Aggregation.Summary;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * An {@link Aggregation} whose members are passed as bytes, because all aggregations share the stores of members. It
 * also holds the running summaries of one task, which stay in memory.
 */
final class SerializedAggregation<M extends SpecificRecord> {

  private final Aggregation<M, ? extends SpecificRecord> aggregation;
  private final AvroSerde<M> serde;
  private final Map<String, RunningSummary<M, ? extends SpecificRecord>> running = new HashMap<>();

  private SerializedAggregation(Aggregation<M, ? extends SpecificRecord> aggregation, AvroSerde<M> serde) {
    this.aggregation = aggregation;
    this.serde = serde;
  }

  /**
   * A member after a change: its figures (null if it is no longer stored), the groups in which it counts now, the
   * groups in which it counted before, and the time from which it can be dropped (null if it never expires).
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record FoldedMember(
      byte @Nullable [] figures, List<String> groups, List<String> groupsBefore, @Nullable Instant expiresAt) {}

  static List<SerializedAggregation<?>> all(List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    return aggregations.stream()
        .<SerializedAggregation<?>>map(each -> of(each, registry))
        .toList();
  }

  private static <M extends SpecificRecord> SerializedAggregation<M> of(
      Aggregation<M, ? extends SpecificRecord> aggregation, SchemaRegistry registry) {
    return new SerializedAggregation<>(aggregation, new AvroSerde<>(aggregation.memberType(), registry));
  }

  Aggregation<M, ? extends SpecificRecord> aggregation() {
    return aggregation;
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

  /** Returns the time from which a member can be dropped, or null if the member, as it is now, never expires. */
  @Nullable
  Instant expiresAt(byte[] member) {
    return aggregation.expiresAt(decode(member));
  }

  /**
   * Replaces the figures of a member in the running summary of a group, if that summary is in memory.
   *
   * @param before the figures that the group stores; null if the resource was not a member of the group
   * @param now the new figures; null if the resource is no longer a member of the group
   * @return the figures that the group must now store; null if the resource is no longer a member of the group
   */
  byte @Nullable [] replace(
      String group, String key, byte @Nullable [] before, byte @Nullable [] now, Instant at) {
    var summary = running.get(group);
    if (summary == null && (now == null || !aggregation.keepsHistory())) {
      if (now != null) {
        decode(now); // fails for bytes that cannot be read, so that they are never stored
      }
      return now;
    }
    var known = before == null ? null : decode(before);
    var next = now == null ? null : aggregation.withHistory(group, known, decode(now), at);
    if (summary != null) {
      summary.replace(key, known, next, at);
    }
    return next == null || !aggregation.keepsHistory() ? now : encode(next);
  }

  /** Returns the running summary of a group if it is in memory, otherwise an empty summary. */
  GroupSummary summary(String group, Instant at) {
    return new GroupSummary(group, at);
  }

  /** A summary of one group as of one time. Its members are passed as bytes. */
  final class GroupSummary {

    private final String group;
    private final Instant at;
    private final Summary<M, ? extends SpecificRecord> summary;

    /** True if the summary was in memory, so that it contained all members from the start. */
    private final boolean isComplete;

    private GroupSummary(String group, Instant at) {
      var known = running.get(group);
      this.group = group;
      this.at = at;
      this.summary = known == null ? aggregation.summary(group, at) : known;
      this.isComplete = known != null;
    }

    boolean isComplete() {
      return isComplete;
    }

    void add(String key, byte[] member) {
      summary.add(key, decode(member), at);
    }

    /**
     * Updates up to {@code most} members whose contribution to the aggregate has changed with time alone. Returns the
     * number of updated members, which is below {@code most} if no such member is left.
     */
    int advance(int most, Function<String, byte @Nullable []> members) {
      if (!(summary instanceof RunningSummary<M, ? extends SpecificRecord> it)) {
        return 0;
      }
      var due = it.removeDue(at, most);
      for (var key : due) {
        var member = members.apply(key);
        if (member != null) {
          var figures = decode(member);
          it.replace(key, figures, figures, at);
        }
      }
      return due.size();
    }

    /**
     * Returns the aggregate, or null if there is none. Keeps the summary in memory if it is a {@link RunningSummary}.
     */
    @Nullable
    SpecificRecord aggregate(Function<String, byte @Nullable []> members) {
      if (summary instanceof RunningSummary<M, ? extends SpecificRecord> it) {
        running.put(group, it);
      }
      return summary.aggregate(at, key -> decode(requireNonNull(members.apply(key))));
    }

    /** Drops the running summary of the group. Called if the group has no members left. */
    void drop() {
      running.remove(group);
    }

    /** Returns the time from which the aggregate may change without an update of a member. */
    Instant changesAt() {
      return summary.changesAt();
    }
  }

  private byte[] encode(M member) {
    return serde.encode(name(), member);
  }

  private M decode(byte[] member) {
    return serde.decode(name(), member);
  }
}
