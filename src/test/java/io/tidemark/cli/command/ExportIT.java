package io.tidemark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.Main;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicOffsets;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.PoolChanges;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code export} writes of two partitions: four committed changes, an unreadable record and an aborted one. */
@TestInstance(Lifecycle.PER_CLASS)
class ExportIT {

  /** Yesterday, since the broker deletes what is older than the retention. */
  final Instant noon = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(12, ChronoUnit.HOURS);
  final String day = noon.toString().substring(0, 10);
  static final String EXACT = "0.10000000000000000555111512312578";

  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final Topic<PoolChange> changes = topics.pool().changes();
  final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  StringWriter out = new StringWriter();
  StringWriter err = new StringWriter();

  @TempDir
  Path folder;

  @BeforeAll
  void writeCommittedChanges() throws Exception {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1)).ensure(List.of(changes, topics.poolListing()));
      writeChanges();
      IntStream.range(0, 2).forEach(each -> new TopicOffsets(admin).committed(changes.name(), each));
    }
  }

  private void writeChanges() {
    try (var producer = new KafkaProducer<>(Map.<String, Object>of("bootstrap.servers",
        SharedBroker.bootstrapServers(), "transactional.id", topics.prefix() + "export"), new StringSerializer(),
        new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(record(0, noon, named("=HYPERLINK(\"http://x\")", EXACT)));
      producer.send(record(0, noon.plusSeconds(2), named("A, \"B\"\nÅ", "-5.0E-9")));
      producer.send(record(1, noon.plusMillis(1_500), named("", null)));
      producer.send(record(1, noon.plusSeconds(3), named("D", "4")));
      producer.send(record(1, noon.plusSeconds(4), null));
      producer.commitTransaction();
      producer.beginTransaction();
      producer.send(record(0, noon.plusSeconds(5), named("aborted", "6")));
      producer.flush();
      producer.abortTransaction();
    }
  }

  private ProducerRecord<String, byte[]> record(int partition, Instant at, @Nullable PoolChange change) {
    return new ProducerRecord<>(changes.name(), partition, at.toEpochMilli(), "key",
        change == null ? null : changes.serde(registry).serializer().serialize(changes.name(), change));
  }

  private PoolChange named(String name, @Nullable String price) {
    var change = PoolChanges.moved(noon, "1", price);
    change.getAbout().setName(name);
    return change;
  }

  @Test
  void rows_areExactInTheOrderOfTime() {
    assertThat(export("--columns",
        "kafka.timestamp,kafka.partition,about.name,price.base_token_price_usd,about.reserve_usd,changed.price"))
        .isEqualTo(CommandFailure.PROBLEM_FOUND);

    assertThat(out).hasToString("""
        kafka.timestamp,kafka.partition,about.name,price.base_token_price_usd,about.reserve_usd,changed.price
        DAYT12:00:00Z,0,"'=HYPERLINK(""http://x"")",%s,50000.0,true
        DAYT12:00:01.500Z,1,,,50000.0,true
        DAYT12:00:02Z,0,"A, ""B""|Å",-5.0E-9,50000.0,true
        DAYT12:00:03Z,1,D,4,50000.0,true
        """.formatted(EXACT).replace("DAY", day).replace("\n", "\r\n").replace("|", "\n"));
    assertThat(err).hasToString("4 rows; without a row: 0 tombstones, 1 unreadable records\n");
  }

  /** An empty line would be no row for most readers. */
  @Test
  void missingValueInTheOnlyColumn_isARow() {
    assertThat(export("--columns", "price.base_token_price_usd", "--from", day + "T12:00:01Z", "--to",
        day + "T12:00:02.500Z")).isZero();

    assertThat(out).hasToString("\"price.base_token_price_usd\"\r\n\"\"\r\n-5.0E-9\r\n");
  }

  @Test
  void timesAndCondition_selectRecords() {
    assertThat(export("--columns", "kafka.offset,about.name", "--from", day + "T12:00:01Z", "--to",
        day + "T12:00:03Z", "--where", "price.base_token_price_usd < 1.0")).isZero();

    assertThat(out).hasToString("kafka.offset,about.name\r\n1,\"A, \"\"B\"\"\nÅ\"\r\n");
  }

  @Test
  void file_hasAllColumnsAndIsReplacedAtTheEnd() throws Exception {
    var file = Files.writeString(folder.resolve("table.csv"), "before");

    assertThat(export("-o", file.toString(), "--to", day + "T12:00:04Z")).isZero();

    assertThat(Files.readString(file, StandardCharsets.UTF_8))
        .startsWith("kafka.topic,kafka.partition,kafka.offset,kafka.timestamp,kafka.key,about.")
        .contains(changes.name() + ",1,1," + day + "T12:00:03Z,key,");
    assertThat(out.toString()).isEmpty();
    assertThat(folder).isDirectoryNotContaining(each -> !each.equals(file));
  }

  @Test
  void columnsOfATopicWithoutChanges_areThoseOfOneRecord() {
    assertThat(exportOf("pool.listing", "-o", folder.resolve("listing.csv").toString())).isZero();
    assertThat(folder.resolve("listing.csv")).content().contains(",rank,").doesNotContain("before.");

    assertThat(exportOf("pool.listing", "--columns", "before.rank")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("before.rank: is a value of the previous record of the same key");
  }

  @Test
  void unknownColumn_isReportedWithWhatThereIs() {
    assertThat(export("--columns", "about.nam")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("--columns, for " + changes.name()
        + ": about.nam: unknown; did you mean about.name?; each topic also has kafka.topic, kafka.partition");
  }

  @ParameterizedTest
  @CsvSource({
    "No space left on device, 1, the table cannot be written",
    "Broken pipe, 0, ''",
    "Datenübergabe unterbrochen (broken pipe), 0, ''",
    "The pipe is being closed, 0, ''"})
  void outputThatFails_isNoSuccess_unlessTheReaderHasEnough(String failure, int exitCode, String message) {
    assertThat(export(new OutputStream() {
      @Override
      public void write(int data) throws IOException {
        throw new IOException(failure);
      }
    }, "--to", day + "T12:00:04Z")).isEqualTo(exitCode);
    assertThat(err.toString()).startsWith(message.isEmpty() ? "" : "tidemark: " + message).doesNotContain("rows");
  }

  @Test
  void terminal_getsLinesWithoutCarriageReturns() {
    export(true, OutputStream.nullOutputStream(), "--columns", "kafka.offset", "--to", day + "T12:00:01Z");

    assertThat(out).hasToString("kafka.offset\n0\n");
  }

  private int export(String... options) {
    var written = new ByteArrayOutputStream();
    var exitCode = export(written, options);
    out.write(written.toString(StandardCharsets.UTF_8));
    return exitCode;
  }

  private int export(OutputStream standardOutput, String... options) {
    return export(false, standardOutput, options);
  }

  private int export(boolean onTerminal, OutputStream standardOutput, String... options) {
    return export("pool.changes", onTerminal, standardOutput, options);
  }

  private int exportOf(String topic, String... options) {
    return export(topic, false, OutputStream.nullOutputStream(), options);
  }

  private int export(String topic, boolean onTerminal, OutputStream standardOutput, String... options) {
    out = new StringWriter();
    err = new StringWriter();
    var program = Main.commandLine();
    var command = program.getSubcommands().get("export").<ExportCommand>getCommand();
    command.onTerminal = onTerminal;
    command.standardOutput = standardOutput;
    return program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(Stream.concat(
        Stream.of("export", topic, "--bootstrap", SharedBroker.bootstrapServers(), "--prefix",
            topics.prefix()),
        Stream.of(options)).toArray(String[]::new));
  }
}
