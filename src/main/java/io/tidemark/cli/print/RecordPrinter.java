package io.tidemark.cli.print;

import io.tidemark.event.Alert;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DeadLetter;
import io.tidemark.topic.CommittedRecord;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Prints a record of any topic as one line: time, resource or topic, name or key, content. */
public record RecordPrinter(ZoneId zone) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int MOST_FIELDS = 8;
  private static final int LONGEST_SUMMARY = 200;

  /** Resources that are printed with their name; the key of others says more. */
  private static final Set<String> PRINTED_BY_NAME =
      Set.of("pool", "token", "treasury", "platform", "derivatives-exchange");

  public String print(CommittedRecord record) {
    var value = record.value();
    var time = TIME.format(record.time().atZone(zone));
    if (record.unreadable() != null) {
      return line(time, "UNREADABLE", record.keyText(),
          TerminalText.text(record.location() + ": " + record.unreadable().detail()));
    }
    return switch (value) {
      case null -> line(time, withoutPrefix(record.topic()), record.keyText(), "evicted");
      case Alert alert -> line(time, "ALERT", alert.getRule(), print(alert));
      case DeadLetter deadLetter -> {
        var stored = StoredDeadLetter.of(record);
        yield time + " " + stored.position() + " " + stored.print();
      }
      case SpecificRecord change when ChangeView.of(change).isChange() ->
          line(time, ChangeView.of(change).resource(), nameOrKey(record, change), ChangePrinter.print(change));
      default -> line(time, withoutPrefix(record.topic()), record.keyText(), fields(value));
    };
  }

  private static String print(Alert alert) {
    var text = Objects.requireNonNullElse(alert.getEndSummary(), alert.getSummary());
    var state = alert.getKind().equals("condition") ? ", " + alert.getStatus() : "";
    return TerminalText.text(alert.getSeverity()) + state + ": " + TerminalText.text(text, LONGEST_SUMMARY);
  }

  private static String line(String time, String topic, String subject, String content) {
    return "%s %-12s %-32s %s".formatted(time, topic, TerminalText.text(subject), content);
  }

  private static String nameOrKey(CommittedRecord record, SpecificRecord change) {
    var name = PRINTED_BY_NAME.contains(ChangeView.of(change).resource()) ? name(change) : null;
    return name == null || name.isBlank() ? record.keyText() : name;
  }

  private static @Nullable String name(SpecificRecord change) {
    var about = ChangeView.of(change).about(change);
    var field = about == null ? null : about.getSchema().getField("name");
    return about == null || field == null ? null : (String) about.get(field.pos());
  }

  private static String fields(IndexedRecord value) {
    return ChangeView.of(value).attributes().stream()
        .filter(field -> isPrinted(field.in(value)))
        .limit(MOST_FIELDS)
        .map(field -> field.name() + "=" + plain(field.in(value)))
        .collect(Collectors.joining(" "));
  }

  private static boolean isPrinted(@Nullable Object value) {
    return value instanceof String text
        ? !text.isEmpty()
        : value instanceof Number || value instanceof Boolean || value instanceof Instant;
  }

  private static String plain(@Nullable Object value) {
    return value instanceof Instant at ? at.toString() : TerminalText.value(String.valueOf(value));
  }

  private static String withoutPrefix(String topic) {
    return topic.substring(topic.indexOf('.') + 1);
  }
}
