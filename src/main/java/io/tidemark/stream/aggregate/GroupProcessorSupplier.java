package io.tidemark.stream.aggregate;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;

import io.tidemark.event.GroupUpdate;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Gives each task behind the repartition its processor, and that its stores. */
record GroupProcessorSupplier(List<Aggregation<?, ?>> aggregations, SchemaRegistry registry)
    implements ProcessorSupplier<String, GroupUpdate, String, SpecificRecord> {

  static final String HELD = AggregateTopology.NAME + "-held";
  static final String GROUPS = AggregateTopology.NAME + "-by-group";
  static final String ACTIVE = AggregateTopology.NAME + "-awake";
  static final String TICKS = AggregateTopology.NAME + "-ticks";

  @Override
  public Processor<String, GroupUpdate, String, SpecificRecord> get() {
    Map<String, SerializedAggregation<?>> byName = new HashMap<>();
    aggregations.forEach(rollup -> byName.put(rollup.name(), new SerializedAggregation<>(rollup, registry)));
    return new GroupProcessor(byName);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    var stores = new HashSet<StoreBuilder<?>>();
    stores.add(onDisk(HELD, new AvroSerde<>(GroupUpdate.class, registry)));
    stores.add(onDisk(GROUPS, Serdes.ByteArray()));
    stores.add(inMemory(ACTIVE, Serdes.Long()));
    stores.add(inMemory(TICKS, Serdes.Long()));
    aggregations
        .forEach(rollup -> stores.add(inMemory(rollup.name(), new AvroSerde<>(rollup.aggregateType(), registry))));
    return stores;
  }
}
