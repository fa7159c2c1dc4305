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
 * Knows the figures of the members of a partition, and sends what changed of them to their groups when a minute is
 * over; ticks follow what they cover.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class MemberProcessor implements Processor<String, SpecificRecord, String, GroupUpdate> {

  private final List<SerializedAggregation<?>> aggregations;
  private MemberStore members;
  private PreviousTick time;
  private Instant sentUntil = Instant.EPOCH;
  private ProcessorContext<String, GroupUpdate> context;

  MemberProcessor(List<SerializedAggregation<?>> rollups) {
    this.aggregations = rollups;
  }

  @Override
  public void init(ProcessorContext<String, GroupUpdate> context) {
    this.context = context;
    this.members = new MemberStore(
        context.getStateStore(MemberProcessorSupplier.MEMBERS), context.getStateStore(MemberProcessorSupplier.WAITING));
    this.time = new PreviousTick(context.getStateStore(MemberProcessorSupplier.TICK));
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
      var due = time.replaceWith(control.getAt());
      if (due != null) {
        sendMinute(due.truncatedTo(ChronoUnit.MINUTES), timestamp);
        send(controlUpdate(Control.newBuilder(control).setAt(due).build()), timestamp);
      }
    } else if (context.taskId().partition() == 0) { // every partition is told the same
      send(controlUpdate(control), timestamp);
    }
  }

  /** A minute that is told twice, after a restart, says nothing new. */
  private void sendMinute(Instant minute, long timestamp) {
    if (minute.isAfter(sentUntil)) {
      if (minute.equals(minute.truncatedTo(ChronoUnit.HOURS))) {
        aggregations.forEach(each -> members.removeExpired(each, minute));
      }
      members.removeDue(minute).forEach(sent -> send(sent, timestamp));
      sentUntil = minute;
    }
  }

  private GroupUpdate controlUpdate(Control control) {
    return GroupUpdate.newBuilder()
        .setControl(control)
        .setMember(control.getKind())
        .setAt(control.getAt())
        .setPartition(context.taskId().partition())
        .build();
  }

  private void send(GroupUpdate sent, long timestamp) {
    context.forward(new Record<>(sent.getGroup(), sent, timestamp));
  }
}
