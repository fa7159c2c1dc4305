package io.tidemark.stream.aggregate;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;
import static java.util.Objects.requireNonNull;
import static java.util.Objects.requireNonNullElse;

import io.tidemark.event.Alert;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.RecordHeader;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.PendingTicks;
import io.tidemark.stream.tick.TaskOutput;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The groups of all aggregates. Once a minute, this class publishes the aggregates that changed, in slices of bounded
 * size. It holds updates of later minutes until the slowest upstream partition has sent a tick that covers them, so
 * that the result does not depend on which upstream partition is ahead. It forwards a tick after all records that the
 * tick covers.
 */
public final class Groups {

  static final String HELD = "aggregates-held";
  static final String GROUPS = "aggregates-by-group";
  static final String ACTIVE = "aggregates-awake";
  static final String PENDING = "aggregates-pending";

  private static final String PUBLISHED = "published";

  /** Separator of a group's name and a member's key. It occurs in no key of a resource. */
  private static final char SEPARATOR = '\0';

  private final Map<String, SerializedAggregation<?>> aggregations;
  private final AlertUpdates alerts;
  private final DueQueue<GroupUpdate> held;
  private final KeyValueStore<String, byte[]> members;
  private final KeyValueStore<String, Long> activeUntil;
  private final PendingTicks pendingTicks;
  private final ProcessingContext context;
  private final TaskOutput<SpecificRecord> output;
  private final KeyValueStore<String, Long> minutes;

  /**
   * The newest minute whose aggregates are all published. Updates up to the end of the minute after it need not be
   * held, unless a tick waits. It is stored, because updates of the minute after it are applied before that minute is
   * published: no aggregate may be published for an earlier minute after a restart.
   */
  private Instant publishedUntil;
  private String publishedGroup = "";
  private @Nullable GroupInTheMaking inTheMaking;

  /** Upper bound of the times of all held updates. */
  private Instant heldUntil;

  /**
   * The time until which the aggregate of each group may change without another update, in milliseconds since 1970,
   * as last stored in {@link #activeUntil}. Lacks the groups without updates since this instance started.
   */
  private final Map<GroupKey, Long> newestActiveUntil = new HashMap<>();

  /**
   * The time from which the aggregate of a group may change without an update. Contains only groups whose aggregate
   * was computed since this instance started and since their last update. Any other group in {@link #activeUntil} is
   * computed in the next minute.
   */
  private final Map<GroupKey, Instant> changesAt = new HashMap<>();

  /** @param output receives aggregates, tombstones of groups that have no aggregate any more, alerts and control records */
  public Groups(
      List<Aggregation<?, ?>> aggregations,
      SchemaRegistry registry,
      ProcessingContext context,
      TaskOutput<SpecificRecord> output) {
    this.aggregations = SerializedAggregation.all(aggregations, registry).stream()
        .collect(Collectors.toMap(SerializedAggregation::name, Function.identity()));
    this.alerts = new AlertUpdates(registry);
    this.context = context;
    this.output = output;
    this.held = new DueQueue<>(context.getStateStore(HELD));
    this.members = context.getStateStore(GROUPS);
    this.activeUntil = context.getStateStore(ACTIVE);
    this.minutes = context.getStateStore(PENDING);
    this.pendingTicks = new PendingTicks(minutes);
    this.publishedUntil = Instant.ofEpochMilli(requireNonNullElse(minutes.get(PUBLISHED), 0L));
    this.heldUntil = held.isEmpty() ? Instant.EPOCH : Instant.MAX;
  }

  /**
   * Returns the stores that this class needs. For each aggregation, a store with the aggregation's name holds the
   * newest aggregate of each group.
   */
  public static Set<StoreBuilder<?>> stores(List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    var stores = new HashSet<StoreBuilder<?>>();
    stores.add(onDisk(HELD, new AvroSerde<>(GroupUpdate.class, registry)));
    stores.add(onDisk(GROUPS, Serdes.ByteArray()));
    stores.add(onDisk(ACTIVE, Serdes.Long()));
    stores.add(inMemory(PENDING, Serdes.Long()));
    aggregations.forEach(each -> stores.add(inMemory(each.name(), new AvroSerde<>(each.aggregateType(), registry))));
    return stores;
  }

  /** Returns the types of the members' figures, and the types of the aggregates. */
  public static Stream<Class<?>> types(List<Aggregation<?, ?>> aggregations) {
    return aggregations.stream().flatMap(each -> Stream.of(each.memberType(), each.aggregateType()));
  }

