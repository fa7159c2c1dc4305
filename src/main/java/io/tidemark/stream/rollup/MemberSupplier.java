package io.tidemark.stream.rollup;

import static io.tidemark.stream.tick.Kept.inMemory;
import static io.tidemark.stream.tick.Kept.onDisk;

import io.tidemark.event.Sent;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Gives each task before the repartition its processor, and that its stores. */
record MemberSupplier(List<Rollup<?, ?>> rollups, Registry registry)
    implements ProcessorSupplier<String, SpecificRecord, String, Sent> {

  static final String MEMBERS = Rollups.NAME + "-members";
  static final String WAITING = Rollups.NAME + "-waiting";
  static final String TICK = Rollups.NAME + "-tick";

  @Override
  public Processor<String, SpecificRecord, String, Sent> get() {
    var figures = new ArrayList<Figures<?>>();
    rollups.forEach(rollup -> figures.add(new Figures<>(rollup, registry)));
    return new MemberProcessor(figures);
  }

  @Override
  public Set<StoreBuilder<?>> stores() {
    return Set.of(
        onDisk(MEMBERS, Serdes.ByteArray()),
        onDisk(WAITING, new AvroSerde<>(Sent.class, registry)),
        inMemory(TICK, Serdes.Long()));
  }
}
