package io.tidemark.stream;

import static java.util.Objects.requireNonNull;

import io.tidemark.event.ChangeView;
import io.tidemark.event.Control;
import io.tidemark.event.GapFreeClockState;
import io.tidemark.event.GroupUpdate;
import io.tidemark.event.ResourceSections;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.event.StoredCandles;
import io.tidemark.event.StoredResource;
import io.tidemark.event.Watch;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.aggregate.Aggregation;
import io.tidemark.stream.aggregate.DerivativesByCoin;
import io.tidemark.stream.aggregate.DominanceByCoin;
import io.tidemark.stream.aggregate.Groups;
import io.tidemark.stream.aggregate.LaunchesByHour;
import io.tidemark.stream.aggregate.LiquidityByExchange;
import io.tidemark.stream.aggregate.Members;
import io.tidemark.stream.aggregate.MoversByNetwork;
import io.tidemark.stream.aggregate.TreasuriesByCoin;
import io.tidemark.stream.aggregate.TrendingByPool;
import io.tidemark.stream.aggregate.VenuesByCoin;
import io.tidemark.stream.aggregate.VenuesByToken;
import io.tidemark.stream.alert.RuleSetCache;
import io.tidemark.stream.alert.TopicRules;
import io.tidemark.stream.alert.TopicRules.AlertedTopic;
import io.tidemark.stream.candle.Candles;
import io.tidemark.stream.tick.ResourceStore;
import io.tidemark.stream.tick.TaskOutput;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.processor.RecordContext;
import org.apache.kafka.streams.processor.TopicNameExtractor;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The topology of one source, a pure function of the source's topics and settings. One processor reads all input
 * topics. The second processor reads the records that the first one sends through a repartition topic. Each processor
 * has one sink, which writes each result to the topic of that result.
 */
final class TidemarkTopology {

  private static final String AGGREGATES = "aggregates";

  /** Name of the node that Kafka Streams adds before a repartition. */
  static final String REPARTITION = AGGREGATES + "-repartition-filter";

  static final List<Aggregation<?, ?>> AGGREGATIONS = List.of(
      new MoversByNetwork(),
      new LaunchesByHour(),
      new TrendingByPool(),
      new LiquidityByExchange(),
      new VenuesByCoin(),
      new VenuesByToken(),
      new DerivativesByCoin(),
      new TreasuriesByCoin(),
      new DominanceByCoin());

  private TidemarkTopology() {}

  /** Returns the topology of a running source, with a built-in registry for the schemas in its stores. */
  static Topology build(Topics topics, SchemaRegistry registry) {
    return build(topics, topics, registry, new BuiltInRegistry(List.of()), null, true);
  }

  /**
   * Returns the topology of a source, or of a backtest.
   *
   * @param results topics that the topology writes: the same as {@code topics}, except in a backtest. Only the
   *     backtest itself reads its results, so their schemas are registered in {@code stores} and not published
   * @param registry registry of the schemas of the source's topics
   * @param stores registry of the schemas in stores; no external registry has these schemas
   * @param rules text of the rules to apply instead of the rules in the control topic; null to apply the rules in the
   *     control topic
   * @param restored whether tasks restore their stores from changelog topics, which are not written otherwise
   */
  @SuppressWarnings("removal") // the partitioner's old method is still the abstract one
  static Topology build(
      Topics topics, Topics results, SchemaRegistry registry, BuiltInRegistry stores, @Nullable String rules,
      boolean restored) {
    var parts = new TaskParts(topics, stores, new RuleSetCache(topics.ruleSchemas(), rules));
    var inputs = inputs(topics);
    var written =
        Produced.with(Serdes.String(),
            TopicRecord.results(written(results), results.prefix().equals(topics.prefix()) ? registry : stores));
    var repartitioned = Repartitioned.<String, TopicRecord>as(AGGREGATES)
        .withKeySerde(Serdes.String())
        .withValueSerde(TopicRecord.internal(
            AGGREGATES, GroupUpdate.class, new AvroSerde<>(GroupUpdate.class, stores)))
        .withStreamPartitioner((topic, group, update, partitions) -> Groups
            .partitions((GroupUpdate) requireNonNull(update.value()), partitions));

    var builder = new StreamsBuilder(explicitNames());
    var records = builder.stream(
        inputs.stream().map(Topic::name).toList(),
        Consumed.with(TopicRecord.keys(inputs, registry), TopicRecord.values(inputs, registry))
            .withName("event-log"));
    var topic = new TopicOfRecord(results.prefix());
    var byResource = records.process(
        () -> new ResourceProcessor(parts), Named.as("by-resource"),
        stores(parts.storesByResource(), restored, builder));
    byResource.to(topic, written.withName(TaskResults.OF_RESOURCES));
    byResource.repartition(repartitioned)
        .process(() -> new GroupProcessor(parts), Named.as("by-group"),
            stores(parts.storesByGroup(), restored, builder))
        .to(topic, written.withName(TaskResults.OF_GROUPS));
    return builder.build();
  }

  /** Adds the stores of a processor to the topology, and returns their names. */
  private static String[] stores(StoreFormatCheck ofProcessor, boolean restored, StreamsBuilder builder) {
    var stores = ofProcessor.all();
    stores.forEach(store -> builder.addStateStore(restored ? store : store.withLoggingDisabled()));
    return stores.stream().map(StoreBuilder::name).toArray(String[]::new);
  }

