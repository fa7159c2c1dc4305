package io.tidemark.program;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.event.Alert;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.web.LocalServer;
import io.tidemark.serve.web.SchemaRegistryRoutes;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Documented consumers read every topic: of each, one record is committed and one is not. */
class ForeignConsumersIT {

  /** The system's Python, whose packages are installed. */
  static final String PYTHON = "/usr/bin/python3";

  static final Path NODE = Compose.ROOT.resolve("src/test/node");

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final BuiltInRegistry registry = new BuiltInRegistry(topics.all());

  @BeforeEach
  void writeOneOfEach() throws IOException {
    try (var admin = Admin.create(client())) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1)).ensure(topics.all());
    }
    try (var producer = producer()) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, "committed");
      producer.commitTransaction();
      producer.beginTransaction();
      send(producer, "aborted");
      producer.flush();
      producer.abortTransaction();
    }
  }

  @Test
  void node_readsEveryTopicWholeThroughTheRegistry() throws Exception {
    assumeTrue(isThere("node") && Files.isDirectory(NODE.resolve("node_modules")),
        "needs node, and 'npm install' in src/test/node");
    readsAllWhole("node", NODE.resolve("consumer.mjs"));
  }

  @Test
  void python_readsEveryTopicWholeThroughTheRegistry() throws Exception {
    assumeTrue(succeeds(PYTHON, "-c", "import avro, confluent_kafka"),
        "needs Python with Debian's python3-confluent-kafka and python3-avro");
    readsAllWhole(PYTHON, Compose.ROOT.resolve("src/test/python/consumer.py"));
  }

  private void readsAllWhole(String language, Path program) throws Exception {
    try (var server =
        LocalServer.start(List.of(new SchemaRegistryRoutes(registry)))) {
      var printed = run(Stream.concat(
          Stream.of(language, program.toString(), SharedBroker.bootstrapServers(),
              "http://127.0.0.1:" + server.port() + "/registry", topics.prefix() + "stranger",
              Integer.toString(topics.all().size())),
          names())).map(ForeignConsumersIT::json).toList();

      assertThat(printed).extracting(line -> line.path("key").asText()).containsOnly("committed");
      assertThat(
          printed.stream().collect(toMap(line -> line.path("topic").asText(), line -> leaves(line.path("value")))))
          .isEqualTo(topics.all().stream().collect(toMap(Topic::name, topic -> FilledRecords.leaves(schema(topic)))));
    }
  }

  @Test
  void kcat_readsEveryTopic() throws Exception {
    assumeTrue(isThere("kcat"), "needs kcat");
    var printed = run(Stream.concat(
        Stream.of("kcat", "-b", SharedBroker.bootstrapServers(), "-X", "isolation.level=read_committed", "-X",
            "auto.offset.reset=earliest", "-q", "-u", "-c", Integer.toString(topics.all().size()), "-f", "%t %k %S\\n",
            "-G", topics.prefix() + "kcat"),
        names())).toList();

    assertThat(printed).containsExactlyInAnyOrderElementsOf(
        topics.all().stream().map(topic -> topic.name() + " committed " + sample(topic).length).toList());
  }

  /** The program of the page has a fixed group and topic, so both are given a name of this test. */
  @Test
  void shareGroup_handlesEachAlertUntilItIsDone() throws Exception {
    var page = DocumentedExamplesIT.blocks().filter(each -> each.info().equals("AlertWorkers.java")).findFirst();
    var group = topics.prefix() + "alert-workers";
    var program = Files.writeString(Files.createTempDirectory("share").resolve("AlertWorkers.java"),
        page.orElseThrow().text().replace("tidemark.alerts", topics.alerts().name()).replace("alert-workers", group)
            .replace("Duration.ofSeconds(2)", "Duration.ofSeconds(20)")
            .replace("Duration.ofSeconds(5)", "Duration.ofSeconds(1)"));
    var received = new ConcurrentLinkedQueue<String>();
    var lateAt = new ConcurrentLinkedQueue<Long>();
    var receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", exchange -> {
      var id = new ObjectMapper().readTree(exchange.getRequestBody()).path("id").asText();
      var first = !received.contains(id);
      received.add(id);
      if (id.equals("late")) {
        lateAt.add(System.nanoTime());
      }
      exchange.sendResponseHeaders(switch (id) {
        case "wrong" -> 400;
        case "busy" -> first ? 429 : 204;
        case "late" -> first ? 503 : 204;
        default -> 204;
      }, -1);
      exchange.close();
    });
    receiver.start();
    try (var admin = Admin.create(client());
        var producer = producer();
        var server =
            LocalServer.start(List.of(new SchemaRegistryRoutes(registry)))) {
      admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, group), Stream.of(
          new ConfigEntry("share.isolation.level", "read_committed"),
          new ConfigEntry("share.auto.offset.reset", "earliest"))
          .map(each -> new AlterConfigOp(each, AlterConfigOp.OpType.SET)).toList())).all().get();
      producer.initTransactions();
      producer.beginTransaction();
      for (var id : List.of("one", "two", "wrong", "busy", "late")) {
        producer.send(new ProducerRecord<>(topics.alerts().name(), id, topics.alerts().serde(registry).serializer()
            .serialize(topics.alerts().name(), Alert.newBuilder().setId(id).build())));
      }
      producer.commitTransaction();

      run(Stream.of(ProcessHandle.current().info().command().orElse("java"), "-cp",
          System.getProperty("java.class.path"), program.toString(), SharedBroker.bootstrapServers(),
          "http://127.0.0.1:" + server.port() + "/registry",
          "http://127.0.0.1:" + receiver.getAddress().getPort(), "3", "6"));

      assertThat(received).containsExactlyInAnyOrder(
          FilledRecords.TEXT, "one", "two", "wrong", "busy", "busy", "late", "late");
      var lateFirst = lateAt.remove();
      assertThat(Duration.ofNanos(lateAt.remove() - lateFirst)).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      await().untilAsserted(() -> assertThat(admin.listShareGroupOffsets(
          Map.of(group, new ListShareGroupOffsetsSpec())).partitionsToOffsetInfo(group).get().values())
          .isNotEmpty().allSatisfy(each -> assertThat(each.lag()).hasValue(0L)));
    } finally {
      receiver.stop(0);
    }
  }

  private void send(KafkaProducer<String, byte[]> producer, String key) {
    topics.all().forEach(topic -> producer.send(new ProducerRecord<>(topic.name(), key, sample(topic))));
  }

  private byte[] sample(Topic<?> topic) {
    try {
      return FilledRecords.bytes(schema(topic), registry.id(topic.subject(), schema(topic)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts the values in objects and lists. */
  private static long leaves(JsonNode node) {
    if (node.path("type").asText().equals("Buffer") && node.path("data").isArray()) {
      return 1;
    }
    return node.isContainerNode() ? node.valueStream().mapToLong(ForeignConsumersIT::leaves).sum()
        : node.isNull() ? 0 : 1;
  }

  private Stream<String> names() {
    return topics.all().stream().map(Topic::name);
  }

  private static Schema schema(Topic<?> topic) {
    return SpecificData.get().getSchema(topic.value());
  }

  private KafkaProducer<String, byte[]> producer() {
    var config = Map.<String, Object>of("bootstrap.servers", SharedBroker.bootstrapServers(),
        "transactional.id", topics.prefix() + "samples", "compression.type", "lz4");
    return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
  }

  private static Map<String, Object> client() {
    return Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  }

  static Stream<String> run(Stream<String> command) throws IOException, InterruptedException {
    var errors = Files.createTempFile("stranger", ".log");
    var process = new ProcessBuilder(new ArrayList<>(command.toList()))
        .redirectError(errors.toFile()).start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s", Files.readString(errors)).isZero();
    return printed.lines();
  }

  private static boolean succeeds(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isThere(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private static JsonNode json(String line) {
    try {
      return new ObjectMapper().readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
