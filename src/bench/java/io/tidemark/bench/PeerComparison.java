package io.tidemark.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.bench.BenchPart.BenchProgress;
import io.tidemark.bench.PriceLog.PublishedPrice;
import io.tidemark.event.PoolChange;
import io.tidemark.http.server.HttpReply;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of Tidemark with a poller that publishes JSON diffs. Both run at the same time over the same simulated
 * service, each in a separate process with the same number of calls per minute, and write to the same broker. Halfway,
 * both are killed and restarted. The prices that the service shows are read from the cache of the service five times a
 * second.
 */
public final class PeerComparison {
  private static final String TIDEMARK = "tidemark";
  private static final String POLLER = "json-diff";
  private static final String HOST = "127.0.0.1";
  private static final String PRICE = "base_token_price_usd";
  private static final int SINGLE_POOLS = 10;
  private static final Duration REFRESH = Duration.ofSeconds(10);
  private static final Duration INTERVAL = Duration.ofMillis(200);
  private static final double MEGABYTE = 1 << 20;
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> OPTIONS = List.of("-Xmx512m");

  private final int callsPerMinute;
  private final Duration duration;
  private final BenchKafka kafka;
  private final Topics topics = new Topics("bench-%s.".formatted(UUID.randomUUID()), Retention.DEFAULT);
  private final String pollerTopic = "bench-%s.pool".formatted(UUID.randomUUID());
  private final AvroSerde<PoolChange> changes =
      topics.pool().changes().serde(new BuiltInRegistry(topics.all()));
  private final PriceLog shown = new PriceLog();
  private final Map<String, Instant> newestShown = new HashMap<>();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final EdgeCache cache = new EdgeCache(
      new Simulator(new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.system())::at,
      operation -> REFRESH, FieldNaming.DOCUMENT, InstantSource.system());

  /** @param duration duration of the whole comparison, including the kill in its middle */
  public PeerComparison(int callsPerMinute, Duration duration, BenchKafka kafka) {
    this.callsPerMinute = callsPerMinute;
    this.duration = duration;
    this.kafka = kafka;
  }

  /**
   * The result of one of the two programs.
   *
   * @param calls calls that the service answered
   * @param shown price changes that the service showed meanwhile
   * @param caught shown changes that were published, each counted once
   * @param invented published changes that did not happen: the price was never shown, or had already been replaced
   * @param doubled changes that were published twice
   * @param latencyMillis median time until a shown price was read by a consumer of committed records; NaN if no change
   *     was caught
   * @param megabytes size of all topics that the program writes in Kafka
   * @param processorMillis processor time per caught change, including two starts of the process; NaN if no change was
   *     caught
   */
  public record PeerResult(String name, int calls, int shown, int caught, int invented, int doubled,
      double latencyMillis, double megabytes, double processorMillis) {}

