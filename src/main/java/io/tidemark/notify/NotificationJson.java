package io.tidemark.notify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import io.tidemark.event.Alert;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A converter of alerts and digests to JSON. The JSON fields of an alert, except {@code link} and {@code links}, are
 * the fields of its record that are not null, under their names. Times are in ISO 8601.
 */
final class NotificationJson {

  private static final ObjectMapper MAPPER = new ObjectMapper()
      .registerModule(new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance));

  private NotificationJson() {}

  static Map<String, Object> alert(Alert alert, NotificationLinks links) {
    var json = fields(alert);
    json.put("evidence", alert.getEvidence().stream().map(NotificationJson::fields).toList());
    var linked = links.of(alert);
    if (!linked.isEmpty()) {
      json.put("link", linked.firstEntry().getValue());
      json.put("links", linked);
    }
    return json;
  }

  private static Map<String, Object> fields(SpecificRecord record) {
    var fields = new LinkedHashMap<String, Object>();
    record.getSchema().getFields()
        .forEach(field -> fields.computeIfAbsent(field.name(), name -> record.get(field.pos())));
    return fields;
  }

  /**
   * Converts a digest to JSON with its counts and its worst alerts. The topic of alerts has all alerts of the digest.
   */
  static Map<String, Object> digest(Notification.AlertDigest digest) {
    return object(
        "id", digest.id(),
        "from", digest.from(),
        "to", digest.to(),
        "alerts", digest.alerts(),
        "late", digest.late(),
        "counts", digest.counts(),
        "worst", digest.worst().stream().map(alert -> alert(alert, NotificationLinks.NONE)).toList());
  }

  /** @param namesAndValues names and values, alternately; a name with a null value is left out */
  static Map<String, Object> object(@Nullable Object... namesAndValues) {
    var object = new LinkedHashMap<String, Object>();
    for (var i = 0; i < namesAndValues.length; i += 2) {
      var value = namesAndValues[i + 1];
      if (value != null) {
        object.put((String) Objects.requireNonNull(namesAndValues[i]), value);
      }
    }
    return object;
  }

  /** @param value consists of maps, lists, records, texts, numbers and times */
  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of texts could not be written as JSON", e);
    }
  }

  /** Parses the body of a response. Returns a missing node if the body is not JSON. */
  static JsonNode read(String text) {
    try {
      return Objects.requireNonNullElse(MAPPER.readTree(text), MissingNode.getInstance());
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
