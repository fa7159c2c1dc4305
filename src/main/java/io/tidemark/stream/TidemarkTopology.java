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
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the changes of a source: a function of its topics and settings, without clock, I/O or chance.
 *
 * <p>All that rules can be on is a stream in one table, by the name of its topic without prefix: what is read, and what
 * is made of it. Each carries its records and, behind all that they cover, the ticks, rule sets and silences.
 */
public final class TidemarkTopology {

  private final Topics topics;
  private final @Nullable String rules;
  private final TopicStreams topicStreams;
  private final SequencedMap<String, KStream<String, SpecificRecord>> streams = new LinkedHashMap<>();
  private final Set<String> aggregated = new HashSet<>();

  /** Stores use the built-in registry whatever the topics use: an external one is not filled with their schemas. */
  private final SchemaRegistry stores = new BuiltInRegistry(List.of());

  private TidemarkTopology(Topics topics, Topics results, SchemaRegistry registry, @Nullable String rules) {
    this.topics = topics;
    this.rules = rules;
    this.topicStreams = new TopicStreams(topics, results, registry);
  }

  /**
   * The topology of one source.
   *
   * @param registry of what is on the topics
   */
  public static Topology build(Topics topics, SchemaRegistry registry) {
    return build(topics, topics, registry, null);
  }

  /**
   * The same, for a trial.
   *
   * @param results where its results go
   * @param rules the text of rules that are in force instead of those that control names; null: those
   */
  public static Topology build(Topics topics, Topics results, SchemaRegistry registry, @Nullable String rules) {
    var topology = new TidemarkTopology(topics, results, registry, rules);
    topology.reads();
    topology.aggregates();
    topology.alerts();
    return topology.topicStreams.topology();
  }

  /** The topics of a source that its topology reads. */
  static List<Topic<?>> reads(Topics topics) {
    var changes = topics.resources().stream().<Topic<?>>map(ResourceTopics::changes);
    var others = Stream.<Topic<?>>of(
        topics.poolListing(), topics.targetState(), topics.sourceState(), topics.control());
    return Stream.concat(changes, others).toList();
  }

  private void reads() {
    reads(topics).stream().filter(topic -> !topic.equals(topics.control())).forEach(this::read);
  }

  private void aggregates() {
    candles();
    var rollups = new LinkedHashMap<Topic<?>, Aggregation<?, ?>>();
    rollups.put(topics.movers(), new MoversByNetwork());
    rollups.put(topics.launches(), new LaunchesByHour());
    rollups.put(topics.trending(), new TrendingByPool());
    rollups.put(topics.liquidity(), new LiquidityByExchange());
    rollups.put(topics.venues(), new VenuesByCoin());
    rollups.put(topics.derivatives(), new DerivativesByCoin());
    rollups.put(topics.treasuries(), new TreasuriesByCoin());
    rollups.put(topics.dominance(), new DominanceByCoin());
    var made = AggregateTopology.of(topicStreams.read("rollups", members()), List.copyOf(rollups.values()), stores);
    rollups.forEach((topic, rollup) -> {
      make(topic, made.of(rollup));
      aggregated.add(topics.shortName(topic));
    });
  }

  /** What rollups read. */
  private List<Topic<?>> members() {
    return List.of(
        topics.pool().changes(),
        topics.poolListing(),
        topics.token().changes(),
        topics.ticker().changes(),
        topics.contract().changes(),
        topics.holding().changes(),
        topics.global().changes());
  }

  private void candles() {
    var changes =
        topicStreams.read("candles", topics.priced().stream().<Topic<?>>map(ResourceTopics::changes).toList());
    var candles = CandleTopology.of(changes, stores);
    for (var each : topics.priced()) {
      for (var interval : CandleInterval.values()) {
        make(
            topics.candles(each, interval),
            CandleTopology.only(each.resource(), interval, candles));
      }
    }
  }

  /** The rules on each stream; those of one part of the topology share a store. */
  private void alerts() {
    var alerts = new AlertTopology(topics.ruleSchemas(), rules, stores);
    var memory = AlertTopology.store("alerts-memory");
    var rollupMemory = AlertTopology.store("rollup-alerts-memory");
    streams.forEach((name, stream) -> {
      var store = aggregated.contains(name) ? rollupMemory : memory;
      topicStreams.writeAlerts(name.replace('.', '-'), alerts.on(stream, topics.byShortName(name), name, store));
    });
  }

  private void read(Topic<?> topic) {
    streams.put(topics.shortName(topic), topicStreams.read(topic));
  }

  private void make(Topic<?> topic, KStream<String, SpecificRecord> stream) {
    streams.put(topics.shortName(topic), stream);
    topicStreams.write(topicStreams.name(topic) + "-out", stream, topic);
  }
}
