package io.tidemark.stream.aggregate;

import io.tidemark.event.Candle;
import io.tidemark.event.KnownPrice;
import io.tidemark.event.OpenCandle;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * Candles of the price of pools' base tokens, of all intervals: one for each window with a change, when it is over.
 *
 * <p>A window is over when a tick says that {@link CandleProcessor#GRACE} has passed since its end.
 */
public final class PoolCandles {

  static final String PRICES = "pool-candles-prices";
  static final String OPEN = "pool-candles-open";
  static final String ENDED = "pool-candles-ended";

  private PoolCandles() {}

  /** From changes of pools and ticks to candles, by pool. */
  public static KStream<String, Candle> of(KStream<String, SpecificRecord> poolsAndTicks, Registry registry) {
    return poolsAndTicks.process(new Supplier(registry), Named.as("pool-candles"));
  }

  /** Those of one interval. */
  public static KStream<String, Candle> only(Interval interval, KStream<String, Candle> candles) {
    return candles.filter(
        (pool, candle) -> candle.getInterval().equals(interval.label()), Named.as("pool-candles-" + interval.label()));
  }

  private record Supplier(Registry registry) implements ProcessorSupplier<String, SpecificRecord, String, Candle> {

    @Override
    public Processor<String, SpecificRecord, String, Candle> get() {
      return new CandleProcessor();
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
      return Set.of(
          store(PRICES, new AvroSerde<>(KnownPrice.class, registry)),
          store(OPEN, new AvroSerde<>(OpenCandle.class, registry)),
          store(ENDED, Serdes.Long()));
    }

    private static <V> StoreBuilder<KeyValueStore<String, V>> store(String name, Serde<V> values) {
      return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.String(), values);
    }
  }
}
