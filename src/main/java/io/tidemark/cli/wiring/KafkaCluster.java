package io.tidemark.cli.wiring;

import io.tidemark.config.KafkaSettings;
import io.tidemark.embedded.EmbeddedBroker;
import java.io.IOException;
import java.net.BindException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;
import org.jspecify.annotations.Nullable;

/** A reachable Kafka cluster and the configuration that its clients share. */
public record KafkaCluster(String bootstrapServers, Map<String, Object> clientConfig) {

  private static final String ALLOWED_TOKEN_ENDPOINTS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  /** The token endpoints of all clusters of this process. */
  private static final Set<String> ALLOWED = new LinkedHashSet<>();

  private static final int REQUEST_TIMEOUT_MS = 10_000;
  /** Allows a second attempt for brokers that are busy. */
  private static final int CONNECT_TIMEOUT_MS = 2 * REQUEST_TIMEOUT_MS;

  /** Connects to the configured cluster; starts an embedded broker first where one is configured. */
  static KafkaCluster of(KafkaSettings kafka, RunningComponents parts) {
    var servers = kafka.embedded() == null
        ? String.valueOf(kafka.bootstrapServers())
        : parts.add("the embedded Kafka", start(kafka.embedded())).bootstrapServers();
    return connect(servers, kafka.properties());
  }

  /** Connects with further configuration of clients (TLS, SASL, ...). */
  public static KafkaCluster connect(String bootstrapServers, Map<String, String> properties) {
    allowTokenEndpoint(properties.get(SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL));
    var client = new HashMap<String, Object>(properties);
    client.put("bootstrap.servers", bootstrapServers);
    var cluster = new KafkaCluster(bootstrapServers, client);
    try (var admin = cluster.admin()) {
      admin.describeCluster(new DescribeClusterOptions().timeoutMs(CONNECT_TIMEOUT_MS)).nodes()
          .get(CONNECT_TIMEOUT_MS + 2_000, TimeUnit.MILLISECONDS);
      return cluster;
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE,
          "no Kafka answers at " + bootstrapServers + " (" + reasonOfNoAnswer(e)
              + "); check that it runs and that kafka.bootstrap-servers is right");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure(CommandFailure.NOT_REACHABLE,
          "interrupted while connecting to Kafka at " + bootstrapServers);
    }
  }

  /**
   * Allows the token endpoint of the configuration to Kafka's clients, which ask no other. A system property that the
   * user has set stays as it is: it protects programs that take properties of clients from strangers.
   */
  private static void allowTokenEndpoint(@Nullable String url) {
    if (url == null) {
      return;
    }
    synchronized (ALLOWED) {
      var before = System.getProperty(ALLOWED_TOKEN_ENDPOINTS);
      if (before == null || before.equals(String.join(",", ALLOWED))) {
        ALLOWED.add(url);
        System.setProperty(ALLOWED_TOKEN_ENDPOINTS, String.join(",", ALLOWED));
      }
    }
  }

  public Admin admin() {
    var config = new HashMap<>(clientConfig);
    config.put("default.api.timeout.ms", CONNECT_TIMEOUT_MS);
    config.put("request.timeout.ms", REQUEST_TIMEOUT_MS);
    return Admin.create(config);
  }

  private static EmbeddedBroker start(EmbeddedBroker.BrokerSettings settings) {
    if (!EmbeddedBroker.isInstalled()) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE,
          "this installation has no embedded Kafka (lib/embedded is missing); take the archive or the image with the tag"
              + " demo, or use a Kafka with kafka.bootstrap-servers");
    }
    try {
      return EmbeddedBroker.start(settings);
    } catch (BindException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "the embedded Kafka: " + e.getMessage());
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "the embedded Kafka cannot write to " + settings.dataFolder() + ": " + e.getMessage());
    } catch (KafkaException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "the embedded Kafka cannot start on " + settings.dataFolder() + ": " + reason(e)
              + "; check that no other process uses that folder");
    }
  }

  /** A timeout of the client names its calls, which say nothing to people. */
  private static String reasonOfNoAnswer(Exception failure) {
    return failure instanceof TimeoutException
        || failure.getCause() instanceof org.apache.kafka.common.errors.TimeoutException
            ? "none within " + CONNECT_TIMEOUT_MS / 1_000 + " s"
            : reason(failure);
  }

  private static String reason(Throwable failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
