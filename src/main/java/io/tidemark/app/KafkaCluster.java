package io.tidemark.app;

import io.tidemark.app.config.KafkaSettings;
import io.tidemark.kafka.BrokerSettings;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/** A Kafka cluster and the configuration that its clients share. */
public record KafkaCluster(String bootstrapServers, Map<String, Object> clientConfig) {

  private static final String ALLOWED_TOKEN_ENDPOINTS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

  private static final int REQUEST_TIMEOUT_MS = 10_000;
  /** Time to wait for the answer to a call. It suffices for a second request if the brokers are busy. */
  private static final int CONNECT_TIMEOUT_MS = 2 * REQUEST_TIMEOUT_MS;

  /**
   * Returns the configured cluster after it has answered a request. Starts the embedded broker first if one is
   * configured.
   */
  static KafkaCluster of(KafkaSettings kafka, RunningComponents parts) {
    var servers = kafka.embedded() == null
        ? String.valueOf(kafka.bootstrapServers())
        : start(kafka.embedded(), parts);
    return connect(servers, kafka.properties());
  }

  /**
   * Returns a cluster, with further client properties (TLS, SASL, ...), after it has answered a request. Keeps no
   * connection.
   *
   * @throws CommandFailure if the cluster does not answer
   */
  public static KafkaCluster connect(String bootstrapServers, Map<String, String> properties) {
    var cluster = at(bootstrapServers, properties);
    cluster.connectedAdmin().close();
    return cluster;
  }

  /** Returns a cluster without connecting to it. */
  public static KafkaCluster at(String bootstrapServers, Map<String, String> properties) {
    allowTokenEndpoint(properties.get(SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL));
    var client = new HashMap<String, Object>(properties);
    client.put("bootstrap.servers", bootstrapServers);
    return new KafkaCluster(bootstrapServers, client);
  }

  /**
   * Creates an admin client, and returns it after the cluster has answered its first request.
   *
   * @throws CommandFailure if the cluster does not answer
   */
  public Admin connectedAdmin() {
    Admin admin = null;
    try {
      admin = admin();
      admin.describeCluster(new DescribeClusterOptions().timeoutMs(CONNECT_TIMEOUT_MS)).nodes()
          .get(CONNECT_TIMEOUT_MS + 2_000, TimeUnit.MILLISECONDS);
      return admin;
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      Utils.closeQuietly(admin, "admin client");
      throw noAnswer(reasonOfNoAnswer(e), isPlaintext()
          ? "; if the listener asks for TLS or a login, set security.protocol and what it needs under kafka.properties"
          : "");
    } catch (InterruptedException e) {
      Utils.closeQuietly(admin, "admin client");
      Thread.currentThread().interrupt();
      throw new CommandFailure(CommandFailure.NOT_REACHABLE,
          "interrupted while connecting to Kafka at " + bootstrapServers);
    }
  }

  /**
   * Returns this cluster, unless all of its addresses refuse connections. With this check, an interactive command fails
   * immediately instead of waiting for a broker to start at one of the addresses.
   *
   * @throws CommandFailure if nothing listens at any address of the cluster
   */
  public KafkaCluster requireListener() {
    if (Stream.of(bootstrapServers.split(",")).allMatch(KafkaCluster::isRefused)) {
      throw noAnswer("nothing listens there", "");
    }
    return this;
  }

  /** Returns whether an address refuses connections. Kafka's client reports any other problem with the address. */
  private static boolean isRefused(String address) {
    var parsed = Utils.getHost(address);
    var port = Utils.getPort(address);
    if (parsed == null || port == null) {
      return false;
    }
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(parsed, port), REQUEST_TIMEOUT_MS);
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException | IllegalArgumentException e) {
      return false;
    }
  }

  private CommandFailure noAnswer(String reason, String furtherAdvice) {
    return new CommandFailure(CommandFailure.NOT_REACHABLE, "no Kafka answers at " + bootstrapServers + " (" + reason
        + "); check that Kafka runs there and that kafka.bootstrap-servers is right" + furtherAdvice);
  }

  private boolean isPlaintext() {
    return "PLAINTEXT".equals(clientConfig.getOrDefault("security.protocol", "PLAINTEXT"));
  }

  /**
   * Allows Kafka's clients to ask the configured token endpoint, unless the user has set the system property with the
   * allowed endpoints. The property protects programs that accept client properties from strangers; Tidemark's clients
   * use only the configured endpoint.
   */
  private static void allowTokenEndpoint(@Nullable String url) {
    if (url != null && System.getProperty(ALLOWED_TOKEN_ENDPOINTS) == null) {
      System.setProperty(ALLOWED_TOKEN_ENDPOINTS, url);
    }
  }

  public Admin admin() {
    var config = new HashMap<>(clientConfig);
    config.put("default.api.timeout.ms", CONNECT_TIMEOUT_MS);
    config.put("request.timeout.ms", REQUEST_TIMEOUT_MS);
    return Admin.create(config);
  }

  private static String start(BrokerSettings settings, RunningComponents parts) {
    var starter = ServiceLoader.load(BrokerStarter.class).findFirst()
        .orElseThrow(() -> new CommandFailure(CommandFailure.WRONG_USAGE,
            "this installation has no embedded Kafka (lib/embedded is missing); use a release archive or the"
                + " container image with the tag demo, or set kafka.bootstrap-servers to the address of a cluster"));
    try {
      return starter.start(settings, parts);
    } catch (BindException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "the embedded Kafka cannot start; " + e.getMessage());
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "the embedded Kafka cannot write to " + settings.dataFolder() + ": " + e.getMessage());
    } catch (KafkaException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "the embedded Kafka cannot start with the data folder " + settings.dataFolder() + ": " + reason(e)
              + "; check that no other process uses that folder");
    }
  }

  /** The text of a timeout is replaced, because it names internal calls of the client. */
  private static String reasonOfNoAnswer(Exception failure) {
    return failure instanceof TimeoutException
        || failure.getCause() instanceof org.apache.kafka.common.errors.TimeoutException
            ? "no answer within " + CONNECT_TIMEOUT_MS / 1_000 + " s"
            : reason(failure);
  }

  private static String reason(Throwable failure) {
    var cause = failure.getCause() == null ? failure : failure.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }
}
