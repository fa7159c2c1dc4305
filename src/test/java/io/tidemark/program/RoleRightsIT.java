package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.RequiredRight;
import io.tidemark.app.RequiredRight.KafkaUser;
import io.tidemark.app.Role;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.eventlog.ProgramProcess;
import io.tidemark.kafka.embedded.Certificates;
import io.tidemark.kafka.embedded.DocumentedAcls;
import io.tidemark.kafka.embedded.Grants;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.embedded.SecuredBroker;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster in which others create topics and users: each role runs in a process of its own, with the topics and the
 * rights that {@code tidemark topics} prints, and nothing else.
 */
class RoleRightsIT {

  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final String KEY = "key-77c1";
  private static final String WRITER = AccessKeys.generate();
  private static final ConfigResource CHANGES = new ConfigResource(ConfigResource.Type.TOPIC, "tidemark.pool.changes");
  private static final ConfigEntry LONGER_RETENTION = new ConfigEntry("retention.ms", "7776000000");

  @TempDir
  Path folder;

  private MarketServer market;
  private SecuredBroker broker;
  private Admin admin;

  @BeforeEach
  void open() throws Exception {
    market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, KEY,
        new SimulatorSettings(7, Scenario.CALM, 50), operation -> Duration.ofSeconds(1), ResponseJournal.none());
    broker = new SecuredBroker(folder, Certificates.in(folder), Map.of(SecuredBroker.ADMIN, "admin-secret",
        user(KafkaUser.POLL), "poll-1", user(KafkaUser.STREAM), "stream-1", user(KafkaUser.WEB), "web-1"));
    admin = Admin.create(broker.access(SecuredBroker.ADMIN).client());
    Files.writeString(folder.resolve("market-key"), KEY);
  }

  @AfterEach
  void close() {
    admin.close();
    broker.close();
    market.close();
  }

  @Test
  void rolesWithWhatIsPrinted_work_andNothingOfItIsSpare() throws Exception {
    var management = new EnumMap<Role, Integer>(Role.class);
    var webPort = freePort();
    for (var role : Role.values()) {
      management.put(role, freePort());
      configure(role, webPort, management.get(role));
    }
    var settings = Settings.parse(file(Role.POLL).toString(), Files.readString(file(Role.POLL)), System::getenv);
    var required = Application.requiredTopics(settings, Set.of(Role.values()));
    create(required.subList(1, required.size()));
    for (var user : List.of(KafkaUser.POLL, KafkaUser.STREAM, KafkaUser.WEB)) {
      Grants.add(admin, rights(user, settings));
    }

    try (var refused = start(Role.POLL)) {
      assertThat(refused.await()).contains("topic " + required.getFirst().name() + " is missing",
          "topics.create is false", "tidemark topics --format shell");
    }
    create(required.subList(0, 1));
    admin.incrementalAlterConfigs(Map.of(CHANGES, List.of(new AlterConfigOp(LONGER_RETENTION, OpType.SET)))).all()
        .get();

    try (var poll = start(Role.POLL)) {
      awaitReady(poll, management.get(Role.POLL)); // the others read the schemas that it has published
      work(management, webPort);
    }

    assertThat(required).extracting(NewTopic::name).as("nothing else was created")
        .containsAll(admin.listTopics().names().get());
    assertThat(admin.describeConfigs(List.of(CHANGES)).all().get().get(CHANGES).get(LONGER_RETENTION.name()).value())
        .as("what the platform has set").isEqualTo(LONGER_RETENTION.value());
    for (var user : List.of(KafkaUser.POLL, KafkaUser.STREAM, KafkaUser.WEB)) {
      assertThat(broker.requests(user(user))).filteredOn(each -> !each.allowed()).as("denied to %s", user).isEmpty();
      // the first role that starts writes the schemas, the others read them
      var requests = Stream.concat(broker.requests(user(user)).stream(), broker.requests(user(KafkaUser.POLL)).stream()
          .filter(each -> each.name().equals("tidemark-schemas"))).toList();
      assertThat(DocumentedAcls.spare(List.copyOf(rights(user, settings)), requests))
          .as("rights of %s that nothing needs", user).isEmpty();
    }
  }

  /** Runs the other roles until each has used all of its rights. */
  private void work(Map<Role, Integer> management, int webPort) throws Exception {
    try (var stream = start(Role.STREAM); var web = start(Role.WEB)) {
      awaitReady(stream, management.get(Role.STREAM));
      awaitReady(web, management.get(Role.WEB));
      await().atMost(TIMEOUT).until(() -> written("tidemark.stream-resources-changelog")
          && written("tidemark.stream-aggregates-repartition"));
      assertThat(silence(webPort).statusCode()).isEqualTo(201);
      await().atMost(TIMEOUT).pollInterval(POLL_INTERVAL).until(() -> broker.requests(user(KafkaUser.STREAM)).stream()
          .anyMatch(each -> each.operation() == AclOperation.DELETE));
    }
  }

  private static void awaitReady(ProgramProcess program, int port) {
    await().atMost(TIMEOUT).pollInterval(POLL_INTERVAL).ignoreExceptionsInstanceOf(IOException.class).until(() -> {
      program.assertAtWork();
      return get(port, "/health/ready").statusCode() == 200;
    });
  }

  private static String user(KafkaUser user) {
    return "tidemark-" + user.name().toLowerCase(Locale.ROOT);
  }

  private static Collection<AclBinding> rights(KafkaUser user, Settings settings) {
    return RequiredRight.of(user, settings).stream()
        .flatMap(right -> right.operations().stream().map(operation -> new AclBinding(right.resource(),
            new AccessControlEntry("User:" + user(user), "*", operation, AclPermissionType.ALLOW))))
        .toList();
  }

  private void create(List<NewTopic> topics) throws Exception {
    admin.createTopics(topics).all().get();
  }

  private boolean written(String topic) throws Exception {
    var first = new TopicPartition(topic, 0);
    return admin.listOffsets(Map.of(first, OffsetSpec.latest())).partitionResult(first).get().offset() > 0;
  }

  private Path file(Role role) {
    return folder.resolve(role + ".yaml");
  }

  private ProgramProcess start(Role role) {
    return ProgramProcess.start(folder, "run", "--config", file(role).toString(), "--only", role.toString(),
        "--stream-states", "streams-" + role);
  }

  private void configure(Role role, int web, int management) throws IOException {
    KafkaAccess kafka = broker.access(user(KafkaUser.valueOf(role.name())));
    Files.writeString(file(role), kafka.section(folder) + """
        topics: { partitions: 1, create: false }
        web: { port: %d, keys: [ { name: ops, hash: "%s", rights: [read, write], per-minute: 60 } ] }
        management: { port: %d }
        sources:
          - base-url: %s
            keys: [ { key-file: market-key, per-minute: 3000, per-month: 100000000 } ]
            refresh: { new_pools: 1s, global: 1s }
            watch: { networks: { solana: { new-pools: {} } }, global: {} }
        """.formatted(web, AccessKeys.hash(WRITER), management, market.baseUrl()));
  }

  private static HttpResponse<String> silence(int port) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/silences"))
          .header("Authorization", "Bearer " + WRITER).header("Content-Type", "application/json")
          .POST(BodyPublishers.ofString("{\"rule\": \"new-pool\", \"until\": \"%s\"}"
              .formatted(Instant.now().plus(Duration.ofHours(1)))))
          .build(), BodyHandlers.ofString());
    }
  }

  private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(), BodyHandlers.ofString());
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
