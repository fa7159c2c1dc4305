package io.tidemark.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.app.RunningComponents;
import io.tidemark.cli.print.RecordPrinter;
import io.tidemark.cli.print.Terminal;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.Topic;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.serve.feed.StartPosition;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Follows topics and prints their records. */
@Command(
    name = "tail",
    mixinStandardHelpOptions = true,
    description = "Prints records of topics as they come, until stopped (Ctrl-C) or after --count.")
public final class TailCommand extends CliCommand implements Runnable {

  private static final Duration BEFORE_WAITING_IS_SAID = Duration.ofSeconds(2);

  @Parameters(paramLabel = "TOPIC", arity = "1..*",
      description = "Topics, such as pool.changes; the prefix can be left out.")
  List<String> names = List.of();

  @Mixin
  ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--from", paramLabel = "WHERE", defaultValue = "now",
      description = "Where to start: beginning, now, a duration before now such as 10m, or a time such as"
          + " 2026-03-10T12:00:00Z (default: ${DEFAULT-VALUE}). Existing records are printed in the order of time.")
  String from = "now";

  @Option(names = "--count", paramLabel = "N",
      description = "Stops right after this many records. ('tail ... | head' ends only when one more record comes.)")
  @Nullable
  Long count;

  @Mixin
  WhereOption where = new WhereOption();

  @Option(names = "--fields", paramLabel = "NAME[,NAME...]", split = ",",
      description = "Prints only these values, separated by tabs or as JSON. A value has the same name as in"
          + " conditions, such as about.name,price.move_percent.")
  @Nullable
  List<String> fields;

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: a line for people; json: a line of JSON (default: ${DEFAULT-VALUE}).")
  OutputFormat format = OutputFormat.TEXT;

  private final Map<String, Vocabulary> vocabularies = new HashMap<>();
  /** Number of printed records. Only the reading thread writes this field; the thread of the notice reads it. */
  private volatile long printed;

  @Override
  public void run() {
    if (count != null && count < 1) {
      throw wrongUsage("--count: must be at least 1, got " + count);
    }
    var topics = cluster.topics(names);
    var condition = where.condition(topics);
    if (fields != null) {
      topics.forEach(topic -> vocabularies.put(topic.name(), vocabulary(topic, fields)));
    }
    var start = start();
    var printer = new RecordPrinter(ZoneId.systemDefault(), Terminal.system(), cluster::written);
    try (var parts = RunningComponents.stoppingSilently()) {
      var reader = parts.add("the reader", cluster.readerRequiringTopics(topics));
      start.apply(reader);
      var notice = CompletableFuture.runAsync(this::sayThatItWaits,
          CompletableFuture.delayedExecutor(BEFORE_WAITING_IS_SAID.toMillis(), TimeUnit.MILLISECONDS));
      try {
        reader.followInTimeOrder(record -> print(record, condition, printer));
      } finally {
        notice.cancel(false);
      }
    }
  }

  /** Prints a notice to standard error if no record has been printed yet. */
  private void sayThatItWaits() {
    if (printed == 0) {
      complain(
          "Waits for a record of " + String.join(", ", names) + (where.text == null ? "" : " that meets the condition")
              + "; Ctrl-C stops it, and --from 10m shows the records of the last ten minutes.");
    }
  }

  /** Prints a record if it meets the condition, and returns whether more records are wanted. */
  private boolean print(CommittedRecord record, Predicate<CommittedRecord> condition, RecordPrinter printer) {
    if (!condition.test(record)) {
      return true;
    }
    var value = record.value();
    var vocabulary = vocabularies.get(record.topic());
    if (fields != null && value != null && vocabulary != null) {
      out().println(format == OutputFormat.JSON
          ? new SelectedFields(vocabulary, fields).json(value).toString()
          : new SelectedFields(vocabulary, fields).text(value));
    } else if (format == OutputFormat.JSON) {
      out().println(RecordJson.of(record).toString());
    } else {
      rawOut().println(printer.print(record));
    }
    rawOut().flush();
    var total = printed + 1;
    printed = total;
    return !hasOutputFailed() && (count == null || total < count);
  }

  private Vocabulary vocabulary(Topic<?> topic, List<String> fields) {
    var vocabulary = Vocabulary.of(topic.schema());
    for (var field : fields) {
      var problem = vocabulary.problemWithoutPrevious(field);
      if (problem != null) {
        throw wrongUsage("--fields, for " + topic.name() + ": " + problem);
      }
    }
    return vocabulary;
  }

  private StartPosition start() {
    try {
      return StartPosition.parse(from, InstantSource.system());
    } catch (IllegalArgumentException e) {
      throw wrongUsage("--from: " + e.getMessage());
    }
  }

  /** The values of some fields of records, by their names in the vocabulary of conditions. Decimals have all digits. */
  private record SelectedFields(Vocabulary vocabulary, List<String> names) {

    private static final int LONGEST_TEXT = 2_000;

    /** Returns the values as JSON, in the order in which the fields were requested. */
    private ObjectNode json(SpecificRecord record) {
      var json = JsonNodeFactory.instance.objectNode();
      names.forEach(name -> json.set(name, RecordJson.value(vocabulary.avroValue(name, record))));
      return json;
    }

    /** Returns the values as text separated by tabs. Times are in ISO 8601, and a missing value is empty. */
    private String text(SpecificRecord record) {
      return names.stream()
          .map(name -> switch (vocabulary.avroValue(name, record)) {
            case null -> "";
            case Double number when Double.isFinite(number) -> new BigDecimal(number.toString()).toPlainString();
            case Map<?, ?> map -> RecordJson.value(map).toString();
            case List<?> list -> RecordJson.value(list).toString();
            case Object other -> TerminalText.text(other.toString(), LONGEST_TEXT);
          })
          .collect(Collectors.joining("\t"));
    }
  }
}