  private record TopicOfRecord(String prefix) implements TopicNameExtractor<String, TopicRecord> {
    @Override
    public String extract(String key, TopicRecord record, RecordContext context) {
      return prefix + record.topic();
    }
  }

  static List<Topic<?>> inputs(Topics topics) {
    var changes = topics.resources().stream().<Topic<?>>map(ResourceTopics::changes);
    var others = Stream.<Topic<?>>of(
        topics.poolListing(), topics.targetState(), topics.sourceState(), topics.control());
    return Stream.concat(changes, others).toList();
  }

  /**
   * Returns the topics that the topology writes: the derived topics, and {@code watch}, for commands that put a rule
   * out of force.
   */
  static List<Topic<?>> written(Topics results) {
    return Stream.concat(results.derived().stream(), Stream.<Topic<?>>of(results.watch())).toList();
  }

  /**
   * Returns the schemas of the values that tasks store or send to each other. Rules store facets, and whole records
   * of the topics to which the rules apply.
   */
  static List<Schema> storedSchemas(Topics topics) {
    var own = Stream.of(ResourceSections.SCHEMA$, StoredResource.SCHEMA$, StoredCandles.SCHEMA$, GroupUpdate.SCHEMA$,
        StoredAlertInstance.SCHEMA$, GapFreeClockState.SCHEMA$, Control.SCHEMA$, Watch.SCHEMA$);
    var aggregated = Groups.types(AGGREGATIONS).map(SpecificData.get()::getSchema);
    return Stream.of(own, aggregated, topics.all().stream().map(Topic::schema)).flatMap(all -> all).toList();
  }

  /**
   * Returns a configuration that requires explicit names of operators. A generated name depends on the order of the
   * operators, so a new operator would rename all operators after it, and a renamed operator loses its state.
   */
  private static TopologyConfig explicitNames() {
    return new TopologyConfig(new StreamsConfig(Map.of(
        StreamsConfig.APPLICATION_ID_CONFIG, "unused",
        StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092",
        StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true)));
  }

  /**
   * The parts that both processors of a topology need: their stores, the rules on each topic, and the names of topics.
   */
  static final class TaskParts {

    private final Topics topics;
    final BuiltInRegistry stores;
    private final RuleSetCache ruleSets;
    private final Map<String, String> shortNames;
    private final Set<String> priced;

    private TaskParts(Topics topics, BuiltInRegistry stores, RuleSetCache ruleSets) {
      this.topics = topics;
      this.stores = stores;
      this.ruleSets = ruleSets;
      this.shortNames =
          TidemarkTopology.inputs(topics).stream().collect(Collectors.toMap(Topic::name, topics::shortName));
      this.priced = topics.priced().stream()
          .map(each -> topics.shortName(each.changes()))
          .collect(Collectors.toUnmodifiableSet());
    }

    StoreFormatCheck storesByResource() {
      return new StoreFormatCheck("format-by-resource", all(Stream.of(
          Candles.stores(), Members.stores(), onResource(topics.poolListing()).stores(),
          Set.of(ResourceStore.store(stores)))), stores);
    }

    StoreFormatCheck storesByGroup() {
      return new StoreFormatCheck("format-by-group",
          all(Stream.of(Groups.stores(AGGREGATIONS, stores), onGroup(topics.poolListing()).stores())), stores);
    }

    private static Set<StoreBuilder<?>> all(Stream<Set<StoreBuilder<?>>> some) {
      return some.flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the name of an input topic, without prefix. */
    String shortName(String topic) {
      return shortNames.getOrDefault(topic, topic);
    }

    boolean isPriced(String topic) {
      return priced.contains(topic);
    }

    List<String> inputs() {
      return VirtualTopology.inputs(topics);
    }

    List<String> candles() {
      return topics.priced().stream()
          .flatMap(each -> Stream.of(CandleInterval.values()).map(interval -> topics.candles(each, interval)))
          .map(topics::shortName)
          .toList();
    }

    List<String> aggregates() {
      return AGGREGATIONS.stream().map(Aggregation::name).toList();
    }

    TopicRules rules(
        String name, ResourceStore resources, ProcessingContext context, TaskOutput<SpecificRecord> output) {
      var topic = topics.byShortName(name);
      var known = ChangeView.of(topic.value()).isChange()
          ? resources.section(name, StoredResource.class, stores)
          : null;
      return new TopicRules(onResource(topic), ruleSets, stores, known, context, output);
    }

    TopicRules aggregateRules(String topic, ProcessingContext context, TaskOutput<SpecificRecord> output) {
      return new TopicRules(onGroup(topics.byShortName(topic)), ruleSets, stores, null, context, output);
    }

    private AlertedTopic onResource(Topic<?> topic) {
      return new AlertedTopic(topics.shortName(topic), topic, "alerts-memory", "alerts-clocks");
    }

    private AlertedTopic onGroup(Topic<?> topic) {
      return new AlertedTopic(topics.shortName(topic), topic, "aggregate-alerts-memory", "aggregate-alerts-clocks");
    }
  }
}
