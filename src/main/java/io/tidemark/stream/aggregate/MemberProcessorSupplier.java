package io.tidemark.stream.aggregate;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;

import io.tidemark.event.GroupUpdate;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Gives each task before the repartition its processor, and that its stores. */
record MemberProcessorSupplier(List<Aggregation<?, ?>> aggregations, SchemaRegistry registry)
    implements ProcessorSupplier<String, SpecificRecord, String, GroupUpdate> {

  static final String MEMBERS = AggregateTopology.NAME + "-members";
  static final String WAITING = AggregateTopology.NAME + "-waiting";
  static final String TICK = AggregateTopology.NAME + "-tick";

  @Override
  public Processor<String, SpecificRecord, String, GroupUpdate> get() {
    var figures = new ArrayList<SerializedAggregation<?>>();
    aggregations.forEach(rollup -> figures.add(new SerializedAggregation<>(rollup, registry)));
    return new MemberProcessor(figures);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return Set.of(
        onDisk(MEMBERS, Serdes.ByteArray()),
        onDisk(WAITING, new AvroSerde<>(GroupUpdate.class, registry)),
        inMemory(TICK, Serdes.Long()));
  }
}
