package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.embedded.Certificates;
import io.tidemark.embedded.SecuredBroker;
import io.tidemark.http.Journal;
import io.tidemark.http.MarketServer;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.tape.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program on a Kafka that demands TLS and a login, with the rights that docs/security.md names and no more. */
class SecuredKafkaIT {

  static final Duration PATIENCE = Duration.ofMinutes(4);
  static final String SECRET = "pass-4f9a";
  static final String KEY = "key-77c1";

  @TempDir Path folder;

  final int managementPort = freePort();
  MarketServer market;
  SecuredBroker broker;

  @BeforeEach
  void open() throws Exception {
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market = Market.start(0, KEY, world, operation -> Duration.ofSeconds(1), Journal.none());
    broker = new SecuredBroker(folder, Certificates.in(folder),
        Map.of(SecuredBroker.ADMIN, "admin-secret", "tidemark", SECRET, "reader", "read-31b0"));
    try (var admin = Admin.create(broker.client(SecuredBroker.ADMIN))) {
      admin.createAcls(Rights.ofTidemark("tidemark")).all().get();
      admin.createAcls(Rights.ofReader("reader")).all().get();
    }
    configuration("tidemark.yaml", broker.login("tidemark"));
    configuration("reader.yaml", broker.login("reader"));
    configuration("wrong.yaml", SecuredBroker.login("tidemark", SECRET + "x"));
  }

  @AfterEach
  void close() {
    broker.close();
    market.close();
  }

  @Test
  void documentedRights_sufficeAndNothingSecretShows() throws Exception {
    assertThat(run("check", "tidemark.yaml")).contains("exit 0").contains("Kafka: answers");

    try (var program = Program.start(folder, "run", "--config", "tidemark.yaml", "--stream-states", "streams")) {
      await().atMost(PATIENCE).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
        program.assertAtWork();
        return ask("/health/ready").statusCode() == 200;
      });
      assertThat(run("tail", "reader.yaml", "pool.changes", "--from", "beginning", "--count", "5", "--format", "json"))
          .contains("exit 0").contains("tidemark.pool.changes");
      assertThat(run("topics", "reader.yaml")).contains("exit 0").doesNotContain("missing");
      assertThat(ask("/metrics").body() + ask("/health/ready").body() + commandLines()).contains("tidemark_")
          .doesNotContain(SECRET).doesNotContain(KEY);
    }

    assertThat(logs()).doesNotContain(SECRET).doesNotContain(KEY).doesNotContain("AuthorizationException");
  }

  @Test
  void wrongPassword_isToldWithoutShowingIt() {
    assertThat(run("check", "wrong.yaml")).contains("exit 3").contains("Authentication failed").doesNotContain(SECRET);
  }

  /** What a command printed, with its exit code. */
  private String run(String command, String config, String... arguments) {
    var said = new StringWriter();
    var words = Stream.concat(Stream.of(command, "--config", folder.resolve(config).toString()), Stream.of(arguments));
    var exitCode = Main.commandLine().setOut(new PrintWriter(said)).setErr(new PrintWriter(said))
        .execute(words.toArray(String[]::new));
    return said + "exit " + exitCode;
  }

  private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    var address = URI.create("http://127.0.0.1:" + managementPort + path);
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }
  }

  /** As {@code ps} shows them. */
  private static String commandLines() {
    return ProcessHandle.current().children().map(each -> each.info().commandLine().orElse("")).toList().toString();
  }

  private String logs() throws IOException {
    var all = new StringBuilder();
    try (var files = Files.newDirectoryStream(folder, "*.log")) {
      for (var file : files) {
        all.append(Files.readString(file));
      }
    }
    return all.toString();
  }

  private void configuration(String name, String login) throws IOException {
    Files.writeString(folder.resolve(name + ".jaas"), login);
    Files.writeString(folder.resolve("market-key"), KEY);
    Files.writeString(folder.resolve(name), """
        kafka:
          bootstrap-servers: %s
          properties:
            security.protocol: SASL_SSL
            sasl.mechanism: SCRAM-SHA-512
            sasl.jaas.config-file: %s.jaas
            ssl.truststore.type: PEM
            ssl.truststore.location: %s
        topics: { partitions: 2 }
        web: { port: 0 }
        management: { port: %d }
        sources:
          - base-url: %s
            keys: [ { key-file: market-key, per-minute: 3000, per-month: 100000000 } ]
            refresh: { new_pools: 1s, global: 1s }
            watch: { networks: { solana: { new-pools: {} } }, global: {} }
        """.formatted(broker.bootstrapServers(), name, folder.resolve("ca.pem"), managementPort, market.baseUrl()));
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
