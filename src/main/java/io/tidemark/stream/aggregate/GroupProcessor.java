package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.aggregate.GroupStore.GroupKey;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.SlowestUpstreamTick;
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
final class GroupProcessor implements Processor<String, GroupUpdate, String, SpecificRecord> {

  private final Map<String, SerializedAggregation<?>> aggregations;
  private DueQueue<GroupUpdate> held;
  private GroupStore groups;
  private PublishedAggregates published;
  private SlowestUpstreamTick time;
  private Instant publishedUntil = Instant.EPOCH;
  private ProcessorContext<String, SpecificRecord> context;

  GroupProcessor(Map<String, SerializedAggregation<?>> rollups) {
    this.aggregations = rollups;
  }

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.held = new DueQueue<>(context.getStateStore(GroupProcessorSupplier.HELD));
    this.groups = new GroupStore(
        aggregations, context.getStateStore(GroupProcessorSupplier.GROUPS),
        context.getStateStore(GroupProcessorSupplier.ACTIVE));
    this.published = new PublishedAggregates(context);
    this.time = new SlowestUpstreamTick(context.getStateStore(GroupProcessorSupplier.TICKS));
  }

  @Override
  public void process(Record<String, GroupUpdate> record) {
    var sent = record.value();
    var control = sent.getControl();
    if (control == null || !control.getKind().equals("tick")) {
      held.put(sent.getAt(), GroupStore.key(sent), sent);
    } else {
      var now = time.advance(sent.getPartition(), control.getPartitions(), control.getAt());
      if (now != null) {
        held.removeDue(now).forEach(each -> apply(each, now));
        publish(now.truncatedTo(ChronoUnit.MINUTES), now);
        forward("", Control.newBuilder(control).setAt(now).build(), now);
      }
    }
  }

  /** A minute that is told twice, after a restart, says nothing new. */
  private void publish(Instant minute, Instant now) {
    if (minute.isAfter(publishedUntil)) {
      groups.active(minute).forEach(group -> {
        var aggregate = groups.aggregate(group, minute);
        if (aggregate == null) {
          publishTombstone(group, now);
        } else if (published.replaceIfChanged(group, aggregate, minute)) {
          forward(group.name(), aggregate, now);
        }
      });
      publishedUntil = minute;
    }
  }

  /** Of a group without members a tombstone says so, to its own topic only. */
  private void publishTombstone(GroupKey group, Instant now) {
    if (published.remove(group) && !groups.outlivesMembers(group)) {
      context.forward(new Record<>(group.name(), null, now.toEpochMilli()), group.aggregate());
    }
  }

  private void apply(GroupUpdate sent, Instant now) {
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
