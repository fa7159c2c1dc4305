package io.tidemark.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.dataformat.csv.CsvGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.RunningComponents;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.cli.print.TerminalWriter;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.rule.expression.Vocabulary;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Exports the records of a topic as CSV. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Writes records of a topic as CSV: a row for each record, in the order of time.",
      "Ends with the last record that is committed when it starts. Tombstones have no row."
    })
public final class ExportCommand extends CliCommand implements Callable<Integer> {

  /** The columns of each topic, beside the values of its records. */
  private static final List<Column> OF_KAFKA = List.of(
      new Column("kafka.topic", CommittedRecord::topic), new Column("kafka.partition", CommittedRecord::partition),
      new Column("kafka.offset", CommittedRecord::offset), new Column("kafka.timestamp", CommittedRecord::time),
      new Column("kafka.key", CommittedRecord::key));

  private static final CsvMapper CSV = CsvMapper.builder()
      .enable(CsvGenerator.Feature.STRICT_CHECK_FOR_QUOTING)
      .disable(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
      .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
      .build();

  private static final String STARTS_OF_FORMULAS = "=+-@\t\r";
  private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

  /** A column, and how its value is found in a record that has a value. */
  private record Column(String name, Function<CommittedRecord, @Nullable Object> value) {}

  @Parameters(paramLabel = "TOPIC", description = "The topic, such as pool.changes; the prefix can be left out.")
  String topic = "";

  @Mixin
  ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--from", paramLabel = "TIME",
      description = "Begins each partition with the first record of this time or later: a duration before now such as"
          + " 1h, a day such as 2026-03-10, or a time such as 2026-03-10T12:00:00Z (default: the first record).")
  @Nullable
  String from;

  @Option(names = "--to", paramLabel = "TIME",
      description = "Ends each partition before the first record of this time or later, in the same forms as --from"
          + " (default: all records that are committed when the export starts).")
  @Nullable
  String to;

  @Mixin
  WhereOption where = new WhereOption();

  @Option(names = "--columns", paramLabel = "NAME[,NAME...]", split = ",",
      description = "The columns, in this order (default: all). A value has the same name as in conditions, such as"
          + " about.name,price.move_percent. Each record also has kafka.topic, kafka.partition, kafka.offset,"
          + " kafka.timestamp and kafka.key.")
  List<String> names = List.of();

  @Option(names = {"-o", "--output"}, paramLabel = "FILE",
      description = "Writes to this file, which is replaced when the export is complete (default: standard output).")
  @Nullable
  Path output;

  /** Unlike {@code System.out}, says why it cannot be written to. */
  OutputStream standardOutput = new FileOutputStream(FileDescriptor.out);

  boolean onTerminal = ProgressBar.isTerminal();

  private long rows;
  private long tombstones;
  private long unreadable;

