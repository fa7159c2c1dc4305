package io.tidemark.stream.aggregate;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Streams;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.SlowestUpstreamTick;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the aggregates that changed, once a minute. It holds updates until the slowest upstream partition has sent
 * its tick, so that the result does not depend on which partition is ahead. A tick is forwarded behind all that it
 * covers.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class GroupProcessor implements Processor<String, GroupUpdate, String, SpecificRecord> {

  /** Separates group and member; it occurs in no key of a resource. */
  private static final char SEPARATOR = '\0';

  private final Map<String, SerializedAggregation<?>> aggregations;
  private DueQueue<GroupUpdate> held;
  private KeyValueStore<String, byte[]> members;
  private KeyValueStore<String, Long> activeUntil;
  private SlowestUpstreamTick slowestTick;
  private Instant publishedUntil = Instant.EPOCH;
  private ProcessorContext<String, SpecificRecord> context;

  GroupProcessor(List<SerializedAggregation<?>> aggregations) {
    this.aggregations = aggregations.stream()
        .collect(Collectors.toMap(SerializedAggregation::name, Function.identity()));
  }

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.held = new DueQueue<>(context.getStateStore(AggregateTopology.HELD));
    this.members = context.getStateStore(AggregateTopology.GROUPS);
    this.activeUntil = context.getStateStore(AggregateTopology.ACTIVE);
    this.slowestTick = new SlowestUpstreamTick(context.getStateStore(AggregateTopology.TICKS));
  }

  /** A group of an aggregate. */
  private record GroupKey(String aggregate, String name) {

    static GroupKey of(GroupUpdate update) {
      return new GroupKey(update.getAggregate(), update.getGroup());
    }

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
    return GroupKey.of(update).toString() + SEPARATOR + update.getMember();
  }

  @Override
  public void process(Record<String, GroupUpdate> record) {
    var update = record.value();
    var control = update.getControl();
    if (control == null || !control.getKind().equals("tick")) {
      held.put(update.getAt(), memberKey(update), update);
    } else {
      var now = slowestTick.advance(update.getPartition(), control.getPartitions(), control.getAt());
      if (now != null) {
        held.removeDue(now).forEach(due -> apply(due, now));
        publish(now.truncatedTo(ChronoUnit.MINUTES), now);
        forward("", Control.newBuilder(control).setAt(now).build(), now);
      }
    }
  }

  /** Replaces the figures of a member, or removes it. */
  private void apply(GroupUpdate update, Instant now) {
    if (update.getControl() != null) {
      forward("", update.getControl(), now);
      return;
    }
    var key = memberKey(update);
    var aggregation = aggregations.get(update.getAggregate());
    var before = members.get(key);
    var figures = update.getFigures() == null ? null : AvroRecords.bytes(update.getFigures());
    if (aggregation != null && (before != null || figures != null)) {
      members.put(
          key, figures == null ? null : aggregation.withHistory(update.getGroup(), before, figures, update.getAt()));
      var until = update.getAt().plus(aggregation.aggregation().recomputedFor());
      activeUntil.put(GroupKey.of(update).toString(), until.toEpochMilli());
    }
  }

  /** Publishes what changed up to the end of a minute; after a restart, a minute published twice changes nothing. */
  private void publish(Instant minute, Instant now) {
    if (minute.isAfter(publishedUntil)) {
      activeGroups(minute).forEach(group -> publish(group, minute, now));
      publishedUntil = minute;
    }
  }

  /** The groups whose aggregates may have changed by a minute; those that time alone no longer changes are dropped. */
  private List<GroupKey> activeGroups(Instant minute) {
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

  /** The tombstone of a group without members goes to its own topic only. */
  private void publish(GroupKey group, Instant minute, Instant now) {
    KeyValueStore<String, SpecificRecord> newest = context.getStateStore(group.aggregate());
    var aggregation = requireNonNull(aggregations.get(group.aggregate()));
    var aggregate = aggregate(aggregation, group, minute);
    if (aggregate == null) {
      if (newest.delete(group.name()) != null && !aggregation.aggregation().outlivesMembers()) {
        context.forward(new Record<>(group.name(), null, now.toEpochMilli()), group.aggregate());
      }
    } else if (isChanged(aggregate, newest.get(group.name()))) {
      setTime(aggregate, minute);
      newest.put(group.name(), aggregate);
      forward(group.name(), aggregate, now);
    }
  }

  /** The aggregate of a group; null where it has no members. */
  private @Nullable SpecificRecord aggregate(SerializedAggregation<?> aggregation, GroupKey group, Instant minute) {
    try (var entries = members.prefixScan(group.toString() + SEPARATOR, new StringSerializer())) {
      var figures = Streams.stream(entries).map(entry -> entry.value);
      return entries.hasNext() ? aggregation.aggregate(group.name(), figures, minute) : null;
    }
  }

  /** Whether it differs from the newest one in more than its time. */
  private static boolean isChanged(SpecificRecord aggregate, @Nullable SpecificRecord newest) {
    if (newest != null) {
      setTime(aggregate, (Instant) newest.get(timePosition(newest)));
    }
    return !aggregate.equals(newest);
  }

  private static void setTime(SpecificRecord aggregate, Instant at) {
    aggregate.put(timePosition(aggregate), at);
  }

  private static int timePosition(SpecificRecord aggregate) {
    return aggregate.getSchema().getField("at").pos();
  }

  /** The tick of a time covers what is stamped with that time. */
  private void forward(String key, SpecificRecord value, Instant now) {
    context.forward(new Record<>(key, value, now.toEpochMilli()));
  }
}
