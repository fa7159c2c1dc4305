package io.tidemark.cli.command;

import io.tidemark.cli.print.RecordJson;
import io.tidemark.cli.print.RecordPrinter;
import io.tidemark.cli.wiring.FoundRecord;
import io.tidemark.cli.wiring.StartPosition;
import io.tidemark.cli.wiring.StartedParts;
import io.tidemark.cli.wiring.TopicReader;
import io.tidemark.rule.expression.AttributeHistory;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.Expression.Verdict;
import io.tidemark.rule.expression.ExpressionException;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.topic.Topic;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "tail",
    mixinStandardHelpOptions = true,
    description = "Prints records of topics as they come, until stopped (Ctrl-C) or enough.")
public final class TailCommand implements Runnable {

  /** How a record is printed. */
  enum Format {
    text,
    json
  }

  @Parameters(paramLabel = "TOPIC", arity = "1..*", description = "Topics, such as pool.changes; prefix optional.")
  List<String> names = List.of();

  @Mixin
  ClusterOptions place = new ClusterOptions();

  @Option(names = "--from", paramLabel = "WHERE", defaultValue = "now",
      description = "beginning, now, or a time such as 2026-03-10T12:00:00Z (default: ${DEFAULT-VALUE}).")
  String from = "now";

  @Option(names = "--count", paramLabel = "N", description = "Stops after so many records.")
  @Nullable
  Long count;

  @Option(names = "--where", paramLabel = "CEL",
      description = "Only records for which this is true, such as 'changed.price && about.reserve_usd > 10000.0'.")
  @Nullable
  String where;

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: a line for people; json: one line of JSON a record (default: ${DEFAULT-VALUE}).")
  Format format = Format.text;

  @Spec
  @Nullable
  CommandSpec spec;

  private long printed;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    if (count != null && count < 1) {
      throw wrong("--count: at least 1, not " + count);
    }
    var topics = place.topics(names);
    var conditions = conditions(topics);
    var beginning = beginning();
    try (var running = new StartedParts()) {
      var reader = running.add("reading", new TopicReader(place.cluster().clientConfig(), topics, place.registry()));
      reader.begin(beginning);
      reader.read(found -> print(found, conditions, out));
    }
  }

  private boolean print(FoundRecord found, Map<String, Expression> conditions, PrintWriter out) {
    if (!matches(found, conditions.get(found.topic().name()))) {
      return true;
    }
    out.println(printer().apply(found));
    out.flush();
    printed++;
    return !out.checkError() && (count == null || printed < count);
  }

  private Function<FoundRecord, String> printer() {
    return format == Format.json
        ? found -> RecordJson.of(found).toString()
        : found -> new RecordPrinter(ZoneId.systemDefault()).of(found);
  }

  private static boolean matches(FoundRecord found, @Nullable Expression condition) {
    return condition == null || (found.value() != null && condition.test(found.value(), now(found)) == Verdict.TRUE);
  }

  /** Ages are as of the record's own time. */
  private static AttributeHistory now(FoundRecord found) {
    return AttributeHistory.none(Instant.ofEpochMilli(found.record().timestamp()));
  }

  /** A condition for each topic: what it may speak of depends on what is in the topic. */
  private Map<String, Expression> conditions(List<Topic<?>> topics) {
    var conditions = new HashMap<String, Expression>();
    if (where != null) {
      topics.forEach(topic -> conditions.put(topic.name(), condition(topic, where)));
    }
    return conditions;
  }

  private Expression condition(Topic<?> topic, String text) {
    try {
      var condition = Expression.condition(text, Vocabulary.of(SpecificData.get().getSchema(topic.value())));
      if (!condition.history().isEmpty()) {
        throw wrong("--where: tail looks at one record at a time and remembers none: moved, highest, lowest, average,"
            + " count, and the age of a figure, are for rules");
      }
      return condition;
    } catch (ExpressionException e) {
      throw wrong("--where, for " + topic.name() + ": " + e.getMessage());
    }
  }

  private StartPosition beginning() {
    try {
      return StartPosition.parse(from);
    } catch (IllegalArgumentException e) {
      throw wrong("--from: " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
