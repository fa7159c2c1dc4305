package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.cli.Main;
import io.tidemark.event.PoolChange;
import io.tidemark.eventlog.ProgramProcess;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.ConfluentRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;

/** The image, built and run by compose with Kafka and registry; needs what {@code mvn package} leaves in target/. */
class ComposeIT {

  static final Duration TIMEOUT = Duration.ofMinutes(5);
  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);

  final Compose compose = new Compose();

  @BeforeEach
  void needsDocker() {
    assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "needs Docker, to build and run the image");
  }

  @AfterEach
  void takeAway() {
    compose.close();
  }

  @Test
  void upDownAndUpAgain_changesContinueWithoutDuplicates() {
    compose.run("up", "--build", "--wait");
    assertThat(tailed(20)).hasSize(20).allSatisfy(line -> assertThat(line).contains("tidemark.pool.changes"));
    compose.run("down");
    compose.run("up", "--wait");
    var before = changes().size();
    await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).until(() -> changes().size() > before + 20);

    assertThat(compose.run("ps", "--format", "{{.Service}} {{.Health}}").lines())
        .containsExactlyInAnyOrder("kafka healthy", "registry healthy", "market healthy", "tidemark healthy");
    assertThat(notFollowing(changes())).as("changes that do not follow the one before").isEmpty();
    assertThat(compose.run("logs", "tidemark").lines()
        .filter(line -> ProgramProcess.ERRORS_OF_A_BUSY_MACHINE.stream().noneMatch(line::contains)))
        .noneMatch(line -> line.contains(" ERROR ") || line.contains("\"level\":\"ERROR\""));
  }

  /** The records that the command prints when it runs outside of the containers. */
  private List<String> tailed(int count) {
    var out = new StringWriter();
    var err = new StringWriter();
    var exitCode = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(
        "tail", "pool.changes", "--bootstrap", bootstrapServers(), "--registry", registry().toString(), "--from",
        "beginning", "--format", "json", "--count", Integer.toString(count));
    assertThat(exitCode).as(err.toString()).isZero();
    return out.toString().lines().toList();
  }

  private List<PoolChange> changes() {
    var client = Map.<String, Object>of("bootstrap.servers", bootstrapServers());
    var found = new ArrayList<PoolChange>();
    try (var reader = new TopicReader(client, List.of(TOPICS.pool().changes()),
        new ConfluentRegistry(registry(), null, HttpClient.newHttpClient()))) {
      reader.readAll(each -> found.add((PoolChange) each.value()));
    }
    return found;
  }

  /** A pool's first revision is 1, and each of its next is one more, within one generation. */
  private static List<String> notFollowing(List<PoolChange> changes) {
    var newest = new HashMap<String, PoolChange>();
    return changes.stream().filter(change -> {
      var last = newest.put(change.getId(), change);
      return last == null
          ? change.getRevision() != 1
          : !change.getGeneration().equals(last.getGeneration()) || change.getRevision() != last.getRevision() + 1;
    }).map(change -> change.getId() + " revision " + change.getRevision()).toList();
  }

  private String bootstrapServers() {
    return "127.0.0.1:" + compose.kafkaPort;
  }

  private URI registry() {
    return URI.create("http://127.0.0.1:" + compose.registryPort + "/apis/ccompat/v7");
  }
}
