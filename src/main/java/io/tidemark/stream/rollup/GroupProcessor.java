package io.tidemark.stream.rollup;

import io.tidemark.event.Control;
import io.tidemark.event.Sent;
import io.tidemark.stream.rollup.Groups.Group;
import io.tidemark.stream.tick.Agenda;
import io.tidemark.stream.tick.SlowestTick;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Holds back what partitions send until the slowest of them is as far, and says once a minute what has changed of the
 * groups; ticks follow what they cover. So it does not matter which partition is ahead.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class GroupProcessor implements Processor<String, Sent, String, SpecificRecord> {

  private final Map<String, Figures<?>> rollups;
  private Agenda<Sent> held;
  private Groups groups;
  private Told told;
  private SlowestTick time;
  private Instant until = Instant.EPOCH;
  private ProcessorContext<String, SpecificRecord> context;

  GroupProcessor(Map<String, Figures<?>> rollups) {
    this.rollups = rollups;
  }

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.held = new Agenda<>(context.getStateStore(GroupSupplier.HELD));
    this.groups = new Groups(
        rollups, context.getStateStore(GroupSupplier.GROUPS), context.getStateStore(GroupSupplier.AWAKE));
    this.told = new Told(context);
    this.time = new SlowestTick(context.getStateStore(GroupSupplier.TICKS));
  }

  @Override
  public void process(Record<String, Sent> record) {
    var sent = record.value();
    var control = sent.getControl();
    if (control == null || !control.getKind().equals("tick")) {
      held.put(sent.getAt(), Groups.key(sent), sent);
    } else {
      var now = time.advance(sent.getPartition(), control.getPartitions(), control.getAt());
      if (now != null) {
        held.take(now).forEach(each -> apply(each, now));
        tell(now.truncatedTo(ChronoUnit.MINUTES), now);
        forward("", Control.newBuilder(control).setAt(now).build(), now);
      }
    }
  }

  /** A minute that is told twice, after a restart, says nothing new. */
  private void tell(Instant minute, Instant now) {
    if (minute.isAfter(until)) {
      groups.awake(minute).forEach(group -> {
        var aggregate = groups.aggregate(group, minute);
        if (aggregate == null) {
          end(group, now);
        } else if (told.isNews(group, aggregate, minute)) {
          forward(group.name(), aggregate, now);
        }
      });
      until = minute;
    }
  }

  /** Of a group without members a tombstone says so, to its own topic only. */
  private void end(Group group, Instant now) {
    if (told.end(group) && !groups.stands(group)) {
      context.forward(new Record<>(group.name(), null, now.toEpochMilli()), group.rollup());
    }
  }

  private void apply(Sent sent, Instant now) {
    if (sent.getControl() == null) {
      groups.apply(sent);
    } else {
      forward("", sent.getControl(), now);
    }
  }

  /** What is stamped with a time is covered by the tick of that time. */
  private void forward(String key, SpecificRecord value, Instant now) {
    context.forward(new Record<>(key, value, now.toEpochMilli()));
  }
}
