package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Sha256;
import io.tidemark.rule.Rule;
import io.tidemark.rule.expression.Template;
import io.tidemark.rule.expression.Vocabulary;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprint of an alert instance: a 64-bit hash of the rule's name, the record's key and the values of the
 * attributes in the rule's {@code once}. It is the same for all versions of the program, and for all versions of the
 * rule with the same {@code once}.
 */
final class AlertFingerprint {

  /** Number of hexadecimal digits. */
  private static final int LENGTH = 16;

  private static final Vocabulary ALERTS = Vocabulary.of(Alert.SCHEMA$);

  private AlertFingerprint() {}

  static String of(Rule rule, String key, IndexedRecord record, Vocabulary vocabulary) {
    var values = rule.once().stream().map(path -> String.valueOf(vocabulary.value(path, record)));
    return of(Stream.concat(Stream.of(rule.name(), key), values));
  }

  /**
   * Returns the name of the group in which a rule on alerts reads an alert: the values of the rule's {@code once},
   * separated by slashes, or the alert's subject. Returns null if the alert lacks one of the values. A label that is
   * blank, or the text that a template writes for a missing value, counts as lacking.
   */
  static @Nullable String group(Rule rule, Alert alert) {
    var values = rule.once().stream().map(path -> valueUnlessUnknown(path, ALERTS.value(path, alert))).toList();
    return values.isEmpty() ? alert.getSubject()
        : values.stream().anyMatch(Objects::isNull) ? null
            : values.stream().map(String::valueOf).collect(Collectors.joining("/"));
  }

  private static @Nullable Object valueUnlessUnknown(String path, @Nullable Object value) {
    return path.startsWith("labels.") && value instanceof String text
        && (text.isBlank() || text.equals(Template.UNKNOWN)) ? null : value;
  }

  /** Returns whether a record lacks the value of a name in the rule's {@code once}. */
  static boolean lacksValue(Rule rule, IndexedRecord record, Vocabulary vocabulary) {
    return rule.once().stream().anyMatch(path -> vocabulary.value(path, record) == null);
  }

  static String of(Stream<String> parts) {
    return Sha256.hex(parts.collect(Collectors.joining("\0"))).substring(0, LENGTH);
  }
}
