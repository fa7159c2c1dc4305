package io.tidemark.cli.print;

import io.tidemark.cli.print.ChangePrinter.PoolNames;
import io.tidemark.cli.print.StyledText.Style;
import io.tidemark.event.Alert;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DeadLetter;
import io.tidemark.kafka.CommittedRecord;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Prints a record of any topic for people, in the width of a terminal: time, place, name, and the most important
 * values. Each record takes one line, except alerts and dead letters, which take several. The lines of dead letters
 * are not cut to the width.
 *
 * @param clusterOptions returns the options with which printed commands reach the topic of a record, with a space
 *     before each option
 */
public record RecordPrinter(ZoneId zone, Terminal terminal, PoolNames names, UnaryOperator<String> clusterOptions) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int TIME_COLUMNS = 9;
  private static final int ALERT_COLUMNS = TIME_COLUMNS + 9;
  private static final int WIDE = 100;
  private static final int MOST_FIELDS = 8;
  private static final int LONGEST_SUMMARY = 200;
  private static final int LONGEST_ID = 300;

  public RecordPrinter(ZoneId zone, Terminal terminal, UnaryOperator<String> clusterOptions) {
    this(zone, terminal, new PoolNames(), clusterOptions);
  }

  public String titles() {
    return line(StyledText.of(Style.DIM, "time"), Style.DIM, "where", Style.DIM, "what",
        new LineContent(List.of(StyledText.of(Style.DIM, "change")), 1, null));
  }

  /** Returns a note about the printed lines, such as a count. It takes several lines if the terminal is narrow. */
  public String note(String text) {
    return TerminalText.wrapped(text, terminal.columns() - TIME_COLUMNS).stream()
        .map(line -> StyledText.of(Style.DIM, " ".repeat(TIME_COLUMNS) + line).cut(terminal.columns())
            .render(terminal.colours()))
        .collect(Collectors.joining("\n"));
  }

  /**
   * Returns the purpose of a command and, below it, the command, which is never wrapped or cut, so that it can be
   * copied.
   */
  public String command(String purpose, String command) {
    return note(purpose) + "\n"
        + StyledText.of(Style.DIM, " ".repeat(TIME_COLUMNS) + command).render(terminal.colours());
  }

  /**
   * Remembers the names of the pools in a record, because a change of a list names a pool only when the pool enters.
   * {@link #print(CommittedRecord)} also remembers the names.
   */
  public void learn(CommittedRecord record) {
    names.learn(record.value());
  }

  /** Prints a record, without a line break at the end. */
  public String print(CommittedRecord record) {
    var time = StyledText.of(Style.DIM, TIME.format(record.time().atZone(zone)));
    var value = record.value();
    names.learn(value);
    if (record.unreadable() != null) {
      return line(time, Style.CRITICAL, "UNREADABLE", Style.PLAIN, record.keyText(),
          LineContent.of(record.location() + ": " + record.unreadable().detail()));
    }
    return switch (value) {
      case null -> line(time, Style.PLACE, withoutPrefix(record.topic()), Style.PLAIN, record.keyText(),
          LineContent.of("deleted (tombstone)"));
      case Alert alert -> print(time, alert, clusterOptions.apply(record.topic()));
      case DeadLetter deadLetter -> {
        var stored = StoredDeadLetter.of(record);
        yield time.render(terminal.colours()) + " " + stored.position() + " " + stored.print();
      }
      default -> print(time, record, value);
    };
  }

  private String print(StyledText time, CommittedRecord record, SpecificRecord value) {
    var table = new RecordTable(zone);
    var topic = withoutPrefix(record.topic());
    return line(time, Style.PLACE, table.place(value, topic, record.keyText()), Style.BOLD,
        table.name(value, record.keyText()), content(value, table, record.keyText()));
  }

  private LineContent content(SpecificRecord value, RecordTable table, String key) {
    if (ChangeView.of(value).isChange()) {
      return ChangePrinter.print(value, names, zone);
    }
    var columns = table.columns(value, key);
    return columns.isEmpty() ? LineContent.of(fields(value)) : LineContent.of(columns);
  }

  /**
   * Prints the summary of an alert, or the summary of its end if it has one, cut after 200 characters, in as many lines
   * as needed, then the severity and the command that explains the alert.
   */
  private String print(StyledText time, Alert alert, String options) {
    var style = switch (alert.getSeverity()) {
      case "critical" -> Style.CRITICAL;
      case "warning" -> Style.WARNING;
      default -> Style.INFO;
    };
    var summary = TerminalText.text(
        Objects.requireNonNullElse(alert.getEndSummary(), alert.getSummary()), LONGEST_SUMMARY);
    var label = switch (alert.getStatus()) {
      case "pending", "resolved" -> alert.getStatus().toUpperCase(Locale.ROOT);
      default -> "ALERT";
    };
    var stage = switch (alert.getStatus()) {
      case "pending" -> "; an alert if it lasts";
      case "resolved" -> "; over";
      default -> "";
    };
    var silence =
        alert.getSilenced() == null ? "" : "; silenced by " + TerminalText.text(alert.getSilenced(), LONGEST_ID);
    var text = time.and(" ").and(StyledText.of(style, label).inColumns(ALERT_COLUMNS - TIME_COLUMNS));
    var lines = new ArrayList<String>();
    for (var each : TerminalText.wrapped(summary, terminal.columns() - ALERT_COLUMNS)) {
      lines.add(text.and(Style.BOLD, each).render(terminal.colours()));
      text = StyledText.plain(" ".repeat(ALERT_COLUMNS));
    }
    lines.add(command("severity " + TerminalText.text(alert.getSeverity()) + stage + silence + "; why:",
        "./tidemark rules explain " + TerminalText.text(alert.getId(), LONGEST_ID) + options));
    return String.join("\n", lines);
  }

  private String line(StyledText time, Style placeStyle, String place, Style nameStyle, String name,
      LineContent content) {
    var columns = terminal.columns();
    var isWide = columns >= WIDE;
    var start = time.inColumns(TIME_COLUMNS)
        .and(StyledText.of(placeStyle, place).inColumns(isWide ? 15 : 8)).and(" ")
        .and(StyledText.of(nameStyle, name).inColumns(isWide ? 24 : 16)).and(" ");
    return start.and(content.fit(columns - start.width())).render(terminal.colours());
  }

  /**
   * Returns the names and values of the first simple fields of a record for which {@link RecordTable} has no columns.
   */
  private static String fields(IndexedRecord value) {
    return ChangeView.of(value).attributes().stream()
        .filter(field -> isPrinted(field.in(value)))
        .limit(MOST_FIELDS)
        .map(field -> field.name() + "=" + TerminalText.text(String.valueOf(field.in(value))))
        .collect(Collectors.joining(" "));
  }

  private static boolean isPrinted(@Nullable Object value) {
    return value instanceof String text
        ? !text.isEmpty()
        : value instanceof Number || value instanceof Boolean || value instanceof Instant;
  }

  private static String withoutPrefix(String topic) {
    return topic.substring(topic.indexOf('.') + 1);
  }

  /**
   * The content of a record's line, the most important part first.
   *
   * @param parts each part is a field or an event; those that fit are printed
   * @param fields number of fields, to compute how many are left out; 0 if the parts are not fields
   * @param shortest a short form of the first part, for a line in which the first part does not fit; null to cut the
   *     first part instead
   */
  record LineContent(List<StyledText> parts, int fields, @Nullable StyledText shortest) {

    private static final StyledText COMMA = StyledText.plain(", ");

    /** Returns content whose parts are not fields. Parts that do not fit are left out without a count. */
    static LineContent of(List<String> parts) {
      var texts = parts.stream().map(StyledText::plain).toList();
      return new LineContent(texts, 0, null);
    }

    static LineContent of(String part) {
      return of(Collections.singletonList(part));
    }

    /**
     * Returns as many parts as fit in the columns, at least one, and the number of fields left out if it fits. If the
     * first part does not fit, returns its short form or its beginning, without a number.
     */
    StyledText fit(int columns) {
      for (int count = parts.size(); count > 1; count--) {
        var text = first(count).and(more(TerminalText.counted(fields - count, "more field"), count));
        if (text.width() <= columns) {
          return text;
        }
      }
      var first = first(1);
      var withRest = first.and(more(TerminalText.counted(fields - 1, "more field"), 1));
      var withShortRest = first.and(more(fields - 1 + " more", 1));
      return Stream.of(withRest, withShortRest, first)
          .filter(text -> text.width() <= columns)
          .findFirst()
          .orElseGet(() -> Objects.requireNonNullElse(shortest, first).cut(columns));
    }

    private StyledText first(int count) {
      var text = StyledText.EMPTY;
      for (var part : parts.subList(0, Math.min(count, parts.size()))) {
        text = text.isEmpty() ? part : text.and(COMMA).and(part);
      }
      return text;
    }

    private StyledText more(String what, int printed) {
      return fields > printed ? StyledText.of(StyledText.Style.DIM, " +" + what) : StyledText.EMPTY;
    }
  }
}
