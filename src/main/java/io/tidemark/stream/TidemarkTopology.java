package io.tidemark.stream;

import static io.tidemark.stream.aggregate.Interval.FIVE_MINUTES;
import static io.tidemark.stream.aggregate.Interval.HOUR;
import static io.tidemark.stream.aggregate.Interval.MINUTE;

import io.tidemark.stream.aggregate.PoolCandles;
import io.tidemark.stream.alert.AlertSettings;
import io.tidemark.stream.alert.NewPool;
import io.tidemark.stream.alert.NewlyTrending;
import io.tidemark.stream.alert.PriceMove;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topics;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;

/** What becomes of the changes of a source: a function of its topics and settings, without clock, I/O or chance. */
public final class TidemarkTopology {

  private final Topics topics;
  private final AlertSettings settings;
  private final Tape tape;

  /** Stores use the built-in registry whatever the topics use: an external one is not filled with their schemas. */
  private final Registry stores = new BuiltInRegistry(List.of());

  private TidemarkTopology(Topics topics, Registry registry, AlertSettings settings) {
    this.topics = topics;
    this.settings = settings;
    this.tape = new Tape(topics, registry);
  }

  /**
   * The topology of one source.
   *
   * @param registry of what is on the topics
   */
  public static Topology build(Topics topics, Registry registry, AlertSettings settings) {
    var topology = new TidemarkTopology(topics, registry, settings);
    var pools = topology.tape.withTicks("pool-changes", topics.pool().changes());
    var listings = topology.tape.withTicks("pool-listing", topics.poolListing());
    topology.candles(pools);
    topology.alerts(pools, listings);
    return topology.tape.topology();
  }

  private void candles(KStream<String, SpecificRecord> pools) {
    var candles = PoolCandles.of(pools, stores);
    tape.write("pool-candles-1m-out", PoolCandles.only(MINUTE, candles), topics.poolCandlesMinute());
    tape.write("pool-candles-5m-out", PoolCandles.only(FIVE_MINUTES, candles), topics.poolCandlesFiveMinutes());
    tape.write("pool-candles-1h-out", PoolCandles.only(HOUR, candles), topics.poolCandlesHour());
  }

  private void alerts(KStream<String, SpecificRecord> pools, KStream<String, SpecificRecord> listings) {
    if (settings.newPool().enabled()) {
      var alerts = NewPool.alerts(pools, topics.pool().changes(), settings.newPool(), stores);
      tape.write("new-pool-out", alerts, topics.alerts());
    }
    if (settings.newlyTrending().enabled()) {
      var alerts = NewlyTrending.alerts(listings, topics.poolListing(), settings.newlyTrending(), stores);
      tape.write("newly-trending-out", alerts, topics.alerts());
    }
    if (settings.priceMove().enabled()) {
      var alerts = PriceMove.alerts(pools, topics.pool().changes(), settings.priceMove(), stores);
      tape.write("price-move-out", alerts, topics.alerts());
    }
  }
}