  /**
   * Returns the partitions to which an update is sent. All control records are sent to all partitions. The result is
   * empty for an update of figures, which is sent to the partition of its key, the group.
   */
  public static Optional<Set<Integer>> partitions(GroupUpdate update, int partitions) {
    return update.getControl() == null
        ? Optional.empty()
        : Optional.of(IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet()));
  }

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

  /** A group whose aggregate is being computed, and the last member that was read for this computation. */
  private static final class GroupInTheMaking {

    private final GroupKey group;
    private final SerializedAggregation<?>.GroupSummary summary;
    private boolean areAllAdded;
    private @Nullable String last;

    GroupInTheMaking(GroupKey group, SerializedAggregation<?>.GroupSummary summary) {
      this.group = group;
      this.summary = summary;
      this.areAllAdded = summary.isComplete();
    }

    private String prefix() {
      return group.toString() + SEPARATOR;
    }
  }

  /** Processes an update of a member, or a control record of an upstream partition. */
  public void process(Record<String, GroupUpdate> record) {
    var update = record.value();
    var control = update.getControl();
    if (control == null && !AlertUpdates.isAlert(update) && pendingTicks.first() == null
        && !update.getAt().isAfter(publishedUntil.plus(1, ChronoUnit.MINUTES))
        && !isHeld(update)) { // if an update of this member and minute is held, the new update must replace it there
      apply(update);
    } else if (control == null || !control.getKind().equals("tick")) {
      hold(update);
      publish(PendingTicks.SLICE_OF_A_RECORD);
    } else {
      var slowest = pendingTicks.slowest(update.getPartition(), control.getPartitions(), control.getAt());
      if (slowest != null) {
        pendingTicks.add(slowest, control.getPartitions());
        publish(PendingTicks.SLICE_OF_A_TICK);
      }
    }
  }

  /** Returns whether the last aggregate of a group stays published after the group's tombstone. */
  public boolean outlivesMembers(String aggregate) {
    return requireNonNull(aggregations.get(aggregate), aggregate).aggregation().outlivesMembers();
  }

  /**
   * Holds the alert of a rule on an aggregate until the next tick. The alert's group must be the group of that
   * aggregate, since only this group is certain to be in this partition.
   */
  public void hold(Record<String, Alert> alert) {
    hold(alerts.update(alert, Instant.ofEpochMilli(alert.timestamp() + 1)));
  }

  private void hold(GroupUpdate update) {
    held.put(update.getAt(), memberKey(update), update);
    heldUntil = update.getAt().isAfter(heldUntil) ? update.getAt() : heldUntil;
  }

  private boolean isHeld(GroupUpdate update) {
    return !update.getAt().isAfter(heldUntil) && held.get(update.getAt(), memberKey(update)) != null;
  }

  /**
   * Applies held updates and publishes groups that the waiting ticks cover, up to {@code most} steps. Forwards each
   * tick after all steps that the tick covers.
   */
  private void publish(int most) {
    var left = most;
    for (var tick = pendingTicks.first(); tick != null && left > 0; tick = pendingTicks.first()) {
      var now = tick.at();
      var due = held.removeDue(now, left);
      due.forEach(each -> applyHeld(each.value(), now));
      left -= due.size();
      if (left > 0) {
        left = publishGroups(now.truncatedTo(ChronoUnit.MINUTES), now, left);
      }
      if (left > 0) {
        forward(TaskOutput.CONTROL, "",
            Control.newBuilder().setKind("tick").setAt(now).setPartitions((int) tick.value()).build(), now);
        pendingTicks.removeFirst();
      }
    }
    pendingTicks.save();
  }

  private void applyHeld(GroupUpdate update, Instant now) {
    if (AlertUpdates.isAlert(update)) {
      var alert = alerts.alert(update);
      output.forward(TaskOutput.GROUPED_ALERTS, alert.withValue(alert.value()));
    } else if (update.getControl() == null) {
      apply(update);
    } else {
      forward(TaskOutput.CONTROL, "", update.getControl(), now);
    }
  }

  /** Replaces the figures of a member, or removes the member. */
  private void apply(GroupUpdate update) {
    var key = memberKey(update);
    var aggregation = aggregations.get(update.getAggregate());
    var before = members.get(key);
    var figures = update.getFigures() == null ? null : AvroRecords.bytes(update.getFigures());
    if (aggregation != null && (before != null || figures != null)) {
      members.put(
          key, aggregation.replace(update.getGroup(), update.getMember(), before, figures, update.getAt()));
      var group = GroupKey.of(update);
      changesAt.remove(group);
      if (inTheMaking != null && inTheMaking.group.equals(group) && !inTheMaking.summary.isComplete()) {
        inTheMaking = null; // the member may have been read before this update, so the group is read again
      }
      long until = update.getAt().plus(aggregation.aggregation().recomputedFor()).toEpochMilli();
      if (!Long.valueOf(until).equals(newestActiveUntil.put(group, until))) {
        activeUntil.put(group.toString(), until);
      }
    }
  }

  /**
   * Publishes the next of the groups whose aggregates may have changed by the end of a minute, in at most {@code
   * most} steps. Returns the number of steps that are left, or 0 if groups of the minute are left. After a restart,
   * the groups of a minute that is not completely published are visited again, but a group that was already published
   * has not changed, so it is not published twice.
   */
  private int publishGroups(Instant minute, Instant now, int most) {
    var left = most;
    while (left > 0 && minute.isAfter(publishedUntil)) {
      if (inTheMaking == null) {
        inTheMaking = nextActive(minute);
        left--;
      }
      if (inTheMaking == null) {
        publishedUntil = minute;
        minutes.put(PUBLISHED, minute.toEpochMilli());
        publishedGroup = "";
      } else if (left > 0) {
        left -= read(inTheMaking, left);
        if (left > 0) { // the group has no more members to read
          publish(inTheMaking, minute, now);
          publishedGroup = inTheMaking.group.toString();
          inTheMaking = null;
        }
      }
    }
    return minute.isAfter(publishedUntil) ? 0 : left;
  }

  /**
   * Returns the next group whose aggregate may have changed by the end of a minute, or null if no such group is left.
   */
  private @Nullable GroupInTheMaking nextActive(Instant minute) {
    try (var groups = activeUntil.range(publishedGroup + SEPARATOR, null)) {
      while (groups.hasNext()) {
        var entry = groups.next();
        var group = GroupKey.parse(entry.key);
        var aggregation = aggregations.get(group.aggregate());
        var isOver = entry.value <= minute.toEpochMilli();
        if (aggregation != null && (isOver || !changesAt.getOrDefault(group, Instant.MIN).isAfter(minute))) {
          return new GroupInTheMaking(group, aggregation.summary(group.name(), minute));
        }
      }
      return null;
    }
  }

  /**
   * Reads the next members that are needed for the aggregate of a group. Returns the number of members read, which is
   * below {@code most} if no other member is left to read.
   */
  private int read(GroupInTheMaking group, int most) {
    var count = group.areAllAdded ? 0 : addMembers(group, most);
    if (count < most) {
      group.areAllAdded = true;
      count += group.summary.advance(most - count, member(group));
    }
    return count;
  }

  private int addMembers(GroupInTheMaking group, int most) {
    var first = group.last == null ? group.prefix() : group.last + SEPARATOR;
    var count = 0;
    try (var entries = members.range(first, group.group.toString() + (char) (SEPARATOR + 1))) {
      for (; count < most && entries.hasNext(); count++) {
        var entry = entries.next();
        group.summary.add(entry.key.substring(group.prefix().length()), entry.value);
        group.last = entry.key;
      }
    }
    return count;
  }

  private Function<String, byte @Nullable []> member(GroupInTheMaking group) {
    return key -> members.get(group.prefix() + key);
  }

  private boolean hasMembers(GroupInTheMaking group) {
    if (group.last != null) {
      return true;
    }
    try (var entries = members.range(group.prefix(), group.group.toString() + (char) (SEPARATOR + 1))) {
      return entries.hasNext();
    }
  }

  /**
   * Publishes the aggregate of a group if it changed. If the group has no members or no aggregate, drops the stored
   * aggregate, and forwards a tombstone if there was one.
   */
  private void publish(GroupInTheMaking made, Instant minute, Instant now) {
    var group = made.group;
    KeyValueStore<String, SpecificRecord> newest = context.getStateStore(group.aggregate());
    var hasMembers = hasMembers(made);
    var aggregate = hasMembers ? made.summary.aggregate(member(made)) : null;
    if (hasMembers) {
      changesAt.put(group, made.summary.changesAt());
    } else {
      made.summary.drop();
    }
    var before = newest.get(group.name());
    if (aggregate == null && before != null) {
      newest.delete(group.name());
      output.forward(group.aggregate(), new Record<>(group.name(), null, now.toEpochMilli(), headers(before)));
    } else if (aggregate != null && isChanged(aggregate, before)) {
      setTime(aggregate, minute);
      newest.put(group.name(), aggregate);
      forward(group.aggregate(), group.name(), aggregate, now);
    }
    var until = activeUntil.get(group.toString());
    if (until != null && (until <= minute.toEpochMilli() || !hasMembers)) {
      activeUntil.delete(group.toString());
      newestActiveUntil.remove(group);
      changesAt.remove(group);
    }
  }

  /** Returns the headers for the tombstone of a deleted aggregate. */
  private static Headers headers(SpecificRecord deleted) {
    var headers = new RecordHeaders();
    var network = AvroRecords.at(deleted, "network");
    if (network != null) {
      headers.add(RecordHeader.NETWORK.wire(), network.toString().getBytes(StandardCharsets.UTF_8));
    }
    return headers;
  }

  /**
   * Returns whether an aggregate differs from the newest published aggregate in more than its time. Sets the time of
   * {@code aggregate} to that of {@code newest}.
   */
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

  /** Forwards a record with the timestamp of the tick that covers it. */
  private void forward(String topic, String key, SpecificRecord value, Instant now) {
    output.forward(topic, new Record<>(key, value, now.toEpochMilli()));
  }
}
