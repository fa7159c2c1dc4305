package io.tidemark.program;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.app.CommandFailure;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.ledger.TestSource;
import io.tidemark.cli.Main;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.TargetState;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Dead letters, from the snapshot that could not be read to their replay. */
class DeadLettersIT {

  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final TopicLayout ONE = new TopicLayout(1, (short) 1);
  static final Target GLOBAL = new Target("main", "/global", new Query.GlobalMarket(), 1);
  static final String BROKEN = "{\"data\":{\"markets\":";

  /** Kafka rejects timestamps of the future and deletes those long past. */
  final Instant yesterday = Instant.now().minus(Duration.ofDays(1)).truncatedTo(ChronoUnit.MILLIS);
  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final SchemaRegistry registry = new BuiltInRegistry(topics.all());
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @TempDir
  Path folder;
  Path config;

  @BeforeEach
  void makeTopicsAndConfiguration() throws Exception {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, ONE).ensure(topics.all());
      new TopicSetup(admin, ONE).ensure(List.of(ClusterTopics.UNPREFIXED.schemas()));
    }
    config = Files.writeString(folder.resolve("tidemark.yaml"), """
        kafka: { bootstrap-servers: "%s" }
        topics: { partitions: 1 }
        sources: [ { prefix: %s, base-url: "https://example.org/api/v3", watch: { global: {} } } ]
        """.formatted(SharedBroker.bootstrapServers(), topics.prefix()));
  }

  @Test
  void brokenBody_staysWhole() {
    commitSnapshot(yesterday, BROKEN);

    assertThat(run("dead-letters", "list")).isZero();
    assertThat(out.toString()).startsWith("0:0 " + yesterday + " global /global page 1: ")
        .contains("status 200, " + BROKEN.length() + " bytes; " + BROKEN);
    assertThat(printedBody("0:0")).isEqualTo(BROKEN);
  }

  @Test
  void missingDeadLetter_isReported() {
    assertThat(run("dead-letters", "show", "0:7")).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(err.toString()).contains("there is no dead letter 0:7");
  }

  @Test
  void deadLetterReadableNow_isAppliedOnce() {
    commitSnapshot(yesterday, body(5));
    commitSnapshot(yesterday.plusSeconds(60), "no JSON"); // another reason: equal ones are counted
    commitDeadLetter(yesterday.plusSeconds(120), body(7));

    assertThat(run("dead-letters", "replay")).as("one is still broken").isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(out.toString()).contains("0:0", "still unreadable", "page 1: readable now", "Nothing was written");
    run("dead-letters", "replay", "--apply");
    run("dead-letters", "replay", "--apply");

    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains("applied; 1 changes", "already replayed");
    assertThat(changes()).extracting(change -> change.getCounts().getAfter().getMarkets()).containsExactly(5L, 7L);
    assertThat(changes().getLast().getOrigin().getObservedAt()).isEqualTo(yesterday.plusSeconds(120));
    assertThat(changes().getLast().getRevision()).isEqualTo(2);
  }

  /** Later answers could not be read either. Only the first of them is kept, so it counts as the newest snapshot. */
  @Test
  void deadLetterBeforeOthersThatWereOnlyCounted_isAppliedWhole() {
    commitSnapshot(yesterday, body(5));
    commitDeadLetter(yesterday.plusSeconds(60), body(7));
    commitSnapshot(yesterday.plus(Duration.ofHours(3)), BROKEN);

    assertThat(run("dead-letters", "replay", "--apply")).isZero();

    assertThat(out.toString()).contains("applied; 1 changes");
    assertThat(changes()).extracting(change -> change.getCounts().getAfter().getMarkets()).containsExactly(5L, 7L);
    assertThat(newestSnapshot().getComplete()).isTrue();
  }

  /** @param time the market's own time, which may be the same in both answers */
  @ParameterizedTest
  @ValueSource(strings = {"", ",\"updated_at\":1700000000"})
  void deadLetterOlderThanTheState_changesNothing(String time) {
    commitDeadLetter(yesterday, "{\"data\":{\"markets\":5" + time + "}}");
    commitSnapshot(yesterday.plusSeconds(60), "{\"data\":{\"markets\":7" + time + "}}");

    assertThat(run("dead-letters", "replay", "--apply")).isZero();

    assertThat(out.toString()).contains("applied; it changed nothing");
    assertThat(changes()).extracting(change -> change.getCounts().getAfter().getMarkets()).containsExactly(7L);
    assertThat(newestSnapshot().getObservedAt()).as("the newest snapshot stays").isEqualTo(yesterday.plusSeconds(60));
  }

  @Test
  void openTransactionOfAnotherProgram_isWaitedForAsConfigured() throws Exception {
    commitDeadLetter(yesterday, body(5));
    Files.writeString(config, Files.readString(config).replace("kafka: {", "kafka: { open-transaction-wait: 1s,"));
    var foreign = new HashMap<>(KAFKA);
    foreign.put("transactional.id", "foreign-" + topics.prefix());
    try (var producer = new KafkaProducer<>(foreign, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topics.global().state().name(), new byte[] {1}, new byte[] {1})).get();

      assertTimeoutPreemptively(Duration.ofSeconds(45), () -> execute("dead-letters", "replay", "--apply"));
      producer.abortTransaction();
    }

    assertThat(err.toString()).contains("transactional id foreign-" + topics.prefix());
    assertThat(changes()).isEmpty();
  }

  @Test
  void ownedSource_isNotWrittenTo() {
    commitDeadLetter(yesterday, body(5));
    try (var watching = ledger(InstantSource.system())) {
      assertThat(run("dead-letters", "replay", "--apply")).isEqualTo(CommandFailure.PROBLEM_FOUND);
      watching.tick(); // not fenced
    }

    assertThat(err.toString()).contains("source main is owned by instance an-owner",
        "only one instance can write a source");
    assertThat(changes()).isEmpty();
  }

  @Test
  void replayThatIsFenced_reportsTheFencing() {
    commitDeadLetter(yesterday, BROKEN + " ", body(5));
    commitDeadLetter(yesterday.plusSeconds(60), "no JSON", body(7));
    var fencing = new StringWriter() {
      @Override
      public void write(String text, int from, int count) {
        super.write(text, from, count);
        if (text.startsWith("applied; ")) {
          ledger(InstantSource.system()).close();
        }
      }
    };

    var exitCode = Main.commandLine().setOut(new PrintWriter(fencing)).setErr(new PrintWriter(err))
        .execute("dead-letters", "replay", "--apply", "--config", config.toString());

    assertThat(exitCode).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(err.toString()).startsWith("tidemark: source main: ").contains("another instance");
    assertThat(fencing.toString().lines()).as("the second is not applied").hasSize(1);
  }

  /** Commits one snapshot of the market. */
  private void commitSnapshot(Instant at, String body) {
    commit(at, body, outcome -> outcome);
  }

  /** Commits one snapshot whose body an earlier version could not read. */
  private void commitDeadLetter(Instant at, String body) {
    commitDeadLetter(at, BROKEN + " ", body);
  }

  /** @param broken another body that cannot be read. Of bodies with one reason, the first becomes a dead letter */
  private void commitDeadLetter(Instant at, String broken, String body) {
    commit(at, broken, outcome -> {
      var bytes = body.getBytes(UTF_8);
      var deadLetter = DeadLetter.newBuilder(outcome.deadLetters().getFirst())
          .setBody(DeadLetterBody.putInto(DeadLetter.newBuilder(), bytes).getBody()).setLength(bytes.length)
          .setDigest("of " + body).build();
      return new ChangeSet(outcome.targetState(), List.of(), List.of(), List.of(), List.of(deadLetter));
    });
  }

  private void commit(Instant at, String body, UnaryOperator<ChangeSet> afterwards) {
    try (var ledger = ledger(InstantSource.fixed(at))) {
      var answer = new StoredResponse("/global", 1, body.getBytes(UTF_8), 200,
          Map.of("date", DateTimeFormatter.RFC_1123_DATE_TIME.format(at.atOffset(UTC))), at, at).answer();
      var detection =
          new ChangeDetector(PublishSettings.EVERYTHING, Duration.ofDays(30), Duration.ofDays(30), yesterday, at);
      var outcome = detection.detect(new Snapshot(GLOBAL, List.of(answer), true, null, at, at), ledger.states());
      ledger.commit(List.of(afterwards.apply(outcome)));
    }
    awaitCommitMarkers();
  }

  private Ledger ledger(InstantSource clock) {
    var settings = new LedgerSettings("main", "an-owner", topics, ONE, KAFKA, TestSource.OPEN_TRANSACTION_WAIT);
    return TestSource.start(settings, registry, ProducerFactory.KAFKA, clock, LedgerListener.NONE);
  }

  private static String body(int markets) {
    return "{\"data\":{\"markets\":" + markets + "}}";
  }

  private List<GlobalChange> changes() {
    return read(topics.global().changes()).stream().map(found -> (GlobalChange) found.value()).toList();
  }

  private TargetState newestSnapshot() {
    return (TargetState) read(topics.targetState()).getLast().value();
  }

  private List<CommittedRecord> read(Topic<?> topic) {
    var all = new ArrayList<CommittedRecord>();
    try (var reader = new TopicReader(KAFKA, List.of(topic), registry)) {
      reader.readAll(all::add);
    }
    return all;
  }

  /** A commit returns before its markers are in all partitions. */
  private void awaitCommitMarkers() {
    await().until(() -> ends("read_committed").equals(ends("read_uncommitted")));
  }

  private Map<TopicPartition, Long> ends(String isolation) {
    var config =
        Map.<String, Object>of("bootstrap.servers", SharedBroker.bootstrapServers(), "isolation.level", isolation);
    try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return consumer.endOffsets(topics.all().stream().map(topic -> new TopicPartition(topic.name(), 0)).toList());
    }
  }

  private String printedBody(String place) {
    var stdout = System.out;
    var bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      run("dead-letters", "show", place);
    } finally {
      System.setOut(stdout);
    }
    return bytes.toString(UTF_8);
  }

  private int run(String... arguments) {
    var exitCode = execute(arguments);
    awaitCommitMarkers();
    return exitCode;
  }

  private int execute(String... arguments) {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--config", config.toString()));
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
        .execute(all.toArray(String[]::new));
  }
}