  /** Runs the comparison. Blocks for the duration and a few seconds more. */
  public List<PeerResult> run(BenchProgress progress) {
    try {
      var folder = Files.createTempDirectory("tidemark-peers");
      try (var admin = Admin.create(kafka.client());
          var market = requireNonNull(MarketServer.start(HOST, 0, routes()).block())) {
        var queries = queries();
        var server = new MeasuredProcess(tidemark(folder, market.baseUrl(), queries), folder.resolve("tidemark.log"));
        var poller = new MeasuredProcess(poller(market.baseUrl(), queries), folder.resolve("poller.log"));
        AdminCalls.await(admin.createTopics(
            List.of(new NewTopic(pollerTopic, TopicLayout.DEFAULT.partitions(), (short) 1))).all());
        new TopicSetup(admin, TopicLayout.DEFAULT).ensure(List.of(topics.pool().changes()));
        return compare(admin, List.of(server, poller), queries, progress);
      } finally {
        BenchKafka.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<PeerResult> compare(
      Admin admin, List<MeasuredProcess> both, List<Query<?>> queries, BenchProgress progress) {
    try {
      both.forEach(MeasuredProcess::start);
      var published = observe(queries, progress, () -> {
        both.forEach(MeasuredProcess::kill);
        both.forEach(MeasuredProcess::start);
      });
      both.forEach(MeasuredProcess::kill);
      both.getFirst().requireCalls(calls.get(TIDEMARK));
      both.getLast().requireCalls(calls.get(POLLER));
      return List.of(
          result(TIDEMARK, published, size(admin, topics.prefix()), both.getFirst().processor()),
          result(POLLER, published, size(admin, pollerTopic), both.getLast().processor()));
    } finally {
      both.forEach(MeasuredProcess::kill);
      if (kafka.isForeign()) {
        AdminCalls.await(admin.deleteTopics(AdminCalls.await(admin.listTopics().names()).stream()
            .filter(name -> name.startsWith(topics.prefix()) || name.equals(pollerTopic)).toList()).all());
      }
    }
  }

  /**
   * Reads the prices that both programs publish until the time is over. Halfway, both programs are killed and
   * restarted.
   */
  private Map<String, List<PublishedPrice>> observe(List<Query<?>> queries, BenchProgress progress, Runnable restart) {
    var published = new HashMap<String, List<PublishedPrice>>();
    var start = System.nanoTime();
    var isRestarted = false;
    try (var consumer = consumer()) {
      for (var elapsed = 0L; elapsed < duration.toNanos(); elapsed = System.nanoTime() - start) {
        if (!isRestarted && elapsed > duration.toNanos() / 2) {
          restart.run();
          isRestarted = true;
        }
        queries.forEach(this::show);
        consumer.poll(INTERVAL).forEach(record -> add(record, published));
        progress.update(TimeUnit.NANOSECONDS.toSeconds(elapsed), duration.toSeconds());
      }
    }
    return published;
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    var config = new HashMap<>(kafka.client());
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    var partitions = Stream.of(topics.pool().changes().name(), pollerTopic)
        .flatMap(topic -> IntStream.range(0, TopicLayout.DEFAULT.partitions())
            .mapToObj(number -> new TopicPartition(topic, number)))
        .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  private void show(Query<?> query) {
    var reply = requireNonNull(cache.respond(query).block());
    if (!reply.asOf().equals(newestShown.put(Endpoints.pathAndQuery(query), reply.asOf()))) {
      pools(reply).forEach((pool, price) -> shown.show(pool, price, reply.asOf()));
    }
  }

  /** Returns the prices of the pools of an answer, by pool id. */
  private static Map<String, String> pools(HttpReply reply) {
    try {
      var prices = new HashMap<String, String>();
      for (var pool : JsonDiffPoller.pools(JSON.readTree(UTF_8.decode(reply.body()).toString()))) {
        prices.put(pool.path("id").asText(), pool.path("attributes").path(PRICE).asText());
      }
      return prices;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(ConsumerRecord<byte[], byte[]> record, Map<String, List<PublishedPrice>> published) {
    var isPoller = record.topic().equals(pollerTopic);
    var price = isPoller ? ofPoller(record.value()) : ofTidemark(record);
    if (price != null) {
      published.computeIfAbsent(isPoller ? POLLER : TIDEMARK, name -> new ArrayList<>())
          .add(new PublishedPrice(new String(record.key(), UTF_8), price, Instant.now()));
    }
  }

  private @Nullable String ofTidemark(ConsumerRecord<byte[], byte[]> record) {
    var price = changes.decode(record.topic(), record.value()).getPrice();
    return price == null || price.getAfter() == null ? null : price.getAfter().getBaseTokenPriceUsd();
  }

  private static @Nullable String ofPoller(byte[] value) {
    try {
      var message = JSON.readTree(value);
      var attributes = message.path(JsonDiffPoller.POOL).path("attributes");
      if (attributes.has(PRICE)) {
        return attributes.path(PRICE).asText();
      }
      for (JsonNode operation : message.path(JsonDiffPoller.PATCH)) {
        if (operation.path("path").asText().equals("/attributes/" + PRICE)) {
          return operation.path("value").asText();
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PeerResult result(
      String name, Map<String, List<PublishedPrice>> published, long bytes, Duration processor) {
    var coverage = shown.coverage(published.getOrDefault(name, List.of()));
    var sent = calls.get(name);
    return new PeerResult(name, sent == null ? 0 : sent.get(), coverage.shown(), coverage.caught(),
        coverage.invented(), coverage.doubled(), coverage.latencyMillis(), bytes / MEGABYTE,
        coverage.caught() == 0 ? Double.NaN : (double) processor.toMillis() / coverage.caught());
  }

  /** Returns the bytes of all topics whose names begin with the prefix. */
  private static long size(Admin admin, String prefix) {
    var brokers = AdminCalls.await(admin.describeCluster().nodes()).stream().map(node -> node.id()).toList();
    return AdminCalls.await(admin.describeLogDirs(brokers).allDescriptions()).values().stream()
        .flatMap(folders -> folders.values().stream())
        .flatMap(folder -> folder.replicaInfos().entrySet().stream())
        .filter(replica -> replica.getKey().topic().startsWith(prefix))
        .mapToLong(replica -> replica.getValue().size())
        .sum();
  }

  /**
   * Returns queries for pages of two exchanges, for the trending pools, and for some pools of the first page, so that
   * two answers show these pools.
   */
  private List<Query<?>> queries() {
    var includes = EnumSet.allOf(IncludedResource.class);
    var queries = new ArrayList<Query<?>>();
    for (var dex : List.of("uniswap_v3", "curve")) {
      queries.add(new Query.DexPools(SimulatedPages.NETWORK, dex, includes, 1, PoolSort.H24_TX_COUNT_DESC, false));
    }
    queries.add(SimulatedPages.trendingQuery());
    pools(requireNonNull(cache.respond(queries.getFirst()).block())).keySet().stream()
        .sorted().limit(SINGLE_POOLS)
        .map(PeerComparison::address)
        .forEach(address -> queries.add(
            new Query.PoolByAddress(SimulatedPages.NETWORK, address, includes, false, false)));
    return queries;
  }

  private static String address(String pool) {
    return pool.substring(SimulatedPages.NETWORK.length() + 1);
  }

  private SimulatedRoutes routes() {
    return new SimulatedRoutes(key -> {
      calls.computeIfAbsent(key, name -> new AtomicInteger()).incrementAndGet();
      return true;
    }, cache, ResponseJournal.none(), InstantSource.system());
  }

  private List<String> poller(URI market, List<Query<?>> queries) {
    var command = ChildJvm.java(OPTIONS);
    command.addAll(List.of(JsonDiffPoller.class.getName(), kafka.bootstrapServers(), pollerTopic,
        MarketRoutes.KEY_HEADER, POLLER, Long.toString(TimeUnit.MINUTES.toMillis(1) / callsPerMinute)));
    queries.forEach(query -> command.add(market + "/onchain" + Endpoints.pathAndQuery(query)));
    return command;
  }

  private List<String> tidemark(Path folder, URI market, List<Query<?>> queries) throws IOException {
    var pools = queries.stream()
        .flatMap(query -> query instanceof Query.PoolByAddress pool ? Stream.of(pool.address()) : Stream.empty())
        .map("\"%s\": {}"::formatted)
        .collect(Collectors.joining(", "));
    var key = Files.writeString(folder.resolve("key"), TIDEMARK);
    var config = Files.writeString(folder.resolve("tidemark.yaml"), """
        kafka: { bootstrap-servers: "%s" }
        management: { port: 0 }
        sources:
          - prefix: %s
            base-url: %s
            keys: [ { key-file: "%s", per-minute: %d, per-month: 10000000 } ]
            refresh: { dex_pools: %ds, trending_pools: %6$ds, pool: %6$ds }
            watch:
              networks:
                %s:
                  trending: { durations: [24h] }
                  dexes: { uniswap_v3: {}, curve: {} }
                  pools: { %s }
        """.formatted(kafka.bootstrapServers(), topics.prefix(), market, key, callsPerMinute,
        REFRESH.toSeconds(), SimulatedPages.NETWORK, pools));
    return ChildJvm.programCommand(OPTIONS, "run", "--only", "poll", "--config", config.toString());
  }

  /** A process that is started several times, with its total processor time. */
  private static final class MeasuredProcess {
    private final List<String> command;
    private final Path log;
    private Duration processor = Duration.ZERO;
    private @Nullable Process process;

    MeasuredProcess(List<String> command, Path log) {
      this.command = List.copyOf(command);
      this.log = log;
    }

    void start() {
      try {
        process = new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Kills the process at once, if it runs. */
    void kill() {
      if (process != null) {
        processor = processor.plus(process.info().totalCpuDuration().orElse(Duration.ZERO));
        process.destroyForcibly().onExit().join();
        process = null;
      }
    }

    Duration processor() {
      return processor;
    }

    /** Fails with the output of the process if it made no calls. */
    void requireCalls(@Nullable AtomicInteger made) {
      if (made == null) {
        try {
          throw new IllegalStateException("peers: a process made no calls; its output is\n" + Files.readString(log));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }
}
