package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Main;
import io.tidemark.cli.print.RecordPrinter;
import io.tidemark.cli.print.Terminal;
import io.tidemark.kafka.BadRecord;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every kind of bad record in every topic, for the readers that only show: each is shown, and reading goes on. */
class BadRecordsIT {

  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final Topics TOPICS = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  static final RecordPrinter PRINTER = new RecordPrinter(ZoneOffset.UTC, Terminal.of(200, false), topic -> "");

  @BeforeAll
  static void write() throws ExecutionException, InterruptedException {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(TOPICS.all());
    }
    var config = new HashMap<>(KAFKA);
    config.put("max.request.size", 2 * RecordLimits.BATCH);
    config.put("compression.type", "lz4");
    try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      var sent = new ArrayList<Future<RecordMetadata>>();
      TOPICS.all().forEach(topic -> {
        kinds(topic)
            .map(bad -> new ProducerRecord<>(topic.name(), bad.key(), bad.value(topic)))
            .forEach(record -> sent.add(producer.send(record)));
        sent.add(producer.send(new ProducerRecord<>(topic.name(), BadRecord.TEXT.key(), BadRecord.good(topic))));
      });
      for (var record : sent) {
        record.get();
      }
    }
  }

  /** Brokers themselves refuse a record without a key in a compacted topic. */
  private static Stream<BadRecord> kinds(Topic<?> topic) {
    return Stream.of(BadRecord.values()).filter(bad -> bad != BadRecord.NULL_KEY || !topic.cleanup().isCompacted());
  }

  @Test
  void reader_saysWhatIsWrongWithEach() {
    var found = new TreeMap<String, List<String>>();
    try (var reader = new TopicReader(KAFKA, TOPICS.all(), new BuiltInRegistry(TOPICS.all()))) {
      reader.readAll(record -> {
        found.computeIfAbsent(record.topic(), name -> new ArrayList<>()).add(reason(record));
        assertThat(PRINTER.print(record)).hasSizeLessThan(20_000 + RecordLimits.KEY);
        assertThat(RecordJson.of(record).has("unreadable")).isEqualTo(record.unreadable() != null);
      });
    }

    assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(TOPICS.all().stream().map(Topic::name).toList());
    TOPICS.all().forEach(topic -> assertThat(found.get(topic.name())).as(topic.name()).isEqualTo(Stream.concat(
        kinds(topic).map(bad -> bad.reasonIn(topic) == null ? "readable" : bad.reasonIn(topic).wire()),
        Stream.of("readable")).toList()));
  }

  @Test
  void tail_printsThem() {
    var topics = TOPICS.all().stream().map(Topic::name).filter(name -> name.endsWith(".changes")).toList();
    var perTopic = BadRecord.values().length + 1;
    var command = Stream.concat(
        Stream.of("tail", "--from", "beginning", "--where", "origin.source == 'none'", "--count",
            Integer.toString(topics.size() * (perTopic - 1))),
        topics.stream());

    var printed = run(command.toArray(String[]::new));

    assertThat(printed.lines().filter(line -> line.contains(" UNREADABLE "))).hasSize(topics.size() * (perTopic - 1));
  }

  @Test
  void audit_countsAndNamesThem() {
    var bad = TOPICS.all().stream()
        .mapToLong(topic -> kinds(topic).filter(each -> each.reasonIn(topic) != null).count())
        .sum();

    var report = run("audit", "--most", "1000");

    assertThat(report).contains("%,d of them cannot be used".formatted(bad));
    assertThat(report.lines().filter(line -> line.startsWith("a record cannot be used"))).hasSize(Math.toIntExact(bad));
  }

  @Test
  void otherCommands_skipThem() {
    assertThat(run("rules", "list")).contains("no rules");
    assertThat(run("dead-letters", "list").lines().filter(line -> line.startsWith("0:"))).hasSize(1);
    assertThat(run("topics").lines()).anyMatch(line -> line.endsWith(" " + TOPICS.pool().changes().name()))
        .allMatch(line -> line.length() <= 80);
  }

  private static String reason(CommittedRecord record) {
    return record.unreadable() == null ? "readable" : record.unreadable().reason().wire();
  }

  private static String run(String... arguments) {
    var out = new StringWriter();
    var all = Stream.concat(Arrays.stream(arguments),
        Stream.of("--bootstrap", SharedBroker.bootstrapServers(), "--prefix", TOPICS.prefix()));
    Main.commandLine().setOut(new PrintWriter(out)).execute(all.toArray(String[]::new));
    return out.toString();
  }
}
