package io.tidemark.stream.aggregate;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;
import static io.tidemark.stream.tick.StateStores.processors;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.event.MemberFigures;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.BoundedSerde;
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
 *
 * <p>Each upstream task sends its tick to one partition, where one task finds the smallest and sends it to all: with P
 * partitions, 2 P records for a tick.
 */
public final class AggregateTopology {

  static final String MEMBERS = "aggregates-by-resource";
  static final String WAITING = "aggregates-due";
  static final String TICK = "aggregates-tick";
  static final String HELD = "aggregates-held";
  static final String GROUPS = "aggregates-by-group";
  static final String ACTIVE = "aggregates-awake";
  static final String TICKS = "aggregates-ticks";
  static final String PENDING = "aggregates-pending";

  private static final String NAME = "aggregates";

  private final KStream<String, SpecificRecord> aggregates;

  private AggregateTopology(KStream<String, SpecificRecord> aggregates) {
    this.aggregates = aggregates;
  }

  /** Builds the aggregates of all records that the aggregations read, merged with control. */
  @SuppressWarnings("removal") // the partitioner's old method is still the abstract one
  public static AggregateTopology of(
      KStream<String, SpecificRecord> changes, List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    var updates = BoundedSerde.of(NAME, new AvroSerde<>(GroupUpdate.class, registry));
    var members = changes.process(memberProcessors(aggregations, registry), Named.as(NAME + "-members"));
    var ticks = Repartitioned.<String, GroupUpdate>as(NAME + "-ticks")
        .withKeySerde(Serdes.String())
        .withValueSerde(updates)
        .withNumberOfPartitions(1);
    var slowest = members
        .filter((key, update) -> isTickOfPartition(update), Named.as(NAME + "-ticks-of-partitions"))
        .repartition(ticks)
        .process(slowestTickProcessors(), Named.as(NAME + "-slowest-tick"));
    var repartitioned = Repartitioned.<String, GroupUpdate>as(NAME)
        .withKeySerde(Serdes.String())
        .withValueSerde(updates)
        .withStreamPartitioner(AggregateTopology::partitions);
    return new AggregateTopology(members
        .filterNot((key, update) -> isTickOfPartition(update), Named.as(NAME + "-updates"))
        .merge(slowest, Named.as(NAME + "-updates-and-slowest-tick"))
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

  /** Whether an update is the tick of one upstream partition. */
  static boolean isTickOfPartition(GroupUpdate update) {
    var control = update.getControl();
    return control != null && control.getKind().equals("tick") && !update.getSlowest();
  }

  /** Figures go to the partition of their group; the slowest tick, rules and silences go to all partitions. */
  static Optional<Set<Integer>> partitions(String topic, String group, GroupUpdate update, int partitions) {
    return update.getControl() == null
        ? Optional.empty()
        : Optional.of(IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet()));
  }

  /** The processor before the repartition, and its stores. */
  static ProcessorSupplier<String, SpecificRecord, String, GroupUpdate> memberProcessors(
      List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    return processors(
        () -> new MemberProcessor(SerializedAggregation.all(aggregations, registry), registry),
        Set.of(
            onDisk(MEMBERS, new AvroSerde<>(MemberFigures.class, registry)),
            onDisk(WAITING, Serdes.ByteArray()).withCachingEnabled(),
            inMemory(TICK, Serdes.Long())));
  }

  /** The processor of the ticks of all partitions, and its store. */
  static ProcessorSupplier<String, GroupUpdate, String, GroupUpdate> slowestTickProcessors() {
    return processors(SlowestTickProcessor::new, Set.of(inMemory(TICKS, Serdes.Long())));
  }

  /** The processor behind the repartition, and its stores. */
  static ProcessorSupplier<String, GroupUpdate, String, SpecificRecord> groupProcessors(
      List<Aggregation<?, ?>> aggregations, SchemaRegistry registry) {
    var stores = new HashSet<StoreBuilder<?>>();
    stores.add(onDisk(HELD, new AvroSerde<>(GroupUpdate.class, registry)));
    stores.add(onDisk(GROUPS, Serdes.ByteArray()));
    stores.add(onDisk(ACTIVE, Serdes.Long()));
    stores.add(inMemory(PENDING, Serdes.Long()));
    aggregations.forEach(each -> stores.add(inMemory(each.name(), new AvroSerde<>(each.aggregateType(), registry))));
    return processors(() -> new GroupProcessor(SerializedAggregation.all(aggregations, registry)), stores);
  }
}