  @Override
  public Integer call() {
    var begin = from == null ? Instant.EPOCH : time("--from", from);
    var end = to == null ? null : time("--to", to);
    if (end != null && !begin.isBefore(end)) {
      throw wrongUsage("--from: must be before --to, which is " + end);
    }
    var topics = cluster.topics(List.of(topic));
    var columns = columns(topics.getFirst());
    var condition = where.condition(topics);
    try (var parts = RunningComponents.stoppingSilently()) {
      var reader = parts.add("the reader", cluster.readerRequiringTopics(topics));
      var partitions = reader.offsets().partitions(topics.stream().map(Topic::name).toList());
      reader.startAt(begin);
      var ends = end == null ? reader.offsets().latest(partitions) : reader.offsets().at(partitions, end);
      write(columns, row -> read(reader, ends, condition, row));
    } catch (IOException | UncheckedIOException e) {
      if (output == null && hasReaderEnough(e)) {
        return 0;
      }
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "the table cannot be written: " + e);
    }
    complain("%,d rows; without a row: %,d tombstones, %,d unreadable records".formatted(rows, tombstones, unreadable));
    return unreadable == 0 ? 0 : CommandFailure.PROBLEM_FOUND;
  }

  private List<Column> columns(Topic<?> topic) {
    var vocabulary = Vocabulary.of(topic.schema());
    if (names.isEmpty()) {
      return Stream
          .concat(OF_KAFKA.stream(), vocabulary.namesWithoutPrevious().stream().map(name -> column(name, vocabulary)))
          .toList();
    }
    var problem = names.stream().filter(name -> ofKafka(name) == null).map(vocabulary::problemWithoutPrevious)
        .filter(Objects::nonNull).findFirst();
    if (problem.isPresent()) {
      throw wrongUsage("--columns, for " + topic.name() + ": " + problem.get()
          + OF_KAFKA.stream().map(Column::name).collect(Collectors.joining(", ", "; each topic also has ", "")));
    }
    return names.stream().map(name -> Objects.requireNonNullElseGet(ofKafka(name), () -> column(name, vocabulary)))
        .toList();
  }

  private static @Nullable Column ofKafka(String name) {
    return OF_KAFKA.stream().filter(column -> column.name.equals(name)).findFirst().orElse(null);
  }

  private static Column column(String name, Vocabulary vocabulary) {
    return new Column(name, record -> vocabulary.avroValue(name, Objects.requireNonNull(record.value())));
  }

  /** Writes the header and the rows to the output. A file gets its name when it is complete. */
  private void write(List<Column> columns, Consumer<Consumer<CommittedRecord>> records) throws IOException {
    if (output == null) {
      write(columns, records, onTerminal ? out() : new OutputStreamWriter(standardOutput, UTF_8));
      return;
    }
    var part = output.resolveSibling(output.getFileName() + ".part");
    try (var file = Files.newBufferedWriter(part)) {
      write(columns, records, file);
    }
    Files.move(part, output, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(List<Column> columns, Consumer<Consumer<CommittedRecord>> records, Writer to)
      throws IOException {
    var lineEnd = to instanceof TerminalWriter ? "\n" : "\r\n"; // a terminal would show the escape of \r
    var writer = CSV.writer(CsvSchema.emptySchema().withLineSeparator(lineEnd));
    if (columns.size() == 1) { // readers of CSV skip an empty line, which would be a missing value
      writer = writer.without(CsvGenerator.Feature.STRICT_CHECK_FOR_QUOTING)
          .with(CsvGenerator.Feature.ALWAYS_QUOTE_EMPTY_STRINGS);
    }
    try (var table = writer.writeValues(to)) {
      table.write(columns.stream().map(Column::name).toList());
      records.accept(record -> {
        try {
          table.write(columns.stream().map(column -> cell(column.value.apply(record))).toList());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      });
    }
    to.flush();
  }

  private void read(TopicReader reader, Map<TopicPartition, Long> ends, Predicate<CommittedRecord> condition,
      Consumer<CommittedRecord> row) {
    try (var bar = new ProgressBar(rawErr(), ProgressBar.isTerminal())) {
      var total = new AtomicLong(-1);
      reader.readInTimeOrder(ends, record -> {
        if (record.unreadable() != null) {
          unreadable++;
        } else if (record.value() == null) {
          tombstones++;
        } else if (condition.test(record)) {
          rows++;
          row.accept(record);
        }
        return true;
      }, progress -> {
        var remaining = progress.remaining(ends);
        total.compareAndSet(-1, remaining);
        bar.update(total.get() - remaining, total.get());
      });
    }
  }

  /** Returns a value as text; a missing value is empty, since the library would leave out the cell of a null. */
  private static String cell(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Double number -> Double.isFinite(number) ? new BigDecimal(number.toString()).toPlainString() : "";
      case Map<?, ?> map -> RecordJson.value(map).toString();
      case List<?> list -> RecordJson.value(list).toString();
      default -> withoutFormula(value.toString());
    };
  }

  /** Puts an apostrophe before a text that a spreadsheet would take for a formula, as the page does. */
  private static String withoutFormula(String text) {
    var isFormula =
        !text.isEmpty() && STARTS_OF_FORMULAS.indexOf(text.charAt(0)) >= 0 && !NUMBER.matcher(text).matches();
    return isFormula ? "'" + text : text;
  }
}
