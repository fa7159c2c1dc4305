package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.event.SourceState;
import io.tidemark.event.StateTopic;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.SchemaTopic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rolling upgrade of two instances to a later version and back, as docs/running/operations.md describes it. */
class UpgradeIT {

  private static final Duration WAIT = Duration.ofMinutes(4);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  private static final List<String> BY_KAFKA = Stream.concat(ProgramProcess.ERRORS_OF_A_BUSY_MACHINE.stream(),
      Stream.of(" RecordCollectorImpl: ", " ProcessorStateManager: ", " ConsumerCoordinator: ")).toList();

  @TempDir
  Path folder;

  private final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  private final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  private final SimulatedMarket market = new SimulatedMarket(Scenario.CALM, 100);

  @Test
  void upgradeToALaterVersionAndBack_keepsTheEventLog() throws IOException {
    // the schemas of the later version
    registry.lookUpIn(new SchemaTopic(ClusterTopics.UNPREFIXED, () -> SharedBroker.access().client()));
    var later = LaterVersion.compile(folder);
    try (market; var a = new Instance("a", later); var b = new Instance("b", later)) {
      a.start(false);
      b.start(false);
      awaitDerived("resources", a, b);

      replace(true, a, b);
      awaitDerived(LaterVersion.STORE, a, b);
      assertThat(recorded()).contains(LaterVersion.TOPIC);

      replace(false, a, b);
      awaitDerived("resources", a, b);
      assertThat(recorded()).as("what the later version finds again").contains(LaterVersion.TOPIC);
      assertThat(deletions(changelog(LaterVersion.STORE))).isZero();

      replace(true, b, a);
      awaitDerived(LaterVersion.STORE, a, b);
      assertThat(deletions(changelog(LaterVersion.STORE)))
          .as("counts that lack the changes which the older version read").isPositive();

      a.stop();
      b.stop();
      var eventLog = EventLogReader.all(SharedBroker.access(), registry, topics);
      EventLogFile.holds(eventLog, () -> {
        ClusterAudit.holds(SharedBroker.access(), registry, topics);
        EventLogCheck.holds(eventLog, market.bodies(), true);
      });
      assertThat(Stream.of(a, b).flatMap(Instance::errors)).isEmpty();
    }
  }

  /** Replaces one instance after the other, the second once both versions are in the Kafka Streams group. */
  private void replace(boolean isLater, Instance first, Instance second) {
    replace(first, isLater);
    await().atMost(WAIT).until(() -> Stream.of(first, second)
        .anyMatch(each -> each.program.log().contains("have a different topology than this instance")));
    replace(second, isLater);
  }

  private static void replace(Instance instance, boolean isLater) {
    instance.stop();
    instance.start(isLater);
    await().atMost(WAIT).until(() -> {
      instance.program.assertAtWork();
      return instance.program.log().contains("stands by")
          || instance.program.log().contains("source main: restored ");
    });
  }

  /** Waits until the stream application has written to a store again. */
  private void awaitDerived(String store, Instance... instances) {
    var before = exists(changelog(store)) ? end(changelog(store)) : 0;
    await().atMost(WAIT).pollInterval(POLL_INTERVAL).until(() -> {
      Stream.of(instances).forEach(each -> each.program.assertAtWork());
      return exists(changelog(store)) && end(changelog(store)) > before;
    });
  }

  private String changelog(String store) {
    return topics.prefix() + "stream-" + store + "-changelog";
  }

  private List<String> recorded() {
    var newest = (SourceState) Objects.requireNonNull(
        new EventLogReader(SharedBroker.access(), registry, Stream.of(topics.sourceState())).read().getLast().value());
    return newest.getStateTopics().stream().map(StateTopic::getTopic).toList();
  }

  private static boolean exists(String topic) {
    try (var admin = Admin.create(SharedBroker.access().client())) {
      return admin.listTopics().names().get().contains(topic);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static long end(String topic) {
    try (var consumer = consumer()) {
      return consumer.endOffsets(partitions(topic)).values().stream().mapToLong(each -> each).sum();
    }
  }

  private static long deletions(String topic) {
    try (var consumer = consumer()) {
      var partitions = partitions(topic);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      var deletions = 0L;
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        for (var record : consumer.poll(Duration.ofMillis(100))) {
          deletions += record.value() == null ? 1 : 0;
        }
      }
      return deletions;
    }
  }

  private static List<TopicPartition> partitions(String topic) {
    return IntStream.range(0, EventLogRun.PARTITIONS).mapToObj(each -> new TopicPartition(topic, each)).toList();
  }

  private static KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(SharedBroker.access().client(), new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }

  private final class Instance implements AutoCloseable {

    private final Path folder;
    private final Path later;
    private final StringBuilder log = new StringBuilder();
    private ProgramProcess program;

    Instance(String name, Path later) throws IOException {
      this.folder = Files.createDirectories(UpgradeIT.this.folder.resolve(name));
      this.later = later;
      Files.writeString(folder.resolve("tidemark.yaml"),
          "management: { port: 0 }\nweb: { port: 0 }\n" + EventLogRun.configuration(
              "kafka: { bootstrap-servers: \"%s\" }".formatted(SharedBroker.bootstrapServers()), 1, topics.prefix(),
              market.baseUrl(), "everything"));
    }

    void start(boolean isLater) {
      var arguments = new String[] {"run", "--config", "tidemark.yaml"};
      program = isLater
          ? ProgramProcess.startWith(later, folder, arguments)
          : ProgramProcess.start(folder, arguments);
    }

    void stop() {
      program.stop();
      log.append(program.log());
    }

    /**
     * Returns the errors, except for a store that the version between did not know, and for transactions that time out
     * because the machine is busy.
     */
    Stream<String> errors() {
      return log.toString().lines()
          .filter(line -> line.contains(" ERROR ") && BY_KAFKA.stream().noneMatch(line::contains));
    }

    @Override
    public void close() {
      program.close();
    }
  }
}
