package io.tidemark.cli;

import io.tidemark.cli.settings.KafkaSettings;
import io.tidemark.embedded.Broker;
import java.io.IOException;
import java.net.BindException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/** A Kafka cluster that answers, and what clients of it are made with. */
record Cluster(String bootstrapServers, Map<String, Object> client) {

  private static final int PATIENCE_MS = 10_000;
  /** A second try for brokers that are there and busy. */
  private static final int REACHED_WITHIN_MS = 2 * PATIENCE_MS;

  /** The configured one; an embedded broker is started. */
  static Cluster of(KafkaSettings kafka, Running running) {
    var servers = kafka.embedded() == null
        ? String.valueOf(kafka.bootstrapServers())
        : running.add("the embedded Kafka", start(kafka.embedded())).bootstrapServers();
    return reach(servers, kafka.properties());
  }

  /** @param properties anything else that clients need (TLS, SASL, ...) */
  static Cluster reach(String bootstrapServers, Map<String, String> properties) {
    var client = new HashMap<String, Object>(properties);
    client.put("bootstrap.servers", bootstrapServers);
    var cluster = new Cluster(bootstrapServers, client);
    try (var admin = cluster.admin()) {
      admin.describeCluster(new DescribeClusterOptions().timeoutMs(REACHED_WITHIN_MS)).nodes()
          .get(REACHED_WITHIN_MS + 2_000, TimeUnit.MILLISECONDS);
      return cluster;
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new Failed(Failed.NOT_REACHABLE, "no Kafka answers at " + bootstrapServers + " (" + reason(e)
          + "): is it up, and is kafka.bootstrap-servers right?");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failed(Failed.NOT_REACHABLE, "interrupted while reaching Kafka at " + bootstrapServers);
    }
  }

  Admin admin() {
    var config = new HashMap<>(client);
    config.put("default.api.timeout.ms", REACHED_WITHIN_MS);
    config.put("request.timeout.ms", PATIENCE_MS);
    return Admin.create(config);
  }

  private static Broker start(Broker.Settings settings) {
    try {
      return Broker.start(settings);
    } catch (BindException e) {
      throw new Failed(Failed.FOUND_WRONG, "Kafka: " + e.getMessage());
    } catch (IOException e) {
      throw new Failed(Failed.FOUND_WRONG, "Kafka cannot keep its data in " + settings.data() + ": " + e.getMessage());
    } catch (KafkaException e) {
      throw new Failed(Failed.FOUND_WRONG, "Kafka cannot start on " + settings.data() + ": " + reason(e)
          + "; is another Tidemark using that folder?");
    }
  }

  private static String reason(Throwable failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
