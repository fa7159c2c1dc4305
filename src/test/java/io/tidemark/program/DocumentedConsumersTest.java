package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.program.DocumentedExamplesIT.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The examples of {@code consumers.md} that need a server of their own name topics and fields that there are. */
class DocumentedConsumersTest {

  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  static final Pattern TOPIC = Pattern.compile("tidemark\\.[a-z0-9.-]+[a-z0-9]");
  static final Pattern COLUMN =
      Pattern.compile("(\\w+) (?:STRING|BIGINT|DOUBLE|ROW<|TIMESTAMP|String|DateTime64|Nullable)");
  static final Pattern PATH = Pattern.compile("\\b(about|price|origin)(?:->|\\.)(\\w+)\\b(?!\\()");
  static final Set<String> PROGRAMS = Set.of("sql", "java", "python", "js", "json", "xml");

  static Stream<Block> notRun() {
    return DocumentedExamplesIT.blocks()
        .filter(each -> each.page().equals("consumers.md") && each.info().startsWith(DocumentedExamplesIT.NOT_RUN));
  }

  @ParameterizedTest
  @MethodSource("notRun")
  void topicsAndFields_exist(Block block) {
    var topics = TOPIC.matcher(block.text()).results().map(found -> topic(found.group())).toList();
    var fields = topics.stream().flatMap(each -> fields(each).stream()).collect(Collectors.toSet());

    assertThat(fields).containsAll(
        COLUMN.matcher(block.text()).results().map(found -> found.group(1)).collect(Collectors.toSet()));
    assertThat(fields).containsAll(
        PATH.matcher(block.text()).results().map(found -> found.group(1) + "." + found.group(2)).toList());
    assertThat(fields).containsAll(Pattern.compile("\\.get\\(\"(\\w+)\"\\)").matcher(block.text()).results()
        .map(found -> found.group(1)).toList());
  }

  /** A sink that writes one column for each field cannot write others. */
  @Test
  void connect_writesFlatTopicsByTheirKey() throws IOException {
    var page = Files.readString(DocumentedExamplesIT.PAGES.resolve("consumers.md"));
    var sink = DocumentedExamplesIT.blocks().filter(each -> each.text().contains("connector.class")).toList();
    var flat = TOPICS.all().stream().filter(topic -> isFlat(topic.schema())).map(TOPICS::shortName).toList();

    assertThat(flat).contains("pool.candles.1m").doesNotContain("pool.listing", "pool.changes", "pool.state");
    assertThat(sink).hasSize(1).allSatisfy(block -> {
      var topic = topic(TOPIC.matcher(block.text()).results().findFirst().orElseThrow().group());
      assertThat(flat).contains(TOPICS.shortName(topic));
      assertThat(topic.schema().getFields()).extracting(Schema.Field::name).contains("id", "start");
      assertThat(block.text()).contains("\"pk.fields\": \"id,start\"")
          .containsPattern("\"table\\.name\\.format\": \"\\w+\"");
    });
    var said =
        Pattern.compile("Flat topics fit tables as they are:\\s+`(\\w+)`, the candles, `(\\w+)` and `(\\w+)`\\.")
            .matcher(page);
    assertThat(said.find()).isTrue();
    assertThat(flat.stream().filter(each -> !each.contains("candles"))).as("for others than the program itself")
        .containsExactlyInAnyOrder("watch", "control", said.group(1), said.group(2), said.group(3));
    assertThat(fields(TOPICS.poolListing())).contains("origin.observed_at", "about.name");
  }

  /** A program in any page says what runs it, or why nothing does; and its section says so in words. */
  @Test
  void programsOfAllPages_areRunOrSayThatTheyAreNot() throws IOException {
    try (var files = Files.walk(Compose.ROOT.resolve("docs"))) {
      var pages = Stream.concat(files.filter(each -> each.toString().endsWith(".md")),
          Stream.of(Compose.ROOT.resolve("README.md"))).toList();
      for (var page : pages) {
        var text = Files.readString(page);
        DocumentedExamplesIT.BLOCK.matcher(text).results()
            .filter(each -> isProgram(each.group(1), each.group(3)))
            .forEach(each -> assertThat(each.group(2)).as("%s: %s", page, each.group(3)).isNotNull()
                .matches("not-run: .{10,}|\\w+\\.\\w+|template"));
      }
      assertThat(unsaid(Files.readString(DocumentedExamplesIT.PAGES.resolve("consumers.md")))).isEmpty();
    }
  }

  /** The consumer of {@code bootstrap.py} has nothing for a second twice, and partition 0 ends twice. */
  @Test
  void pythonBootstrap_readsEachPartitionToItsEnd() throws Exception {
    assumeTrue(Files.isExecutable(Path.of(ForeignConsumersIT.PYTHON)), "needs Python");
    var page = DocumentedExamplesIT.blocks().filter(each -> each.info().equals("bootstrap.py")).findFirst();
    var program = page.orElseThrow().text();
    var reader = program.substring(program.indexOf("def read("), program.indexOf("def differing("));

    var applied = ForeignConsumersIT.run(Stream.of(ForeignConsumersIT.PYTHON, "-c", """
        import sys
        from unittest.mock import Mock

        KafkaError, consumer = Mock(_PARTITION_EOF="end"), Mock()
        apply = lambda message: print(message.partition())

        def change(partition, error=None):
            return Mock(partition=lambda: partition, error=lambda: error)

        def end(partition):
            return change(partition, Mock(code=lambda: "end"))

        consumer.poll.side_effect = [None, change(0), end(0), change(0), end(0), None, change(1), end(1)]
        """ + reader + "read([Mock(partition=0), Mock(partition=1)])"));

    assertThat(applied).containsExactly("0", "0", "1");
  }

  private static boolean isProgram(String language, String text) {
    return PROGRAMS.contains(language) && (!language.equals("json") || text.contains("connector.class"));
  }

  /** Sections whose programs are not run, and that do not say so to a reader. */
  private static List<String> unsaid(String page) {
    return Stream.of(page.split("(?m)^## ", -1)).skip(1)
        .filter(section -> Pattern.compile("(?m)^```(sql|java|json)").matcher(section).find())
        .filter(section -> !section.contains("Not run by the tests"))
        .map(section -> section.lines().findFirst().orElse(""))
        .toList();
  }

  private static Topic<?> topic(String name) {
    return TOPICS.all().stream().filter(each -> each.name().equals(name)).findFirst()
        .orElseThrow(() -> new AssertionError("there is no topic " + name));
  }

  /** Names of the fields, and of those of records among them, alone and behind their record. */
  private static Set<String> fields(Topic<?> topic) {
    var names = new TreeSet<String>();
    for (var field : topic.schema().getFields()) {
      names.add(field.name());
      for (var inner : record(field.schema())) {
        names.add(inner.name());
        names.add(field.name() + "." + inner.name());
      }
    }
    return names;
  }

  private static List<Schema.Field> record(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> schema.getFields();
      case UNION -> schema.getTypes().stream().flatMap(each -> record(each).stream()).toList();
      default -> List.of();
    };
  }

  private static boolean isFlat(Schema schema) {
    return schema.getFields().stream().allMatch(field -> Stream.of(field.schema())
        .flatMap(each -> each.isUnion() ? each.getTypes().stream() : Stream.of(each))
        .noneMatch(each -> Set.of(Schema.Type.RECORD, Schema.Type.ARRAY, Schema.Type.MAP).contains(each.getType())));
  }
}
