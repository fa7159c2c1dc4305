package io.tidemark.stream;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** The stream application in a process of its own, so that it can be killed. */
public final class StreamProcess {

  private StreamProcess() {}

  static Process start(TestCluster cluster, Path state) throws IOException {
    var client = new Properties();
    client.putAll(cluster.kafka.properties());
    var file = state.resolve("client.properties");
    try (var out = Files.newOutputStream(file)) {
      client.store(out, null);
    }
    var java = ProcessHandle.current().info().command().orElseThrow();
    return new ProcessBuilder(
        java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
        StreamProcess.class.getName(),
        cluster.kafka.bootstrapServers(), file.toString(), cluster.topics.prefix(), state.toString())
        .inheritIO()
        .start();
  }

  /** Runs until killed: for bootstrap servers, a file of client properties, prefix and state directory. */
  public static void main(String[] arguments) throws Exception {
    var client = new Properties();
    try (var in = Files.newInputStream(Path.of(arguments[1]))) {
      client.load(in);
    }
    var properties = client.stringPropertyNames().stream().collect(Collectors.toMap(name -> name, client::getProperty));
    var kafka = new KafkaAccess(arguments[0], properties);
    var topics = new Topics(arguments[2], Retention.DEFAULT);
    var registry = new BuiltInRegistry(topics.all());
    StreamApplication.start(topics, registry, registry, TestCluster.quarantine(topics), Traces.OFF,
        TestCluster.settings(kafka, Path.of(arguments[3]), Map.of()));
    Thread.currentThread().join();
  }
}
