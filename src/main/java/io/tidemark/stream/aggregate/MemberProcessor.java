package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.PendingTicks;
import io.tidemark.stream.tick.PreviousTick;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Folds the changes of one partition into the figures of members, and sends those that changed in a minute to their
 * groups at its end, in slices. A tick is sent behind all updates that it covers.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class MemberProcessor implements Processor<String, SpecificRecord, String, GroupUpdate> {

  private final List<SerializedAggregation<?>> aggregations;
  private KeyValueStore<String, byte[]> members;
  private DueQueue<GroupUpdate> updates;
  private PreviousTick previousTick;
  private PendingTicks pendingTicks;
  private ProcessorContext<String, GroupUpdate> context;

  MemberProcessor(List<SerializedAggregation<?>> aggregations) {
    this.aggregations = aggregations;
  }

  @Override
  public void init(ProcessorContext<String, GroupUpdate> context) {
    this.context = context;
    this.members = context.getStateStore(AggregateTopology.MEMBERS);
    this.updates = new DueQueue<>(context.getStateStore(AggregateTopology.WAITING));
    this.previousTick = new PreviousTick(context.getStateStore(AggregateTopology.TICK));
    this.pendingTicks = new PendingTicks(context.getStateStore(AggregateTopology.TICK));
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    if (record.value() instanceof Control control) {
      control(control, record.timestamp());
    } else {
      var minute = Instant.ofEpochMilli(record.timestamp()).truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
      for (var each : aggregations) {
        if (each.aggregation().reads(record.value())) {
          fold(each, record.key(), record.value(), minute);
        }
      }
      send(PendingTicks.SLICE_OF_A_RECORD, record.timestamp());
    }
  }

  private void control(Control control, long timestamp) {
    if (control.getKind().equals("tick")) {
      var previous = previousTick.replaceWith(control.getAt());
      if (previous != null) {
        pendingTicks.add(previous, control.getPartitions());
      }
      send(PendingTicks.SLICE_OF_A_TICK, timestamp);
    } else if (context.taskId().partition() == 0) { // rules and silences are the same on every partition
      send(update(control), timestamp);
    }
  }

  /** Sends the next updates that are due by a tick, and the tick behind them. */
  private void send(int most, long timestamp) {
    var left = most;
    for (var tick = pendingTicks.first(); tick != null && left > 0; tick = pendingTicks.first()) {
      var due = updates.removeDue(tick.at().truncatedTo(ChronoUnit.MINUTES), left);
      left -= due.size();
      due.forEach(each -> sendOrDrop(each.value(), timestamp));
      if (left > 0) {
        var control = Control.newBuilder().setKind("tick").setAt(tick.at()).setPartitions((int) tick.value()).build();
        send(update(control), timestamp);
        pendingTicks.removeFirst();
      }
    }
    pendingTicks.save();
  }

  private void fold(SerializedAggregation<?> aggregation, String member, SpecificRecord change, Instant minute) {
    var key = prefix(aggregation) + member;
    var before = members.get(key);
    var after = aggregation.fold(before, change);
    if (!Arrays.equals(before, after.figures())) {
      members.put(key, after.figures());
      after.groupsBefore().stream()
          .filter(group -> !after.groups().contains(group))
          .forEach(group -> enqueue(aggregation, group, member, null, minute));
      after.groups().forEach(group -> enqueue(aggregation, group, member, after.figures(), minute));
      if (after.expiresAt() != null) {
        enqueueExpiry(aggregation, member, after.expiresAt());
      }
    }
  }

  /** The last update of a minute counts: a member that leaves a group and enters it again has never left it. */
  private void enqueue(
      SerializedAggregation<?> aggregation, String group, String member, byte @Nullable [] figures, Instant minute) {
    var update = new GroupUpdate(aggregation.name(), group, member, minute,
        figures == null ? null : ByteBuffer.wrap(figures), null, 0, false, false);
    updates.put(minute, GroupProcessor.memberKey(update), update);
  }

  /** The member is examined in the hour in which it expires; it may have changed by then. */
  private void enqueueExpiry(SerializedAggregation<?> aggregation, String member, Instant expiresAt) {
    var hour = expiresAt.plusMillis(3_599_999).truncatedTo(ChronoUnit.HOURS);
    var update = GroupUpdate.newBuilder()
        .setAggregate(aggregation.name())
        .setMember(member)
        .setAt(hour)
        .setExpiry(true)
        .build();
    if (updates.get(hour, GroupProcessor.memberKey(update)) == null) {
      updates.put(hour, GroupProcessor.memberKey(update), update);
    }
  }

  private void sendOrDrop(GroupUpdate update, long timestamp) {
    if (update.getExpiry()) {
      aggregations.stream()
          .filter(each -> each.name().equals(update.getAggregate()))
          .forEach(each -> dropExpired(each, update.getMember(), update.getAt()));
    } else {
      send(update, timestamp);
    }
  }

  private void dropExpired(SerializedAggregation<?> aggregation, String member, Instant hour) {
    var key = prefix(aggregation) + member;
    var figures = members.get(key);
    var expiresAt = figures == null ? null : aggregation.expiresAt(figures);
    if (figures != null && expiresAt != null && !expiresAt.isAfter(hour)) {
      members.delete(key);
      aggregation.groups(figures).forEach(group -> enqueue(aggregation, group, member, null, hour));
    }
  }

  private GroupUpdate update(Control control) {
    return GroupUpdate.newBuilder()
        .setControl(control)
        .setMember(control.getKind())
        .setAt(control.getAt())
        .setPartition(context.taskId().partition())
        .build();
  }

  private void send(GroupUpdate update, long timestamp) {
    context.forward(new Record<>(update.getGroup(), update, timestamp));
  }

  private static String prefix(SerializedAggregation<?> aggregation) {
    return aggregation.name() + "/";
  }
}
