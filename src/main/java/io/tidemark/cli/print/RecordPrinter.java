package io.tidemark.cli.print;

import io.tidemark.cli.wiring.FoundRecord;
import io.tidemark.event.Alert;
import io.tidemark.event.DeadLetter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A record as one readable line: time, resource or topic, whose, and what. */
public record RecordPrinter(ZoneId zone) {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final int MOST_FIELDS = 8;
  private static final int LONGEST_SUMMARY = 200;
  /** Resources that people know by name; of the others the key says more. */
  private static final Set<String> KNOWN_BY_NAME =
      Set.of("pool", "token", "treasury", "platform", "derivatives-exchange");

  public String of(FoundRecord found) {
    var value = found.value();
    var name = found.topic().name();
    var time = TIME.format(Instant.ofEpochMilli(found.record().timestamp()).atZone(zone));
    return switch (value) {
      case null -> line(time, shortened(name), found.key(), "evicted");
      case Alert alert ->
          line(time, "ALERT", alert.getRule(), TerminalText.text(alert.getSeverity()) + ": " + summary(alert));
      case DeadLetter deadLetter -> deadLetter(time, StoredDeadLetter.of(found));
      case SpecificRecord change when isChange(change) -> {
        var resource = resource(name);
        yield line(time, resource, label(resource, found.key(), change), ChangePrinter.of(change));
      }
      default -> line(time, shortened(name), found.key(), fields(value));
    };
  }

  private static String deadLetter(String time, StoredDeadLetter deadLetter) {
    return time + " " + deadLetter.position() + " " + DeadLetterPrinter.of(deadLetter);
  }

  private static String line(String time, String what, String whose, String says) {
    return "%s %-12s %-32s %s".formatted(time, what, TerminalText.text(whose), says);
  }

  private static String summary(Alert alert) {
    return TerminalText.text(alert.getSummary(), LONGEST_SUMMARY);
  }

  private static boolean isChange(IndexedRecord value) {
    return value.getSchema().getField("origin") != null && value.getSchema().getField("revision") != null
        && value.getSchema().getName().endsWith("Change");
  }

  private static String label(String resource, String key, IndexedRecord change) {
    var name = KNOWN_BY_NAME.contains(resource) ? name(change) : null;
    return name == null || name.isBlank() ? key : name;
  }

  private static @Nullable String name(IndexedRecord change) {
    var field = change.getSchema().getField("about");
    var about = field == null ? null : change.get(field.pos());
    return about instanceof IndexedRecord values && values.getSchema().getField("name") != null
        ? (String) values.get(values.getSchema().getField("name").pos())
        : null;
  }

  private static String fields(IndexedRecord value) {
    return value.getSchema().getFields().stream()
        .filter(field -> isPlain(value.get(field.pos())))
        .limit(MOST_FIELDS)
        .map(field -> field.name() + "=" + plain(field, value))
        .collect(Collectors.joining(" "));
  }

  private static boolean isPlain(@Nullable Object value) {
    return value instanceof String text ? !text.isEmpty() : value instanceof Number || value instanceof Boolean
        || value instanceof Instant;
  }

  private static String plain(Schema.Field field, IndexedRecord value) {
    return value.get(field.pos()) instanceof Instant at ? at.toString() : TerminalText.value(value.get(field.pos()));
  }

  /** {@code tidemark.coin-day.changes}: coin-day. */
  static String resource(String topic) {
    var before = topic.substring(0, topic.lastIndexOf('.'));
    return before.substring(before.lastIndexOf('.') + 1);
  }

  private static String shortened(String topic) {
    return topic.substring(topic.indexOf('.') + 1);
  }
}
