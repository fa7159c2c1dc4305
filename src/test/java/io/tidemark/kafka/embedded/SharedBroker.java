package io.tidemark.kafka.embedded;

import io.tidemark.kafka.BrokerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;

/** The one broker of a test JVM: started on first use, stopped and its data deleted when the JVM ends. */
public final class SharedBroker {

  private static final AtomicInteger PREFIXES = new AtomicInteger();

  private SharedBroker() {}

  public static String bootstrapServers() {
    return Started.BROKER.bootstrapServers();
  }

  public static KafkaAccess access() {
    return KafkaAccess.open(bootstrapServers());
  }

  /** A topic prefix that no other test of this JVM gets, such as {@code t3.}: tests share the broker, not topics. */
  public static String freshPrefix() {
    return "t" + PREFIXES.incrementAndGet() + ".";
  }

  private static final class Started {

    static final EmbeddedBroker BROKER = start();

    private static EmbeddedBroker start() {
      try {
        var data = Files.createTempDirectory("tidemark-broker");
        var broker = EmbeddedBroker.start(new BrokerSettings(0, data));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(broker, data)));
        return broker;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void stop(EmbeddedBroker broker, Path data) {
      broker.close();
      try (var files = Files.walk(data)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
