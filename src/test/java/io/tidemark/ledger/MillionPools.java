package io.tidemark.ledger;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.PublishSettings;
import io.tidemark.embedded.EmbeddedBroker;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Retention;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.TopicLayout;
import io.tidemark.topic.TopicSetup;
import io.tidemark.topic.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * A measurement: how fast very many pools are restored, beside a consumer that does nothing but read and decode them,
 * and how much memory the whole process has meanwhile. To be run as BENCHMARKS.md says.
 */
public final class MillionPools {

  private static final int MILLION = 1_000_000;
  private static final int READS = 20_000;
  private static final TopicLayout LAYOUT = new TopicLayout(6, (short) 1);
  private static final Topics TOPICS = new Topics("many.", Retention.DEFAULT);
  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(TOPICS.all());
  private static final Duration MONTH = Duration.ofDays(30);

  /** The requirements. */
  private static final double LEAST_RATIO = 0.6;
  private static final double TIMES_ENCODED = 1.5;
  private static final long MORE_FOR_EACH = 200;

  private final LedgerSettings settings;
  private final int count;
  private final Instant now = Instant.now();

  private MillionPools(String bootstrapServers, int count) {
    this.settings =
        new LedgerSettings("main", "measurement", TOPICS, LAYOUT, Map.of("bootstrap.servers", bootstrapServers));
    this.count = count;
  }

  /** Of how many pools: a million by default. In a process of its own, Kafka and the topics in it. */
  public static void main(String[] arguments) throws IOException {
    var count = arguments.length == 0 ? MILLION : Integer.parseInt(arguments[0]);
    if (arguments.length == 2) {
      fill(count, Path.of(arguments[1]));
      ChildProcess.endWithTheOther();
    }
    var folder = Files.createTempDirectory("tidemark-many");
    try (var kafka = ChildProcess.start(MillionPools.class, Integer.toString(count), folder.toString())) {
      var parts = kafka.line("kafka ").split(" ");
      System.exit(new MillionPools(parts[0], count).measure(Long.parseLong(parts[1])) ? 0 : 1);
    }
  }

  private static void fill(int count, Path folder) throws IOException {
    var broker = EmbeddedBroker.start(new EmbeddedBroker.BrokerSettings(0, folder));
    Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (var admin = Admin.create(kafka)) {
      new TopicSetup(admin, LAYOUT).ensure(TOPICS.all());
    }
    var now = Instant.now();
    var first = new LedgerSettings("main", "measurement", TOPICS, LAYOUT, kafka);
    Ledger.start(first, REGISTRY, ProducerFactory.KAFKA, () -> now).close();
    var sizes = new PoolTopics(TOPICS, REGISTRY, RecordedPools.observedAt(now), now).write(count, kafka);
    System.out.printf("%,d pools, encoded: median %d bytes, mean %.0f, largest %d%n",
        count, sizes[count / 2], IntStream.of(sizes).average().orElseThrow(), sizes[count - 1]);
    System.out.println("kafka " + broker.bootstrapServers() + " " + IntStream.of(sizes).asLongStream().sum());
  }

  /** Each twice, the better one counts: the first time, the machine's code is not compiled yet. */
  private boolean measure(long encoded) {
    var bare = bare();
    var restored = restored();
    bare = bare().orBetter(bare);
    restored = restored().orBetter(restored);
    var memory = ProcessMemory.ofThisProcess();
    var bound = (long) (TIMES_ENCODED * encoded) + MORE_FOR_EACH * count;
    var ratio = bare.seconds() / restored.seconds();
    System.out.printf("restore to bare consumer: %.2f (at least %.2f is asked); by processor time %.2f%n",
        ratio, LEAST_RATIO, bare.processor() / restored.processor());
    System.out.printf("memory of the whole process: %s; at most %,d MiB is required: 1.5 x %,d MiB + 200 bytes each%n",
        memory, bound >> 20, encoded >> 20);
    return ratio >= LEAST_RATIO && memory.peak() <= bound;
  }

  private Measurement bare() {
    return measured("bare consumer: read and decoded", () -> {
      var topic = TOPICS.pool().state();
      var serde = topic.serde(REGISTRY);
      var read = 0;
      try (var consumer = settings.consumer()) {
        var partitions = IntStream.range(0, LAYOUT.partitions())
            .mapToObj(number -> new TopicPartition(topic.name(), number)).toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        while (read < count) {
          for (var record : consumer.poll(Duration.ofSeconds(1))) {
            read += serde.decode(topic.name(), record.value()).getRevision() > 0 ? 1 : 0;
          }
        }
      }
      return read;
    });
  }

  /** From nothing to where polling may begin. */
  private Measurement restored() {
    var start = Measurement.begin();
    try (var ledger =
        Ledger.start(settings, REGISTRY, ProducerFactory.KAFKA, InstantSource.system())) {
      var detection = new ChangeDetector(PublishSettings.MATERIAL, MONTH, MONTH, now, now);
      var deadlines = new Deadlines(detection, ledger.states(), List.of("pool"));
      var restored = start.end();
      print("restored", count, restored);
      measured("meanwhile, in portions: the deadlines of each", () -> {
        while (deadlines.readNext(now)) {
          // the next portion
        }
        return count;
      });
      var ids = ids();
      measured("read one by one, and decoded",
          () -> (int) ids.stream().filter(id -> ledger.states().find("pool", id) != null).count());
      return restored;
    }
  }

  private List<String> ids() {
    var pools = RecordedPools.observedAt(now);
    return new Random(1).ints(READS, 0, count)
        .mapToObj(number -> PoolTopics.pool(pools, number).getKnown().getId())
        .toList();
  }

  private static Measurement measured(String what, Supplier<Integer> work) {
    var start = Measurement.begin();
    var count = work.get();
    var measured = start.end();
    print(what, count, measured);
    return measured;
  }

  private static void print(String what, int count, Measurement measured) {
    System.out.printf("%s: %,d in %s, %,.0f a second; memory %s%n",
        what, count, measured, count / measured.seconds(), ProcessMemory.ofThisProcess());
  }
}
