package io.tidemark.receiver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bodies of messages: maps, lists, texts and numbers as JSON. */
final class NotificationJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private NotificationJson() {}

  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("maps of texts can be written", e);
    }
  }

  /** What someone answered; a missing node where that is no JSON. */
  static JsonNode read(String text) {
    try {
      return Objects.requireNonNullElse(MAPPER.readTree(text), MissingNode.getInstance());
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** Names and values by turns, in this order; those without a value are left out. */
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
}
