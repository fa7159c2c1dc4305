package io.tidemark.bench;

import io.tidemark.bench.BenchPart.BenchProgress;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.embedded.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The cluster of the bench: an existing one, or an embedded broker in a separate process, started when needed. */
public final class BenchKafka implements AutoCloseable {
  private @Nullable String bootstrapServers;
  private @Nullable ChildJvm broker;
  private @Nullable Path data;

  /** Filled sources, by the requested number of resources. */
  private final Map<Integer, FilledSource> filled = new HashMap<>();

  private BenchKafka(@Nullable String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /** Uses an existing cluster, given as host:port, in which the bench creates and deletes topics. */
  public static BenchKafka at(String bootstrapServers) {
    return new BenchKafka(bootstrapServers);
  }

  public static BenchKafka embedded() {
    return new BenchKafka(null);
  }

  /** Returns whether the cluster still exists after the bench. */
  boolean isForeign() {
    return broker == null;
  }

  /** Returns the configuration that any client of the cluster needs. */
  Map<String, Object> client() {
    return Map.of("bootstrap.servers", bootstrapServers());
  }

  synchronized String bootstrapServers() {
    if (bootstrapServers == null) {
      try {
        data = Files.createTempDirectory("tidemark-bench");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      broker = ChildJvm.start(Broker.class, data.toString());
      bootstrapServers = broker.answer();
    }
    return bootstrapServers;
  }

  /**
   * Returns a source that watched the given number of resources. The source is filled for the first part that requests
   * it, and kept for later parts.
   */
  synchronized FilledSource filled(int resources, BenchProgress progress) {
    var known = filled.get(resources);
    if (known == null) {
      known = FilledSource.fill(BenchSource.create(this), resources, progress);
      filled.put(resources, known);
    }
    return known;
  }

  /**
   * A source with the states of many resources.
   *
   * @param resources number of pools and tokens that have a state
   */
  record FilledSource(BenchSource source, long resources) {
    private static FilledSource fill(BenchSource source, int resources, BenchProgress progress) {
      try (var ledger = source.ledger(ProducerFactory.KAFKA)) {
        source.fill(ledger, new SimulatedPages(Instant.now()), resources / RestoreBench.RESOURCES_OF_PAGE, progress);
        return new FilledSource(source, ledger.states().size("pool") + ledger.states().size("token"));
      }
    }
  }

  @Override
  public synchronized void close() {
    filled.values().forEach(each -> each.source().close());
    if (broker != null) {
      broker.close();
    }
    if (data != null) {
      delete(data);
    }
  }

  static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(BenchKafka::deleteFile);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void deleteFile(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process of the embedded broker. */
  static final class Broker {
    private Broker() {}

    /** Replies with the broker's address once the broker is ready for clients. Ends with the parent process. */
    public static void main(String[] arguments) throws IOException {
      var started = EmbeddedBroker.start(new BrokerSettings(0, Path.of(arguments[0])));
      ChildJvm.reply(started.bootstrapServers());
      while (System.in.read() >= 0) {
        // until the parent process closes it
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
