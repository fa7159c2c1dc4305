package io.tidemark.stream.aggregate;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.aggregate.SerializedAggregation.FoldedMember;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.PendingTicks;
import io.tidemark.stream.tick.ResourceStore;
import io.tidemark.stream.tick.TaskOutput;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The members of all aggregates: the resources from which the aggregates are computed. This class folds the changes of
 * one partition into the figures of the members. At the end of each minute, it sends the figures that changed in that
 * minute to the groups of the members, in slices of bounded size. It sends a tick after all updates that the tick
 * covers.
 */
public final class Members {

  static final String WAITING = "aggregates-due";
  static final String TICK = "aggregates-tick";

  /** Separator of an aggregate's name and a member's key. It occurs in no name of an aggregate. */
  private static final char SEPARATOR = '/';

  private static final byte[] PRESENT = {1};

  private final List<SerializedAggregation<?>> aggregations;

  /** The figures of each member. The store has one section for each aggregate, with the aggregate's name. */
  private final ResourceStore members;

  private final WaitingUpdates updates;

  /** Members to check for expiry, by the time of the check. Only the names of the entries matter, not the values. */
  private final DueQueue<byte[]> expiries;
  private final PendingTicks pendingTicks;
  private final AlertUpdates alerts;
  private final int partition;
  private final TaskOutput<GroupUpdate> output;

  public Members(
      List<Aggregation<?, ?>> aggregations,
      ResourceStore resources,
      SchemaRegistry registry,
      ProcessingContext context,
      TaskOutput<GroupUpdate> output) {
    this.aggregations = SerializedAggregation.all(aggregations, registry);
    this.output = output;
    this.partition = context.taskId().partition();
    this.members = resources;
    this.alerts = new AlertUpdates(registry);
    this.updates = new WaitingUpdates(context.getStateStore(WAITING), registry);
    this.expiries = new DueQueue<>(context.getStateStore(WAITING));
    this.pendingTicks = new PendingTicks(context.getStateStore(TICK));
  }

  /** Returns the stores that this class needs in addition to the store of the resources. */
  public static Set<StoreBuilder<?>> stores() {
    return Set.of(
        onDisk(WAITING, Serdes.ByteArray()).withCachingEnabled(),
        inMemory(TICK, Serdes.Long()));
  }

  /** Processes a record of the event log. */
  public void process(Record<String, SpecificRecord> record) {
    if (record.value() instanceof Control control) {
      control(control, record.timestamp());
    } else {
      fold(record);
      send(PendingTicks.SLICE_OF_A_RECORD, record.timestamp());
    }
    updates.save();
  }

  /**
   * Sends an alert to its group. The alert counts as later than each tick that was sent before it, even if its
   * timestamp is older.
   */
  public void send(Record<String, Alert> alert) {
    var timestamp = Instant.ofEpochMilli(alert.timestamp());
    var newest = pendingTicks.newest();
    var update = alerts.update(alert, newest != null && newest.isAfter(timestamp) ? newest : timestamp);
    send(update, alert.timestamp());
  }

  private void control(Control control, long timestamp) {
    if (control.getKind().equals("tick")) {
      var previous = pendingTicks.previous(control.getAt());
      if (previous != null) {
        pendingTicks.add(previous, control.getPartitions());
      }
      send(PendingTicks.SLICE_OF_A_TICK, timestamp);
    } else if (partition == 0) { // every partition reads the same control records, so only partition 0 sends them
      send(update(control), timestamp);
    }
  }

  /** Sends the next updates that the waiting ticks cover. Sends each tick after all updates that the tick covers. */
  private void send(int most, long timestamp) {
    var left = most;
    for (var tick = pendingTicks.first(); tick != null && left > 0; tick = pendingTicks.first()) {
      left -= sendDue(tick.at().truncatedTo(ChronoUnit.MINUTES), left, timestamp);
      if (left > 0) {
        var control = Control.newBuilder().setKind("tick").setAt(tick.at()).setPartitions((int) tick.value()).build();
        send(update(control), timestamp);
        pendingTicks.removeFirst();
      }
    }
    pendingTicks.save();
  }

