package io.tidemark.stream.aggregate;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;
import static io.tidemark.stream.tick.StateStores.processors;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The part of the topology from changes to all aggregates of a source. They share one repartition and the stores before
 * it, as each store costs memory in every task. The newest aggregates of all groups are in one store per aggregate, of
 * its name.
 */
public final class AggregateTopology {

  static final String MEMBERS = "aggregates-members";
  static final String WAITING = "aggregates-waiting";
  static final String TICK = "aggregates-tick";
  static final String HELD = "aggregates-held";
  static final String GROUPS = "aggregates-by-group";
  static final String ACTIVE = "aggregates-awake";
  static final String TICKS = "aggregates-ticks";

  private static final String NAME = "aggregates";

  private final KStream<String, SpecificRecord> aggregates;

  private AggregateTopology(KStream<String, SpecificRecord> aggregates) {
    this.aggregates = aggregates;
  }

  /** Builds the aggregates of all records that the aggregations read, merged with control. */
  public static AggregateTopology of(
      KStream<String, SpecificRecord> changes, List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    var repartitioned = Repartitioned.<String, GroupUpdate>as(NAME)
        .withKeySerde(Serdes.String())
        .withValueSerde(new AvroSerde<>(GroupUpdate.class, registry))
        .withStreamPartitioner(AggregateTopology::partitions);
    return new AggregateTopology(changes
        .process(memberProcessors(aggregations, registry), Named.as(NAME + "-members"))
        .repartition(repartitioned)
        .process(groupProcessors(aggregations, registry), Named.as(NAME + "-groups")));
  }

  /** The aggregates of one aggregation, by group, null where the group has no members any more, and control. */
  public KStream<String, SpecificRecord> of(Aggregation<?, ?> aggregation) {
    return aggregates.filter(
        (group, record) -> record == null
            || aggregation.aggregateType().isInstance(record)
            || record instanceof Control,
        Named.as(aggregation.name()));
  }

  /** Figures go to the partition of their group; control goes to all partitions. */
  private static Optional<Set<Integer>> partitions(String topic, String group, GroupUpdate update, int partitions) {
    return update.getControl() == null
        ? Optional.empty()
        : Optional.of(IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet()));
  }

  /** The processor before the repartition, and its stores. */
  static ProcessorSupplier<String, SpecificRecord, String, GroupUpdate> memberProcessors(
      List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    return processors(
        () -> new MemberProcessor(SerializedAggregation.all(aggregations, registry)),
        Set.of(
            onDisk(MEMBERS, Serdes.ByteArray()),
            onDisk(WAITING, new AvroSerde<>(GroupUpdate.class, registry)),
            inMemory(TICK, Serdes.Long())));
  }

  /** The processor behind the repartition, and its stores. */
  static ProcessorSupplier<String, GroupUpdate, String, SpecificRecord> groupProcessors(
      List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    var stores = new HashSet<StoreBuilder<?>>();
    stores.add(onDisk(HELD, new AvroSerde<>(GroupUpdate.class, registry)));
    stores.add(onDisk(GROUPS, Serdes.ByteArray()));
    stores.add(inMemory(ACTIVE, Serdes.Long()));
    stores.add(inMemory(TICKS, Serdes.Long()));
    aggregations.forEach(each -> stores.add(inMemory(each.name(), new AvroSerde<>(each.aggregateType(), registry))));
    return processors(() -> new GroupProcessor(SerializedAggregation.all(aggregations, registry)), stores);
  }
}
