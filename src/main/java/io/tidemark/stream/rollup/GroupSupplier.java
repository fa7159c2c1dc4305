package io.tidemark.stream.rollup;

import static io.tidemark.stream.tick.Kept.inMemory;
import static io.tidemark.stream.tick.Kept.onDisk;

import io.tidemark.event.Sent;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
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
record GroupSupplier(List<Rollup<?, ?>> rollups, Registry registry)
    implements ProcessorSupplier<String, Sent, String, SpecificRecord> {

  static final String HELD = Rollups.NAME + "-held";
  static final String GROUPS = Rollups.NAME + "-by-group";
  static final String AWAKE = Rollups.NAME + "-awake";
  static final String TICKS = Rollups.NAME + "-ticks";

  @Override
  public Processor<String, Sent, String, SpecificRecord> get() {
    Map<String, Figures<?>> byName = new HashMap<>();
    rollups.forEach(rollup -> byName.put(rollup.name(), new Figures<>(rollup, registry)));
    return new GroupProcessor(byName);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    var stores = new HashSet<StoreBuilder<?>>();
    stores.add(onDisk(HELD, new AvroSerde<>(Sent.class, registry)));
    stores.add(onDisk(GROUPS, Serdes.ByteArray()));
    stores.add(inMemory(AWAKE, Serdes.Long()));
    stores.add(inMemory(TICKS, Serdes.Long()));
    rollups.forEach(rollup -> stores.add(inMemory(rollup.name(), new AvroSerde<>(rollup.aggregates(), registry))));
    return stores;
  }
}
