package io.tidemark.capture.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.TestSource;
import io.tidemark.capture.source.CommandAnnouncer.Announcements;
import io.tidemark.cli.Main;
import io.tidemark.event.Control;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.Watch;
import io.tidemark.kafka.BadRecord;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleSetReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules over two sessions: what is applied is announced once, to every partition. */
class CommandAnnouncerIT {

  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final TopicLayout TWO = new TopicLayout(2, (short) 1);

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final SchemaRegistry registry = new BuiltInRegistry(topics.all());
  final LedgerSettings settings =
      new LedgerSettings("main", "instance-1", topics, TWO, KAFKA, TestSource.OPEN_TRANSACTION_WAIT);
  final RuleSet base =
      RuleSetReader.read(List.of(new RuleDocument("base", rule("base", 1))), topics.ruleSchemas(), List.of());

  @BeforeEach
  void makeTopics() {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, TWO).ensure(topics.all());
    }
  }

  @Test
  void appliedRules_areAnnouncedOnceToEveryPartition_overSessions() {
    try (var ledger = ledger();
        var announcing =
            CommandAnnouncer.open(settings, registry, Application.announcements(base, topics, count -> {}),
                command -> {})) {
      announcing.announce(ledger, Instant.now());
      say("mine", rule("mine", 2));
      await().atMost(Duration.ofMinutes(1)).until(() -> {
        announcing.announce(ledger, Instant.now());
        return versions().contains(2L);
      });
    }
    say("mine", rule("mine", 3));
    try (var ledger = ledger();
        var announcing =
            CommandAnnouncer.open(settings, registry, Application.announcements(base, topics, count -> {}),
                command -> {})) {
      announcing.announce(ledger, Instant.now());
      announcing.announce(ledger, Instant.now());
    }
    try (var ledger = ledger();
        var announcing =
            CommandAnnouncer.open(settings, registry, Application.announcements(base, topics, count -> {}),
                command -> {})) {
      announcing.announce(ledger, Instant.now());
    }

    assertThat(versions()).containsExactlyInAnyOrder(1L, 1L, 2L, 2L, 3L, 3L);
  }

  @Test
  void commandThatCannotBeRead_isSkipped(@TempDir Path folder) throws IOException {
    var unusable = Stream.of(BadRecord.values())
        .filter(bad -> bad.reasonIn(topics.watch()) != null && bad != BadRecord.NULL_KEY) // the broker refuses that
        .toList();
    unusable.forEach(bad -> write(bad.key(), bad.value(topics.watch())));
    say("hostile", "a command that fails");
    say("mine", rule("mine", 2));

    try (var ledger = ledger();
        var announcing =
            CommandAnnouncer.open(settings, registry, failingFor("hostile"), command -> {})) {
      announcing.announce(ledger, Instant.now());
    }

    assertThat(announced()).allMatch(command -> command.getText().contains("name: \"mine\""));
    assertThat(deadLetters()).extracting(deadLetter -> deadLetter.getRecord().getReason())
        .containsExactlyInAnyOrderElementsOf(Stream.concat(
            unusable.stream().map(bad -> bad.reasonIn(topics.watch()).wire()), Stream.of("unprocessable")).toList());
    assertThat(settings.quarantine().count(topics.watch().name())).isEqualTo(unusable.size() + 1L);
    assertThat(listed(folder)).contains("1, applied as mine");
  }

  /** What {@code rules list} prints. */
  private String listed(Path folder) throws IOException {
    var config = Files.writeString(folder.resolve("tidemark.yaml"), """
        kafka: { bootstrap-servers: "%s" }
        sources: [ { prefix: %s, base-url: "https://example.org/api/v3", watch: { global: {} } } ]
        """.formatted(SharedBroker.bootstrapServers(), topics.prefix()));
    var out = new StringWriter();
    assertThat(Main.commandLine().setOut(new PrintWriter(out)).execute("rules", "list", "--config", config.toString()))
        .isZero();
    return out.toString();
  }

  private Announcements failingFor(String name) {
    var announcements = Application.announcements(base, topics, count -> {});
    return new Announcements() {
      @Override
      public void apply(Watch command) {
        if (command.getName().equals(name)) {
          throw new IllegalStateException("a bug");
        }
        announcements.apply(command);
      }

      @Override
      public void announceDue(Ledger ledger, Instant now) {
        announcements.announceDue(ledger, now);
      }
    };
  }

  private Ledger ledger() {
    return TestSource.start(settings, registry, ProducerFactory.KAFKA, InstantSource.system(), LedgerListener.NONE);
  }

  private void say(String name, String text) {
    write(("rules/" + name).getBytes(UTF_8), encode("rules", name, text));
  }

  private byte[] encode(String kind, String name, String text) {
    var command =
        Watch.newBuilder().setKind(kind).setName(name).setText(text).setWho("me").setAt(Instant.EPOCH).build();
    return topics.watch().serde(registry).encode(topics.watch().name(), command);
  }

  private void write(byte[] key, byte[] value) {
    var config = new HashMap<>(KAFKA);
    config.put("max.request.size", 2 * RecordLimits.BATCH);
    config.put("compression.type", "lz4");
    try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topics.watch().name(), key, value));
    }
  }

  private List<DeadLetter> deadLetters() {
    var deadLetters = new ArrayList<DeadLetter>();
    try (var reader = new TopicReader(KAFKA, List.of(topics.deadLetters()), registry)) {
      reader.readAll(record -> deadLetters.add((DeadLetter) record.value()));
    }
    return deadLetters;
  }

  private List<Long> versions() {
    return announced().stream().map(Control::getVersion).toList();
  }

  private List<Control> announced() {
    var controls = new ArrayList<Control>();
    try (var reader = new TopicReader(KAFKA, List.of(topics.control()), registry)) {
      reader.readAll(record -> controls.add((Control) record.value()));
    }
    return controls.stream().filter(control -> control.getKind().equals("rules")).toList();
  }

  private static String rule(String name, int price) {
    return """
        rules:
          - name: %s
            on: pool.changes
            when: price.base_token_price_usd > %d.0
            annotations: { summary: "{{ about.name }}" }
        """.formatted(name, price);
  }
}
