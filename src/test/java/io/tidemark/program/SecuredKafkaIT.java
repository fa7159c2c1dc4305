package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.capture.source.SourceSlots;
import io.tidemark.cli.Main;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.SourceSlot;
import io.tidemark.eventlog.ProgramProcess;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.embedded.Certificates;
import io.tidemark.kafka.embedded.DocumentedAcls;
import io.tidemark.kafka.embedded.Grants;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.embedded.SecuredBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
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
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All roles and commands on a Kafka with TLS, login and the ACLs that docs/running/security.md documents. */
class SecuredKafkaIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final String PREFIX = "tidemark.";
  static final String SECRET = "pass-4f9a";
  static final String KEY = "key-77c1";
  static final List<AclBinding> RIGHTS = DocumentedAcls.ofTidemark("tidemark", PREFIX);
  static final List<AclBinding> READERS_RIGHTS = DocumentedAcls.ofReader("reader", PREFIX);

  static final String RULES = """
      rules:
        - { name: mine, on: pool.changes, when: "price.move_percent > 1.0", annotations: { summary: "moved" } }
      """;

  @TempDir
  static Path folder;

  static int managementPort = freePort();
  static MarketServer market;
  static SecuredBroker broker;

  @BeforeAll
  static void open() throws Exception {
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market = SimulatedMarketServer.start(
        SimulatedMarketServer.LOOPBACK, 0, KEY, world, operation -> Duration.ofSeconds(1), ResponseJournal.none());
    broker = new SecuredBroker(folder, Certificates.in(folder),
        Map.of(SecuredBroker.ADMIN, "admin-secret", "tidemark", SECRET, "reader", "read-31b0"));
    try (var admin = Admin.create(broker.access(SecuredBroker.ADMIN).client())) {
      Grants.add(admin, RIGHTS);
      Grants.add(admin, READERS_RIGHTS);
      admin.createTopics(List.of(new NewTopic(PREFIX + "dead-letters", 1, (short) 1)
          .configs(Map.of("retention.ms", "1000")))).all().get(); // not the configured one: it is brought to that
    }
    Files.writeString(folder.resolve("mine.yaml"), RULES);
    configuration("tidemark.yaml", broker.access("tidemark"));
    configuration("reader.yaml", broker.access("reader"));
    configuration("wrong.yaml", broker.access("tidemark", SECRET + "x"));
  }

  @AfterAll
  static void close() {
    broker.close();
    market.close();
  }

  @Test
  void documentedAcls_sufficeAndNoneIsSpare_andNoSecretIsPrinted() throws Exception {
    assertThat(run("check", "tidemark.yaml")).contains("exit 0").contains("Kafka: answers");

    try (var program = ProgramProcess.start(folder, "run", "--config", "tidemark.yaml", "--stream-states", "streams")) {
      await().atMost(TIMEOUT).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
        program.assertAtWork();
        return ask("/health/ready").statusCode() == 200;
      });
      writeCommandOfALaterVersion();
      readAsAReader();
      writeAsTheProgram();
      assertThat(ask("/metrics").body() + ask("/health/ready").body() + commandLines()).contains("tidemark_")
          .doesNotContain(SECRET).doesNotContain(KEY);
      program.stop();
    }
    moreSources(9);

    assertThat(logs()).doesNotContain(SECRET).doesNotContain(KEY).doesNotContain("AuthorizationException");
    assertThat(broker.requests("tidemark")).filteredOn(request -> !request.allowed()).as("denied").isEmpty();
    assertThat(broker.requests("reader")).filteredOn(request -> !request.allowed()).as("denied").isEmpty();
    assertThat(DocumentedAcls.spare(RIGHTS, broker.requests("tidemark"))).as("rights that nothing needs").isEmpty();
    assertThat(DocumentedAcls.spare(READERS_RIGHTS, broker.requests("reader"))).as("rights that no reader needs")
        .isEmpty();
  }

  @Test
  void wrongPassword_isReportedWithoutPrintingIt() {
    assertThat(run("check", "wrong.yaml")).contains("exit 3").contains("Authentication failed").doesNotContain(SECRET);
  }

  /** Readers look its schema up; nobody has published it. */
  private static void writeCommandOfALaterVersion() throws Exception {
    try (var producer = new KafkaProducer<>(
        broker.access("tidemark").client(), new StringSerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(PREFIX + "watch", "later/command", new byte[] {0, 0, 0, 0, 7})).get();
    }
  }

  private void readAsAReader() {
    assertThat(run("tail", "reader.yaml", "pool.changes", "--from", "beginning", "--count", "5", "--format", "json"))
        .contains("exit 0").contains("tidemark.pool.changes");
    assertThat(run("topics", "reader.yaml")).contains("exit 0").doesNotContain("missing");
    assertThat(run("audit", "reader.yaml")).contains("exit 0");
    assertThat(run("dead-letters list", "reader.yaml")).contains("exit 0");
    assertThat(run("rules list", "reader.yaml")).contains("exit 0").contains("rules in force");
    assertThat(run("rules explain", "reader.yaml", "nothing")).contains("no alert has the id");
  }

  private void writeAsTheProgram() {
    assertThat(run("rules apply", "tidemark.yaml", folder.resolve("mine.yaml").toString())).contains("exit 0");
    assertThat(run("rules silence", "tidemark.yaml", "--rule", "mine")).contains("exit 0");
    assertThat(run("rules drop", "tidemark.yaml", "mine")).contains("exit 0");
    assertThat(run("rules backtest", "tidemark.yaml")).contains("exit 0");
    assertThat(run("receivers list", "tidemark.yaml")).contains("exit 0");
    assertThat(run("dead-letters replay", "tidemark.yaml")).contains("exit 0");
  }

  /** Claims so many slots that their topic has to grow. */
  private static void moreSources(int count) {
    var sources = IntStream.range(0, count)
        .mapToObj(each -> SourceSlot.newBuilder().setSource("more-" + each).setPrefix("more.").build()).toList();
    assertThat(
        SourceSlots.claim(sources, broker.access("tidemark").client(), ClusterTopics.UNPREFIXED,
            new BuiltInRegistry(List.of(ClusterTopics.UNPREFIXED.sources())),
            (short) 1))
        .hasSize(count);
  }

  /** What a command printed, with its exit code. */
  private String run(String command, String config, String... arguments) {
    var output = new StringWriter();
    var commandLine = Stream.of(Stream.of(command.split(" ")), Stream.of("--config", folder.resolve(config).toString()),
        Stream.of(arguments)).flatMap(each -> each);
    var exitCode = Main.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(output))
        .execute(commandLine.toArray(String[]::new));
    return output + "exit " + exitCode;
  }

  private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    var address = URI.create("http://127.0.0.1:" + managementPort + path);
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    }
  }

  /** The command lines, as in {@code ps}. */
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

  private static void configuration(String name, KafkaAccess kafka) throws IOException {
    Files.writeString(folder.resolve("market-key"), KEY);
    Files.writeString(folder.resolve("hook"), "http://127.0.0.1:1/hook");
    Files.writeString(folder.resolve(name), kafka.section(folder) + """
        topics: { partitions: 1 }
        web: { port: 0 }
        management: { port: %d }
        receivers: [ { name: nobody, format: plain, url-file: hook, private-addresses: true } ]
        sources:
          - base-url: %s
            keys: [ { key-file: market-key, per-minute: 3000, per-month: 100000000 } ]
            refresh: { new_pools: 1s, global: 1s }
            watch: { networks: { solana: { new-pools: {} } }, global: {} }
        """.formatted(managementPort, market.baseUrl()));
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
