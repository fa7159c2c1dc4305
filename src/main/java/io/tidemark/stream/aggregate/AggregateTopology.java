package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Repartitioned;

/**
 * All rollups of a source: they share one repartition and the stores before it, for each store costs memory in every
 * task. Each has a store of its own name, with the newest aggregate of every group.
 */
public final class AggregateTopology {

  static final String NAME = "rollups";

  private final KStream<String, SpecificRecord> aggregates;

  private AggregateTopology(KStream<String, SpecificRecord> aggregates) {
    this.aggregates = aggregates;
  }

  /** @param changes of all resources that the rollups read, with control */
  public static AggregateTopology of(KStream<String, SpecificRecord> changes, List<Aggregation<?, ?>> rollups,
      SchemaRegistry registry) {
    var sent = Repartitioned.<String, GroupUpdate>as(NAME)
        .withKeySerde(Serdes.String())
        .withValueSerde(new AvroSerde<>(GroupUpdate.class, registry))
        .withStreamPartitioner(new GroupPartitioner());
    return new AggregateTopology(changes
        .process(new MemberProcessorSupplier(rollups, registry), Named.as(NAME + "-members"))
        .repartition(sent)
        .process(new GroupProcessorSupplier(rollups, registry), Named.as(NAME + "-groups")));
  }

  /** The aggregates of one of them, by group, null where a group is no more, and control. */
  public KStream<String, SpecificRecord> of(Aggregation<?, ?> rollup) {
    return aggregates.filter(
        (group, record) -> record == null || rollup.aggregateType().isInstance(record) || record instanceof Control,
        Named.as(rollup.name()));
  }
}
