package io.tidemark.stream.rollup;

import io.tidemark.event.Control;
import io.tidemark.event.Sent;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
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
public final class Rollups {

  static final String NAME = "rollups";

  private final KStream<String, SpecificRecord> aggregates;

  private Rollups(KStream<String, SpecificRecord> aggregates) {
    this.aggregates = aggregates;
  }

  /** @param changes of all resources that the rollups read, with control */
  public static Rollups of(KStream<String, SpecificRecord> changes, List<Rollup<?, ?>> rollups, Registry registry) {
    var sent = Repartitioned.<String, Sent>as(NAME)
        .withKeySerde(Serdes.String())
        .withValueSerde(new AvroSerde<>(Sent.class, registry))
        .withStreamPartitioner(new Sending());
    return new Rollups(changes
        .process(new MemberSupplier(rollups, registry), Named.as(NAME + "-members"))
        .repartition(sent)
        .process(new GroupSupplier(rollups, registry), Named.as(NAME + "-groups")));
  }

  /** The aggregates of one of them, by group, null where a group is no more, and control. */
  public KStream<String, SpecificRecord> of(Rollup<?, ?> rollup) {
    return aggregates.filter(
        (group, record) -> record == null || rollup.aggregates().isInstance(record) || record instanceof Control,
        Named.as(rollup.name()));
  }
}
