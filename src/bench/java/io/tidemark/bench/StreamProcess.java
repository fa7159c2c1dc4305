package io.tidemark.bench;

import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.StreamApplication;
import io.tidemark.stream.StreamSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;

/**
 * An instance of a stream application in a separate process: of Tidemark's application, or of one that only puts values
 * into a store. It reports figures of its work.
 */
final class StreamProcess implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /**
   * Number of pauses in a row in which no record is processed and no record is unread, after which all records count as
   * processed.
   */
  private static final int QUIET_PAUSES = 7;

  private static final Duration TIMEOUT = Duration.ofMinutes(30);

  private final ChildJvm child;
  private final Path states;

  private StreamProcess(ChildJvm child, Path states) {
    this.child = child;
    this.states = states;
  }

  /**
   * Starts the application of a source.
   *
   * @param isEachMeasured whether Kafka Streams measures the processing time of each record, which is slower
   */
  static StreamProcess start(BenchSource source, boolean isEachMeasured) {
    return start(source, "ours", Boolean.toString(isEachMeasured));
  }

  /** Starts an application that reads the same topics with the same settings and only puts values into a store. */
  static StreamProcess startBare(BenchSource source, double putsOfAChange, int bytesOfAPut) {
    return start(source, "bare", Double.toString(putsOfAChange), Integer.toString(bytesOfAPut));
  }

  private static StreamProcess start(BenchSource source, String kind, String... more) {
    try {
      var states = Files.createTempDirectory("tidemark-bench-streams");
      var servers = String.valueOf(source.client().get("bootstrap.servers"));
      var arguments = Stream.concat(
          Stream.of(kind, servers, source.topics().prefix(), states.toString()),
          Stream.of(more)).toArray(String[]::new);
      return new StreamProcess(ChildJvm.start(Instance.class, arguments), states);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The figures of instances since they started.
   *
   * @param isRunning whether each instance has tasks and runs
   * @param processed processed records, including records between sub-topologies
   * @param unread unread records, as of the last fetch
   * @param puts puts into stores
   * @param putBytes bytes of the keys and values of these puts
   * @param longest maximum milliseconds for which one record occupied a task, since the last reset
   */
  record StreamFigures(boolean isRunning, long processed, long unread, long processorNanos, long puts, long putBytes,
      double longest) {
    private static StreamFigures parse(String line) {
      var parts = line.split(" ", -1);
      return new StreamFigures(Boolean.parseBoolean(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]),
          Long.parseLong(parts[3]), Long.parseLong(parts[4]), Long.parseLong(parts[5]), Double.parseDouble(parts[6]));
    }

    private StreamFigures plus(StreamFigures other) {
      return new StreamFigures(isRunning && other.isRunning, processed + other.processed, unread + other.unread,
          processorNanos + other.processorNanos, puts + other.puts, putBytes + other.putBytes,
          Math.max(longest, other.longest));
    }
  }

  /** Returns the sum of the figures of the instances. */
  static StreamFigures figures(List<StreamProcess> instances) {
    return instances.stream().map(each -> StreamFigures.parse(each.child.ask("figures")))
        .reduce(StreamFigures::plus).orElseThrow();
  }

  static void awaitRunning(List<StreamProcess> instances) {
    await(() -> figures(instances).isRunning());
  }

  /** Waits until all committed records are read and processed. */
  static StreamFigures awaitDone(List<StreamProcess> instances) {
    var quiet = new Object() {
      int pauses;
      StreamFigures figures = figures(instances);
    };
    await(() -> {
      var now = figures(instances);
      var isQuiet = now.isRunning() && now.unread() == 0 && now.processed() == quiet.figures.processed();
      quiet.pauses = isQuiet ? quiet.pauses + 1 : 0;
      quiet.figures = now;
      return quiet.pauses >= QUIET_PAUSES;
    });
    return quiet.figures;
  }

  /** Resets the maximum time for which a record occupied a task. */
  void resetLongest() {
    child.ask("reset");
  }

  private static void await(BooleanSupplier isDone) {
    var end = System.nanoTime() + TIMEOUT.toNanos();
    while (!isDone.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("a stream application did not finish within " + TIMEOUT);
      }
      AdminCalls.sleep(PAUSE);
    }
  }

  @Override
  public void close() {
    child.close();
    BenchKafka.delete(states);
  }

  /** The process of an instance. */
  static final class Instance {
    private static final Duration COMMIT_INTERVAL = Duration.ofMillis(200);
    private static final double MILLISECOND = 1e6;

    /** Length of a sample of the processing times of records. Kafka Streams holds two samples. */
    private static final Duration SAMPLE = Duration.ofMillis(500);

    private final KafkaStreams streams;
    private final DoubleAccumulator longest = new DoubleAccumulator(Math::max, 0);

    private Instance(KafkaStreams streams) {
      this.streams = streams;
    }

    /** Runs until the parent process ends it. */
    public static void main(String[] arguments) throws IOException {
      var topics = new Topics(arguments[2], Retention.DEFAULT);
      var isEachMeasured = Boolean.parseBoolean(arguments[4]);
      var settings = new StreamSettings(arguments[1], Path.of(arguments[3]), 1, COMMIT_INTERVAL, isEachMeasured
          ? Map.of(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "DEBUG",
              StreamsConfig.METRICS_SAMPLE_WINDOW_MS_CONFIG, Long.toString(SAMPLE.toMillis()))
          : Map.of());
      var instance = new Instance(arguments[0].equals("ours")
          ? application(topics, settings).kafka()
          : BareStreams.startPutting(
              topics, settings, Double.parseDouble(arguments[4]), Integer.parseInt(arguments[5])));
      instance.serve(isEachMeasured);
      Runtime.getRuntime().halt(0);
    }

    private static StreamApplication application(Topics topics, StreamSettings settings) {
      var registry = new BuiltInRegistry(topics.all());
      var quarantine =
          new Quarantine("main", ReaderRole.STREAM, StreamApplication.inputs(topics), InstantSource.system());
      return StreamApplication.start(topics, registry, registry, quarantine, Traces.OFF, settings);
    }

    private void serve(boolean isEachMeasured) throws IOException {
      if (isEachMeasured) {
        Thread.ofPlatform().daemon().name("bench-samples").start(this::sampleWithoutEnd);
      }
      var requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (var request = requests.readLine(); request != null; request = requests.readLine()) {
        if (request.equals("reset")) {
          AdminCalls.sleep(SAMPLE.multipliedBy(3));
          longest.reset();
        }
        if (isEachMeasured) {
          sample();
        }
        ChildJvm.reply(figures());
      }
    }

    private void sampleWithoutEnd() {
      while (true) {
        sample();
        AdminCalls.sleep(SAMPLE.dividedBy(4));
      }
    }

    private void sample() {
      streams.metrics().forEach((name, metric) -> {
        if (name.name().equals("process-latency-max") && name.group().equals("stream-task-metrics")) {
          longest.accumulate(number(metric));
        }
      });
    }

    private String figures() {
      var hasTasks = streams.metadataForLocalThreads().stream().anyMatch(thread -> !thread.activeTasks().isEmpty());
      return String.format(Locale.ROOT, "%s %.0f %.0f %d %.0f %.0f %.3f",
          streams.state() == KafkaStreams.State.RUNNING && hasTasks,
          sum("stream-thread-metrics", "process-total", name -> true),
          sum("consumer-fetch-manager-metrics", "records-lag",
              name -> name.tags().containsKey("partition") && !name.tags().getOrDefault("client-id", "").contains(
                  "restore")),
          ProcessorTime.withoutCompilers() - ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime(),
          sum("producer-topic-metrics", "record-send-total", Instance::isOfChangelog),
          sum("producer-topic-metrics", "byte-total", Instance::isOfChangelog),
          longest.get() / MILLISECOND);
    }

    private static boolean isOfChangelog(MetricName name) {
      return name.tags().getOrDefault("topic", "").endsWith("-changelog");
    }

    private double sum(String group, String name, Predicate<MetricName> which) {
      return streams.metrics().entrySet().stream()
          .filter(each -> each.getKey().group().equals(group) && each.getKey().name().equals(name))
          .filter(each -> which.test(each.getKey()))
          .mapToDouble(each -> number(each.getValue())).sum();
    }

    private static double number(Metric metric) {
      return metric.metricValue() instanceof Double number && Double.isFinite(number) ? number : 0;
    }
  }
}
