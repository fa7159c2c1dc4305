package io.tidemark.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.Main;
import io.tidemark.event.Watch;
import io.tidemark.kafka.CommandPublisher;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.PoolChanges;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.OS;

class TailIT {

  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());

  static final String EXACT = "0.0000566673284218277368707532612867396024960039002528290815078515286";

  private static final File FULL = new File("/dev/full");

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);

  /** As with {@code | head -1}. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void tail_endsWithTheNextRecord_whenNobodyReadsItsOutput() throws Exception {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topics.watch()));
    }
    publish("mine");
    var tail = program("tail", "watch", "--from", "beginning").redirectError(Redirect.INHERIT).start();
    try (var output = new BufferedReader(new InputStreamReader(tail.getInputStream(), UTF_8))) {
      assertThat(output.readLine()).contains("mine");
      assertThat(tail.isAlive()).isTrue();
    }
    publish("another");

    assertThat(tail.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(tail.exitValue()).isZero();
  }

  @Test
  @EnabledIf("isFullThere")
  void outputToAFullDisk_isNoSuccess() throws Exception {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topics.watch()));
    }
    publish("mine");

    for (var command : List.of(new String[] {"tail", "watch", "--from", "beginning"}, new String[] {"topics"})) {
      var program = program(command).redirectOutput(FULL).start();

      assertThat(new String(program.getErrorStream().readAllBytes(), UTF_8))
          .isEqualTo("tidemark: standard output cannot be written: No space left on device\n");
      assertThat(program.waitFor()).isEqualTo(CommandFailure.PROBLEM_FOUND);
    }
  }

  @Test
  void missingTopic_isRefusedWithTheReason_besideOneThatExists() {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topics.watch()));
    }
    for (var names : List.of(List.of("alerts"), List.of("watch", "alerts"))) {
      var errors = new StringWriter();
      var arguments = Stream.of(List.of("tail"), names, cluster()).flatMap(List::stream).toArray(String[]::new);

      var code = Main.commandLine().setErr(new PrintWriter(errors)).execute(arguments);

      assertThat(code).isEqualTo(CommandFailure.PROBLEM_FOUND);
      assertThat(errors).hasToString("tidemark: Kafka at %s has no topic %salerts; 'tidemark topics%s' shows which"
          .formatted(SharedBroker.bootstrapServers(), topics.prefix(), " " + String.join(" ", cluster()))
          + " topics exist. A role creates its topics when it starts, unless topics.create is false%n".formatted());
    }
  }

  @Test
  void tail_saysThatItWaits_whenNothingComes() throws Exception {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topics.watch()));
    }
    var err = new StringWriter();
    var tail = Thread.ofPlatform().daemon().start(() -> Main.commandLine().setErr(new PrintWriter(err)).execute("tail",
        "watch", "--bootstrap", SharedBroker.bootstrapServers(), "--prefix", topics.prefix()));

    await().atMost(Duration.ofMinutes(1)).until(() -> err.toString().contains("Waits for a record of watch; Ctrl-C"));

    tail.interrupt();
    assertThat(err.toString().lines()).hasSize(1);
  }

  @Test
  void prefixOfNothing_isRefusedWithTheReason() {
    var errors = new StringWriter();

    var code = Main.commandLine().setErr(new PrintWriter(errors)).execute("tail", "pool.changes", "--bootstrap",
        SharedBroker.bootstrapServers(), "--prefix", "nothing.begins.with.this.");

    assertThat(code).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(errors).hasToString("tidemark: no topic begins with 'nothing.begins.with.this.' at "
        + SharedBroker.bootstrapServers() + "; check --prefix%n".formatted());
  }

  @Test
  void fields_haveAllDigits_inTextAndJson() {
    var changes = topics.pool().changes();
    var registry = new BuiltInRegistry(topics.all());
    try (var admin = Admin.create(KAFKA);
        var producer = new KafkaProducer<>(KAFKA, new StringSerializer(), changes.serde(registry).serializer())) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(changes));
      producer.send(new ProducerRecord<>(changes.name(), "key", PoolChanges.moved(Instant.EPOCH, "NaN", EXACT)));
    }

    assertThat(fields("text")).isEqualTo(EXACT + "\tNaN\t50000.0\t1970-01-01T00:00:00Z\n");
    assertThat(fields("json")).isEqualTo("""
        {"price.base_token_price_usd":"%s","before.price.base_token_price_usd":"NaN","about.reserve_usd":50000.0,\
        "origin.observed_at":0}
        """.formatted(EXACT));
  }

  private String fields(String format) {
    var out = new StringWriter();
    Main.commandLine().setOut(new PrintWriter(out)).execute(Stream.concat(
        Stream.of("tail", "pool.changes", "--from", "beginning", "--count", "1", "--format", format, "--fields",
            "price.base_token_price_usd,before.price.base_token_price_usd,about.reserve_usd,origin.observed_at"),
        cluster().stream()).toArray(String[]::new));
    return out.toString();
  }

  static boolean isFullThere() {
    return FULL.exists();
  }

  private List<String> cluster() {
    return List.of("--bootstrap", SharedBroker.bootstrapServers(), "--prefix", topics.prefix());
  }

  private ProcessBuilder program(String... arguments) {
    return new ProcessBuilder(Stream.of(
        List.of(ProcessHandle.current().info().command().orElse("java"), "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
            Main.class.getName()),
        List.of(arguments), cluster()).flatMap(List::stream).toList());
  }

  private void publish(String name) {
    new CommandPublisher(topics, new BuiltInRegistry(topics.all()), KAFKA).publish(Watch.newBuilder()
        .setKind("rules").setName(name).setText("rules: []").setWho("me").setAt(Instant.EPOCH).build());
  }
}
