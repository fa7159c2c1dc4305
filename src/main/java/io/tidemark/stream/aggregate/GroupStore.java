package io.tidemark.stream.aggregate;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Streams;
import io.tidemark.event.GroupUpdate;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The members of groups, the groups whose aggregates may have changed, and the newest aggregate of each group. */
final class GroupStore {

  /** Separates group and member; it occurs in no key of a resource. */
  private static final char SEPARATOR = '\0';

  private final Map<String, SerializedAggregation<?>> aggregations;
  private final KeyValueStore<String, byte[]> members;
  private final KeyValueStore<String, Long> activeUntil;
  private final ProcessorContext<?, ?> context;

  GroupStore(List<SerializedAggregation<?>> aggregations, ProcessorContext<?, ?> context) {
    this.aggregations = aggregations.stream()
        .collect(Collectors.toMap(SerializedAggregation::name, Function.identity()));
    this.members = context.getStateStore(AggregateTopology.GROUPS);
    this.activeUntil = context.getStateStore(AggregateTopology.ACTIVE);
    this.context = context;
  }

  /** A group of an aggregate. */
  record GroupKey(String aggregate, String name) {

    static GroupKey parse(String text) {
      var slash = text.indexOf('/');
      return new GroupKey(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public String toString() {
      return aggregate + "/" + name;
    }
  }

  static String memberKey(GroupUpdate update) {
    return group(update).toString() + SEPARATOR + update.getMember();
  }

  /** Replaces the figures of a member, or removes it. */
  void apply(GroupUpdate update) {
    var key = memberKey(update);
    var aggregation = aggregations.get(update.getAggregate());
    var before = members.get(key);
    if (aggregation == null || (before == null && update.getFigures() == null)) {
      return;
    }
    members.put(
        key,
        update.getFigures() == null
            ? null
            : aggregation.withHistory(update.getGroup(), before, bytes(update.getFigures()), update.getAt()));
    var until = update.getAt().plus(aggregation.aggregation().recomputedFor()).toEpochMilli();
    activeUntil.put(group(update).toString(), until);
  }

  /** The groups whose aggregates may have changed by a minute; those that time alone no longer changes are dropped. */
  List<GroupKey> active(Instant minute) {
    var all = new ArrayList<KeyValue<String, Long>>();
    try (var entries = activeUntil.all()) {
      entries.forEachRemaining(all::add);
    }
    all.stream().filter(each -> each.value <= minute.toEpochMilli()).forEach(each -> activeUntil.delete(each.key));
    return all.stream()
        .map(each -> GroupKey.parse(each.key))
        .filter(group -> aggregations.containsKey(group.aggregate()))
        .toList();
  }

  /** The aggregate of a group; null where it has no members. */
  @Nullable
  SpecificRecord aggregate(GroupKey group, Instant minute) {
    try (var entries = members.prefixScan(group.toString() + SEPARATOR, new StringSerializer())) {
      var figures = Streams.stream(entries).map(entry -> entry.value);
      return entries.hasNext() ? aggregation(group).aggregate(group.name(), figures, minute) : null;
    }
  }

  boolean outlivesMembers(GroupKey group) {
    return aggregation(group).aggregation().outlivesMembers();
  }

  private SerializedAggregation<?> aggregation(GroupKey group) {
    return requireNonNull(aggregations.get(group.aggregate()));
  }

  /** Sets the time of an aggregate and stores it; false where it differs from the newest one in its time only. */
  boolean replaceIfChanged(GroupKey group, SpecificRecord aggregate, Instant minute) {
    var newest = newest(group).get(group.name());
    setTime(aggregate, newest == null ? minute : (Instant) newest.get(timePosition(newest)));
    if (aggregate.equals(newest)) {
      return false;
    }
    setTime(aggregate, minute);
    newest(group).put(group.name(), aggregate);
    return true;
  }

  /** Removes the newest aggregate of a group; false where there is none. */
  boolean remove(GroupKey group) {
    return newest(group).delete(group.name()) != null;
  }

  private KeyValueStore<String, SpecificRecord> newest(GroupKey group) {
    return context.getStateStore(group.aggregate());
  }

  private static GroupKey group(GroupUpdate update) {
    return new GroupKey(update.getAggregate(), update.getGroup());
  }

  private static void setTime(SpecificRecord aggregate, Instant at) {
    aggregate.put(timePosition(aggregate), at);
  }

  private static int timePosition(SpecificRecord aggregate) {
    return aggregate.getSchema().getField("at").pos();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
