package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.PreviousTick;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Folds the changes of one partition into the figures of members, and sends those that changed in a minute to their
 * groups at its end. A tick is sent behind all updates that it covers.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class MemberProcessor implements Processor<String, SpecificRecord, String, GroupUpdate> {

  private final List<SerializedAggregation<?>> aggregations;
  private KeyValueStore<String, byte[]> members;
  private DueQueue<GroupUpdate> updates;
  private PreviousTick previousTick;
  private Instant sentUntil = Instant.EPOCH;
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
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    if (record.value() instanceof Control control) {
      control(control, record.timestamp());
    } else {
      var minute = Instant.ofEpochMilli(record.timestamp()).truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
      aggregations.stream()
          .filter(each -> each.aggregation().reads(record.value()))
          .forEach(each -> fold(each, record.key(), record.value(), minute));
    }
  }

  private void control(Control control, long timestamp) {
    if (control.getKind().equals("tick")) {
      var previous = previousTick.replaceWith(control.getAt());
      if (previous != null) {
        sendMinutes(previous.truncatedTo(ChronoUnit.MINUTES), timestamp);
        send(update(Control.newBuilder(control).setAt(previous).build()), timestamp);
      }
    } else if (context.taskId().partition() == 0) { // rules and silences are the same on every partition
      send(update(control), timestamp);
    }
  }

  private void fold(SerializedAggregation<?> aggregation, String member, SpecificRecord change, Instant minute) {
    var key = prefix(aggregation) + member;
    var before = members.get(key);
    var after = aggregation.fold(before, change);
    if (!Arrays.equals(before, after.figures())) {
      members.put(key, after.figures());
      after.groupsBefore().forEach(group -> enqueue(aggregation, group, member, null, minute));
      after.groups().forEach(group -> enqueue(aggregation, group, member, after.figures(), minute));
    }
  }

  /** The last update of a minute counts: a member that leaves a group and enters it again has never left it. */
  private void enqueue(
      SerializedAggregation<?> aggregation, String group, String member, byte @Nullable [] figures, Instant minute) {
    var update = GroupUpdate.newBuilder()
        .setAggregate(aggregation.name())
        .setGroup(group)
        .setMember(member)
        .setAt(minute)
        .setFigures(figures == null ? null : ByteBuffer.wrap(figures))
        .build();
    updates.put(minute, GroupProcessor.memberKey(update), update);
  }

  /** Sends the updates up to the end of a minute; after a restart, a minute sent twice changes nothing. */
  private void sendMinutes(Instant minute, long timestamp) {
    if (minute.isAfter(sentUntil)) {
      if (minute.equals(minute.truncatedTo(ChronoUnit.HOURS))) {
        aggregations.forEach(each -> removeExpired(each, minute));
      }
      updates.removeDue(minute).forEach(update -> send(update, timestamp));
      sentUntil = minute;
    }
  }

  private void removeExpired(SerializedAggregation<?> aggregation, Instant minute) {
    var expired = new HashMap<String, byte[]>();
    try (var all = members.prefixScan(prefix(aggregation), new StringSerializer())) {
      all.forEachRemaining(entry -> {
        if (aggregation.isExpired(entry.value, minute)) {
          expired.put(entry.key, entry.value);
        }
      });
    }
    expired.forEach((key, figures) -> {
      members.delete(key);
      var member = key.substring(prefix(aggregation).length());
      aggregation.groups(figures).forEach(group -> enqueue(aggregation, group, member, null, minute));
    });
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
