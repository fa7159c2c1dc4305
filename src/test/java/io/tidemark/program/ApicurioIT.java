package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerFailure;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.TestSource;
import io.tidemark.cli.Main;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.Certificates;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.TlsProxy;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;

/** An external registry. */
class ApicurioIT {

  static final String IMAGE = "apicurio/apicurio-registry:3.3.3";
  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static GenericContainer<?> container;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "needs Docker, to run a registry in a container");
    container = new GenericContainer<>(IMAGE).withExposedPorts(8080).waitingFor(
        Wait.forHttp("/apis/registry/v3/system/info").withStartupTimeout(Duration.ofMinutes(4)));
    container.start();
  }

  @AfterAll
  static void stop() {
    if (container != null) {
      container.stop();
    }
  }

  @Test
  void push_registersEverySchemaOnce() {
    var first = run("schemas", "push", "--registry", url().toString());
    var again = run("schemas", "push", "--registry", url().toString());

    assertThat(first.lines()).hasSizeGreaterThan(30)
        .allSatisfy(line -> assertThat(line).matches("tidemark[.-][a-z0-9.-]+-value +\\d+"));
    assertThat(again).isEqualTo(first);
  }

  @Test
  void registryBehindTlsAndLogin_isReachedWhenConfigured() throws Exception {
    var certificates = Certificates.in(folder);
    try (var front = new TlsProxy(url(), "ann:reg-5d20", certificates)) {
      assertThat(check(front.url(), "reg-5d20", "ca.pem")).contains("registry: external answers");
      assertThat(check(front.url(), "wrong", "ca.pem")).contains("check registry.user and registry.password");
      assertThat(check(front.url(), "reg-5d20", null)).contains("check registry.ca-file").doesNotContain("reg-5d20");
    }
  }

  @Test
  void topicsWrittenWithAnotherRegistry_areRejectedWithTheWayOut() throws Exception {
    var topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(topics.all());
    }
    ledger(topics, new ConfluentRegistry(url(), null, HttpClient.newHttpClient())).close();

    assertThatThrownBy(() -> ledger(topics, new BuiltInRegistry(topics.all())))
        .isInstanceOf(LedgerFailure.Refused.class)
        .hasMessageContaining("Set registry.url to the registry of the topics");
    assertThat(run("audit", "--bootstrap", SharedBroker.bootstrapServers(), "--prefix", topics.prefix()))
        .contains("cannot audit the topics", "with --registry").doesNotContain("every law holds");
    assertThat(run("audit", "--bootstrap", SharedBroker.bootstrapServers(), "--prefix", topics.prefix(), "--registry",
        url().toString())).contains("every law holds");
    assertThat(run("rebuild", "--apply", "--config", withoutRegistry(topics)))
        .contains("cannot rebuild the states", "registry.url");
    try (var empty = new GenericContainer<>(IMAGE).withExposedPorts(8080).waitingFor(
        Wait.forHttp("/apis/registry/v3/system/info").withStartupTimeout(Duration.ofMinutes(4)))) {
      empty.start();
      var other = new ConfluentRegistry(url(empty), null, HttpClient.newHttpClient());

      assertThatThrownBy(() -> ledger(topics, other))
          .as("it may only lag").hasMessageContaining("did the writer use another registry?");
    }
  }

  private String withoutRegistry(Topics topics) throws Exception {
    var config = folder.resolve("built-in.yaml");
    Files.writeString(config, """
        kafka: { bootstrap-servers: "%s" }
        topics: { partitions: 1 }
        sources: [ { base-url: "http://127.0.0.1:1", prefix: %s, watch: { global: {} } } ]
        """.formatted(SharedBroker.bootstrapServers(), topics.prefix()));
    return config.toString();
  }

  private static Ledger ledger(Topics topics, SchemaRegistry registry) {
    var settings =
        new LedgerSettings("main", "test", topics, new TopicLayout(1, (short) 1), KAFKA,
            TestSource.OPEN_TRANSACTION_WAIT);
    return TestSource.start(settings, registry, ProducerFactory.KAFKA, InstantSource.system(), LedgerListener.NONE);
  }

  private String check(URI front, String password, String caFile) throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(folder.resolve("password"), password);
    Files.writeString(config, """
        kafka: { bootstrap-servers: "%s" }
        registry: { url: %s/apis/ccompat/v7, user: ann, password-file: password%s }
        sources: [ { base-url: "http://127.0.0.1:1", watch: { global: {} } } ]
        """.formatted(SharedBroker.bootstrapServers(), front, caFile == null ? "" : ", ca-file: " + caFile));
    return run("check", "--config", config.toString());
  }

  private static String run(String... arguments) {
    var output = new StringWriter();
    Main.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(output)).execute(arguments);
    return output.toString();
  }

  private static URI url() {
    return url(container);
  }

  private static URI url(GenericContainer<?> registry) {
    return URI.create("http://" + registry.getHost() + ":" + registry.getMappedPort(8080) + "/apis/ccompat/v7");
  }
}
