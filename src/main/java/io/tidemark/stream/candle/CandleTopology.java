package io.tidemark.stream.candle;

import static io.tidemark.stream.tick.StateStores.inMemory;
import static io.tidemark.stream.tick.StateStores.onDisk;
import static io.tidemark.stream.tick.StateStores.processors;

import io.tidemark.event.Candle;
import io.tidemark.event.Control;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.StoredCandles;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.CandleInterval;
import io.tidemark.topic.SchemaRegistry;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.state.StoreBuilder;

/** The part of the topology from changes to candles of all intervals: one for each window with a change. */
public final class CandleTopology {

  static final String RESOURCES = "candles-by-resource";
  static final String ENDS = "candles-ends";
  static final String CLOSED = "candles-ended";
  static final String CHANGED = "candles-changed";

  private CandleTopology() {}

  /** Candles from the changes of pools, tokens and tickers, by the same key. */
  public static KStream<String, SpecificRecord> of(KStream<String, SpecificRecord> changes, SchemaRegistry registry) {
    var stores = Set.<StoreBuilder<?>>of(
        onDisk(RESOURCES, new AvroSerde<>(StoredCandles.class, registry)),
        onDisk(ENDS, Serdes.String()),
        inMemory(CHANGED, Serdes.String()),
        inMemory(CLOSED, Serdes.Long()));
    return changes.process(processors(CandleProcessor::new, stores), Named.as("candles"));
  }

  /** The candles of one resource and interval, and control. */
  public static KStream<String, SpecificRecord> only(
      String resource, CandleInterval interval, KStream<String, SpecificRecord> candles) {
    return candles.filter(
        (id, record) -> record instanceof Control
            || (record instanceof Candle candle
                && candle.getResource().equals(resource)
                && candle.getInterval().equals(interval.label())),
        Named.as(name(resource, interval.label())));
  }

  /** The open candles of one resource; null where it is removed. */
  public static KStream<String, SpecificRecord> open(String resource, KStream<String, SpecificRecord> candles) {
    return candles.filter(
        (id, record) -> record == null
            || (record instanceof OpenCandles open && open.getResource().equals(resource)),
        Named.as(openName(resource)));
  }

  /** The name of the operator of the candles of one resource and interval. */
  static String name(String resource, String interval) {
    return resource + "-candles-" + interval;
  }

  /** The name of the operator of one resource's open candles. */
  static String openName(String resource) {
    return resource + "-candles-open";
  }
}