  /**
   * Sends updates, drops expired members and removes sent blocks that are due by the given minute, at most {@code most}
   * in total. Returns their number, which is below {@code most} if nothing else is due.
   */
  private int sendDue(Instant minute, int most, long timestamp) {
    var due = updates.removeDue(minute, most);
    due.forEach(update -> send(update, timestamp));
    var expired = expiries.removeDue(minute, most - due.size());
    expired.forEach(each -> dropExpired(each.name(), each.at()));
    var count = due.size() + expired.size();
    return count + updates.removeSentBlocks(most - count);
  }

  /**
   * Folds a record into the member's figures of all aggregates that are derived from the record. If folding fails for
   * one aggregate, the figures of no aggregate change.
   */
  private void fold(Record<String, SpecificRecord> record) {
    var reading = aggregations.stream().filter(each -> each.aggregation().reads(record.value())).toList();
    if (reading.isEmpty()) {
      return;
    }
    var changed = new LinkedHashMap<SerializedAggregation<?>, FoldedMember>();
    for (var each : reading) {
      var before = members.get(record.key(), each.name());
      var after = each.fold(before, record.value());
      if (!Arrays.equals(before, after.figures())) {
        changed.put(each, after);
      }
    }
    if (!changed.isEmpty()) {
      changed.forEach((each, after) -> members.put(record.key(), each.name(), after.figures()));
      var minute = Instant.ofEpochMilli(record.timestamp()).truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
      changed.forEach((each, after) -> enqueue(each, record.key(), after, minute));
    }
  }

  private void enqueue(SerializedAggregation<?> aggregation, String member, FoldedMember after, Instant minute) {
    after.groupsBefore().stream()
        .filter(group -> !after.groups().contains(group))
        .forEach(group -> enqueue(aggregation, group, member, null, minute));
    after.groups().forEach(group -> enqueue(aggregation, group, member, after.figures(), minute));
    if (after.expiresAt() != null) {
      enqueueExpiry(aggregation, member, after.expiresAt());
    }
  }

  /**
   * Enqueues an update for the end of a minute. If a minute has several updates of the same member and group, only the
   * last one counts. So a member that leaves a group and enters it again in one minute counts as never having left it.
   */
  private void enqueue(
      SerializedAggregation<?> aggregation, String group, String member, byte @Nullable [] figures, Instant minute) {
    updates.put(new GroupUpdate(aggregation.name(), group, member, minute,
        figures == null ? null : ByteBuffer.wrap(figures), null, 0));
  }

  /**
   * Enqueues a check of a member at the first full hour that is not before its expiry. The check drops the member
   * only if no later change has cancelled the expiry or moved it beyond that hour.
   */
  private void enqueueExpiry(SerializedAggregation<?> aggregation, String member, Instant expiresAt) {
    var hour = expiresAt.plusMillis(3_599_999).truncatedTo(ChronoUnit.HOURS);
    var name = aggregation.name() + SEPARATOR + member;
    if (expiries.get(hour, name) == null) {
      expiries.put(hour, name, PRESENT);
    }
  }

  private void dropExpired(String name, Instant hour) {
    var separator = name.indexOf(SEPARATOR);
    aggregations.stream()
        .filter(each -> each.name().equals(name.substring(0, separator)))
        .forEach(each -> dropExpired(each, name.substring(separator + 1), hour));
  }

  private void dropExpired(SerializedAggregation<?> aggregation, String member, Instant hour) {
    var figures = members.get(member, aggregation.name());
    var expiresAt = figures == null ? null : aggregation.expiresAt(figures);
    if (figures != null && expiresAt != null && !expiresAt.isAfter(hour)) {
      members.put(member, aggregation.name(), null);
      // counts in the next minute, since the tick of the hour may have been sent already
      var minute = hour.plusSeconds(60);
      aggregation.groups(figures).forEach(group -> enqueue(aggregation, group, member, null, minute));
    }
  }

  private GroupUpdate update(Control control) {
    return GroupUpdate.newBuilder()
        .setControl(control)
        .setMember(control.getKind())
        .setAt(control.getAt())
        .setPartition(partition)
        .build();
  }

  private void send(GroupUpdate update, long timestamp) {
    output.forward(update.getAggregate(), new Record<>(update.getGroup(), update, timestamp));
  }
}
