package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.tick.SlowestUpstreamTick;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Reads the ticks of all upstream partitions in one task, and sends the smallest where it advanced.
 *
 * <p>A tick is read once the transaction that sent it and the updates before it is committed. So the smallest tick comes
 * behind all updates that it covers in every partition of the topic that both are sent to.
 */
@SuppressWarnings("NullAway.Init") // Kafka calls init before all else
final class SlowestTickProcessor implements Processor<String, GroupUpdate, String, GroupUpdate> {

  private SlowestUpstreamTick slowestTick;
  private ProcessorContext<String, GroupUpdate> context;

  @Override
  public void init(ProcessorContext<String, GroupUpdate> context) {
    this.context = context;
    this.slowestTick = new SlowestUpstreamTick(context.getStateStore(AggregateTopology.TICKS));
  }

  @Override
  public void process(Record<String, GroupUpdate> record) {
    var update = record.value();
    var tick = Objects.requireNonNull(update.getControl());
    var now = slowestTick.advance(update.getPartition(), tick.getPartitions(), tick.getAt());
    if (now != null) {
      var slowest = GroupUpdate.newBuilder()
          .setControl(Control.newBuilder(tick).setAt(now).build())
          .setMember(tick.getKind())
          .setAt(now)
          .setSlowest(true)
          .build();
      context.forward(new Record<>("", slowest, record.timestamp()));
    }
  }
}
