package io.tidemark.cli.print;

import io.tidemark.cli.print.ChangePrinter.PoolNames;
import io.tidemark.cli.print.StyledText.Style;
import io.tidemark.event.Alert;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DeadLetter;
import io.tidemark.topic.CommittedRecord;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Prints a record of any topic for people, in the width of a terminal: time, place, name, and what the record is read
 * for. One line; alerts and dead letters take more.
 *
 * @param clusterOptions what the commands that are printed need to reach the same cluster, each after a space
 */
public record RecordPrinter(ZoneId zone, Terminal terminal, PoolNames names, String clusterOptions) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int TIME_COLUMNS = 9;
  private static final int ALERT_COLUMNS = TIME_COLUMNS + 9;
  private static final int WIDE = 100;
  private static final int MOST_FIELDS = 8;
  private static final int LONGEST_SUMMARY = 200;
  private static final int LONGEST_ID = 300;

  public RecordPrinter(ZoneId zone, Terminal terminal) {
    this(zone, terminal, "");
  }

  public RecordPrinter(ZoneId zone, Terminal terminal, String clusterOptions) {
    this(zone, terminal, new PoolNames(), clusterOptions);
  }

  /** The titles of the columns. */
  public String titles() {
    return line(StyledText.of(Style.DIM, "time"), Style.DIM, "where", Style.DIM, "what",
        new LineContent(List.of(StyledText.of(Style.DIM, "change")), 1, null));
  }

  /** A line about the lines, such as a count; more of them where the terminal is narrow. */
  public String note(String text) {
    return TerminalText.wrapped(text, terminal.columns() - TIME_COLUMNS).stream()
        .map(line -> StyledText.of(Style.DIM, " ".repeat(TIME_COLUMNS) + line).cut(terminal.columns())
            .render(terminal.colours()))
        .collect(Collectors.joining("\n"));
  }

  /** What a command is for, and under it the command, which is never wrapped or cut: it can be copied. */
  public String command(String purpose, String command) {
    return note(purpose) + "\n"
        + StyledText.of(Style.DIM, " ".repeat(TIME_COLUMNS) + command).render(terminal.colours());
  }

  /** Notes the name of a pool, for lists that do not repeat it; a record that is printed need not be noted. */
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
      case Alert alert -> print(time, alert);
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

  /** The summary in as many lines as it takes, then the severity and the command that explains it. */
  private String print(StyledText time, Alert alert) {
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
    var text = time.and(" ").and(StyledText.of(style, label).inColumns(ALERT_COLUMNS - TIME_COLUMNS));
    var lines = new ArrayList<String>();
    for (var each : TerminalText.wrapped(summary, terminal.columns() - ALERT_COLUMNS)) {
      lines.add(text.and(Style.BOLD, each).render(terminal.colours()));
      text = StyledText.plain(" ".repeat(ALERT_COLUMNS));
    }
    lines.add(command("severity " + TerminalText.text(alert.getSeverity()) + stage + "; why:",
        "./tidemark rules explain " + TerminalText.text(alert.getId(), LONGEST_ID) + clusterOptions));
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

  /** A record without one figure that readers want first: its first plain fields. */
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
   * What a line says of a record, the most important part first.
   *
   * @param parts each of one field, or of what happened; those that fit are printed
   * @param fields how many fields there are, so that those left out are counted; 0 where the parts are no fields
   * @param shortest the first part for a line that is too short for it; null to cut that
   */
  record LineContent(List<StyledText> parts, int fields, @Nullable StyledText shortest) {

    private static final StyledText COMMA = StyledText.plain(", ");

    /** Parts that are no fields: those that do not fit are left out. */
    static LineContent of(List<String> parts) {
      var texts = parts.stream().map(StyledText::plain).toList();
      return new LineContent(texts, 0, null);
    }

    static LineContent of(String part) {
      return of(Collections.singletonList(part));
    }

    /** As many parts as fit in the columns, at least one, and how many fields are left out. */
    StyledText fit(int columns) {
      for (int count = parts.size(); count > 1; count--) {
        var text = first(count).and(more(fields - count, " more fields"));
        if (text.width() <= columns) {
          return text;
        }
      }
      var first = first(1);
      var withRest = first.and(more(fields - 1, " more fields"));
      var withShortRest = first.and(more(fields - 1, " more"));
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

    private static StyledText more(int fields, String what) {
      return fields > 0
          ? StyledText.of(StyledText.Style.DIM, " +" + (what.endsWith("fields")
              ? TerminalText.counted(fields, "more field")
              : fields + what))
          : StyledText.EMPTY;
    }
  }
}
