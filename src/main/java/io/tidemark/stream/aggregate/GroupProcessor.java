package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.aggregate.GroupStore.GroupKey;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.stream.tick.SlowestUpstreamTick;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Publishes the aggregates that changed, once a minute. It holds updates until the slowest upstream partition has sent
 * its tick, so that the result does not depend on which partition is ahead. A tick is forwarded behind all that it
 * covers.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class GroupProcessor implements Processor<String, GroupUpdate, String, SpecificRecord> {

  private final List<SerializedAggregation<?>> aggregations;
  private DueQueue<GroupUpdate> held;
  private GroupStore groups;
  private SlowestUpstreamTick slowestTick;
  private Instant publishedUntil = Instant.EPOCH;
  private ProcessorContext<String, SpecificRecord> context;

  GroupProcessor(List<SerializedAggregation<?>> aggregations) {
    this.aggregations = aggregations;
  }

  @Override
  public void init(ProcessorContext<String, SpecificRecord> context) {
    this.context = context;
    this.held = new DueQueue<>(context.getStateStore(AggregateTopology.HELD));
    this.groups = new GroupStore(aggregations, context);
    this.slowestTick = new SlowestUpstreamTick(context.getStateStore(AggregateTopology.TICKS));
  }

  @Override
  public void process(Record<String, GroupUpdate> record) {
    var update = record.value();
    var control = update.getControl();
    if (control == null || !control.getKind().equals("tick")) {
      held.put(update.getAt(), GroupStore.memberKey(update), update);
    } else {
      var now = slowestTick.advance(update.getPartition(), control.getPartitions(), control.getAt());
      if (now != null) {
        held.removeDue(now).forEach(due -> apply(due, now));
        publish(now.truncatedTo(ChronoUnit.MINUTES), now);
        forward("", Control.newBuilder(control).setAt(now).build(), now);
      }
    }
  }

  private void apply(GroupUpdate update, Instant now) {
    if (update.getControl() == null) {
      groups.apply(update);
    } else {
      forward("", update.getControl(), now);
    }
  }

  /** Publishes what changed up to the end of a minute; after a restart, a minute published twice changes nothing. */
  private void publish(Instant minute, Instant now) {
    if (minute.isAfter(publishedUntil)) {
      groups.active(minute).forEach(group -> publish(group, minute, now));
      publishedUntil = minute;
    }
  }

  /** The tombstone of a group without members goes to its own topic only. */
  private void publish(GroupKey group, Instant minute, Instant now) {
    var aggregate = groups.aggregate(group, minute);
    if (aggregate == null) {
      if (groups.remove(group) && !groups.outlivesMembers(group)) {
        context.forward(new Record<>(group.name(), null, now.toEpochMilli()), group.aggregate());
      }
    } else if (groups.replaceIfChanged(group, aggregate, minute)) {
      forward(group.name(), aggregate, now);
    }
  }

  /** The tick of a time covers what is stamped with that time. */
  private void forward(String key, SpecificRecord value, Instant now) {
    context.forward(new Record<>(key, value, now.toEpochMilli()));
  }
}
