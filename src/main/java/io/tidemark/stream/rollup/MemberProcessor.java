package io.tidemark.stream.rollup;

import io.tidemark.event.Control;
import io.tidemark.event.Sent;
import io.tidemark.stream.tick.TickBehind;
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
final class MemberProcessor implements Processor<String, SpecificRecord, String, Sent> {

  private final List<Figures<?>> rollups;
  private Members members;
  private TickBehind time;
  private Instant told = Instant.EPOCH;
  private ProcessorContext<String, Sent> context;

  MemberProcessor(List<Figures<?>> rollups) {
    this.rollups = rollups;
  }

  @Override
  public void init(ProcessorContext<String, Sent> context) {
    this.context = context;
    this.members = new Members(
        context.getStateStore(MemberSupplier.MEMBERS), context.getStateStore(MemberSupplier.WAITING));
    this.time = new TickBehind(context.getStateStore(MemberSupplier.TICK));
  }

  @Override
  public void process(Record<String, SpecificRecord> record) {
    if (record.value() instanceof Control control) {
      control(control, record.timestamp());
    } else {
      var minute = Instant.ofEpochMilli(record.timestamp()).truncatedTo(ChronoUnit.MINUTES).plusSeconds(60);
      rollups.stream()
          .filter(each -> each.rollup().reads(record.value()))
          .forEach(each -> members.fold(each, record.key(), record.value(), minute));
    }
  }

  private void control(Control control, long timestamp) {
    if (control.getKind().equals("tick")) {
      var due = time.due(control.getAt());
      if (due != null) {
        tell(due.truncatedTo(ChronoUnit.MINUTES), timestamp);
        send(word(Control.newBuilder(control).setAt(due).build()), timestamp);
      }
    } else if (context.taskId().partition() == 0) { // every partition is told the same
      send(word(control), timestamp);
    }
  }

  /** A minute that is told twice, after a restart, says nothing new. */
  private void tell(Instant minute, long timestamp) {
    if (minute.isAfter(told)) {
      if (minute.equals(minute.truncatedTo(ChronoUnit.HOURS))) {
        rollups.forEach(each -> members.forget(each, minute));
      }
      members.take(minute).forEach(sent -> send(sent, timestamp));
      told = minute;
    }
  }

  private Sent word(Control control) {
    return Sent.newBuilder()
        .setControl(control)
        .setMember(control.getKind())
        .setAt(control.getAt())
        .setPartition(context.taskId().partition())
        .build();
  }

  private void send(Sent sent, long timestamp) {
    context.forward(new Record<>(sent.getGroup(), sent, timestamp));
  }
}
