package io.tidemark.stream;

import io.tidemark.stream.aggregate.AggregateTopology;
import io.tidemark.stream.aggregate.Aggregation;
import io.tidemark.stream.aggregate.DerivativesByCoin;
import io.tidemark.stream.aggregate.DominanceByCoin;
import io.tidemark.stream.aggregate.LaunchesByHour;
import io.tidemark.stream.aggregate.LiquidityByExchange;
import io.tidemark.stream.aggregate.MoversByNetwork;
import io.tidemark.stream.aggregate.TreasuriesByCoin;
import io.tidemark.stream.aggregate.TrendingByPool;
import io.tidemark.stream.aggregate.VenuesByCoin;
import io.tidemark.stream.alert.AlertTopology;
import io.tidemark.stream.candle.CandleTopology;
import io.tidemark.stream.tick.StateStores;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.CandleInterval;
import io.tidemark.topic.ResourceTopics;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.jspecify.annotations.Nullable;

/**
 * The topology of one source: a pure function of its topics and settings.
 *
 * <p>All streams that rules can be on, read or derived, are in one map by the name of their topic without prefix. Each
 * stream carries its records and, behind all that they cover, ticks, rule sets and silences.
 */
final class TidemarkTopology {

  private static final List<Aggregation<?, ?>> AGGREGATIONS = List.of(
      new MoversByNetwork(),
      new LaunchesByHour(),
      new TrendingByPool(),
      new LiquidityByExchange(),
      new VenuesByCoin(),
      new DerivativesByCoin(),
      new TreasuriesByCoin(),
      new DominanceByCoin());

  private final Topics topics;
  private final @Nullable String rules;
  private final TopicStreams topicStreams;
  private final SequencedMap<String, KStream<String, SpecificRecord>> streams = new LinkedHashMap<>();
  private final Set<String> aggregated = new HashSet<>();

  private final BuiltInRegistry stores;

  private TidemarkTopology(
      Topics topics, Topics results, SchemaRegistry registry, BuiltInRegistry stores, @Nullable String rules) {
    this.topics = topics;
    this.stores = stores;
    this.rules = rules;
    this.topicStreams = new TopicStreams(topics, results, registry);
  }

  /** The topology of a running source, with stores that nobody else reads. */
  static Topology build(Topics topics, SchemaRegistry registry) {
    return build(topics, topics, registry, new BuiltInRegistry(List.of()), null);
  }

  /**
   * The topology of a source, or of a backtest.
   *
   * @param results the topics it writes: the same, except in a backtest
   * @param registry of the schemas on the topics
   * @param stores of the schemas in stores: no external registry has them
   * @param rules the text of rules that are in force instead of those of control; null: those of control
   */
  static Topology build(
      Topics topics, Topics results, SchemaRegistry registry, BuiltInRegistry stores, @Nullable String rules) {
    var topology = new TidemarkTopology(topics, results, registry, stores, rules);
    topology.readTopics();
    topology.deriveCandles();
    topology.deriveAggregates();
    topology.deriveAlerts();
    return topology.topicStreams.topology();
  }

  /** The topics of a source that its topology reads. */
  static List<Topic<?>> inputs(Topics topics) {
    var changes = topics.resources().stream().<Topic<?>>map(ResourceTopics::changes);
    var others = Stream.<Topic<?>>of(
        topics.poolListing(), topics.targetState(), topics.sourceState(), topics.control());
    return Stream.concat(changes, others).toList();
  }

  private void readTopics() {
    inputs(topics).stream()
        .filter(topic -> !topic.equals(topics.control()))
        .forEach(topic -> streams.put(topics.shortName(topic), topicStreams.read(topic)));
  }

  private void deriveCandles() {
    var changes =
        topicStreams.read("candles", topics.priced().stream().<Topic<?>>map(ResourceTopics::changes).toList());
    var candles = CandleTopology.of(changes, stores);
    for (var each : topics.priced()) {
      for (var interval : CandleInterval.values()) {
        derive(topics.candles(each, interval), CandleTopology.only(each.resource(), interval, candles));
      }
      var open = topics.openCandles(each);
      topicStreams.write(topicStreams.name(open) + "-out", CandleTopology.open(each.resource(), candles), open);
    }
  }

  private void deriveAggregates() {
    var members = List.<Topic<?>>of(
        topics.pool().changes(),
        topics.poolListing(),
        topics.token().changes(),
        topics.ticker().changes(),
        topics.contract().changes(),
        topics.holding().changes(),
        topics.global().changes());
    var aggregates = AggregateTopology.of(topicStreams.read("aggregates", members), AGGREGATIONS, stores);
    AGGREGATIONS.forEach(aggregation -> {
      derive(topics.byShortName(aggregation.name()), aggregates.of(aggregation));
      aggregated.add(aggregation.name());
    });
  }

  private void derive(Topic<?> topic, KStream<String, SpecificRecord> stream) {
    streams.put(topics.shortName(topic), stream);
    topicStreams.write(topicStreams.name(topic) + "-out", stream, topic);
  }

  /** The rules on each stream; those of one sub-topology share a store. */
  private void deriveAlerts() {
    var alerts = new AlertTopology(topics.ruleSchemas(), rules, stores);
    var store = StateStores.onDisk("alerts-memory", Serdes.ByteArray());
    var clocks = StateStores.inMemory("alerts-clocks", Serdes.ByteArray());
    var aggregateStore = StateStores.onDisk("aggregate-alerts-memory", Serdes.ByteArray());
    var aggregateClocks = StateStores.inMemory("aggregate-alerts-clocks", Serdes.ByteArray());
    streams.forEach((name, stream) -> {
      var isAggregate = aggregated.contains(name);
      var found = alerts.on(stream, topics.byShortName(name), name, isAggregate ? aggregateStore : store,
          isAggregate ? aggregateClocks : clocks);
      topicStreams.writeAlerts(name.replace('.', '-'), found);
    });
  }
}
