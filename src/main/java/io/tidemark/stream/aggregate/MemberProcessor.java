package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.tick.PreviousTick;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Folds the changes of one partition into the figures of members, and sends those that changed in a minute to their
 * groups at its end. A tick is sent behind all updates that it covers.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class MemberProcessor implements Processor<String, SpecificRecord, String, GroupUpdate> {

  private final List<SerializedAggregation<?>> aggregations;
  private MemberStore members;
  private PreviousTick previousTick;
  private Instant sentUntil = Instant.EPOCH;
  private ProcessorContext<String, GroupUpdate> context;

  MemberProcessor(List<SerializedAggregation<?>> aggregations) {
    this.aggregations = aggregations;
  }

  @Override
  public void init(ProcessorContext<String, GroupUpdate> context) {
    this.context = context;
    this.members = new MemberStore(
        context.getStateStore(AggregateTopology.MEMBERS), context.getStateStore(AggregateTopology.WAITING));
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
          .forEach(each -> members.fold(each, record.key(), record.value(), minute));
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

  /** Sends the updates up to the end of a minute; after a restart, a minute sent twice changes nothing. */
  private void sendMinutes(Instant minute, long timestamp) {
    if (minute.isAfter(sentUntil)) {
      if (minute.equals(minute.truncatedTo(ChronoUnit.HOURS))) {
        aggregations.forEach(each -> members.removeExpired(each, minute));
      }
      members.removeDue(minute).forEach(update -> send(update, timestamp));
      sentUntil = minute;
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
}
