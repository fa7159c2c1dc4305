package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The JSON Schema of rule files, derived from {@link RuleKey}. */
public final class RuleJsonSchema {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private RuleJsonSchema() {}

  /** The JSON Schema of files with rules on these topics. */
  public static String json(Collection<String> topics) {
    var rules = Map.of("description", "The rules.", "type", "array", "items", rule(topics));
    var schema = Map.of(
        "$schema", "https://json-schema.org/draft/2020-12/schema",
        "title", "Tidemark rules",
        "description", "Rules of Tidemark.",
        "type", "object",
        "properties", Map.of("rules", rules),
        "required", List.of("rules"),
        "additionalProperties", false);
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and lists of them can be written", e);
    }
  }

  private static Map<String, Object> rule(Collection<String> topics) {
    var keys = Stream.of(RuleKey.values()).filter(key -> key.usage() != RuleKey.Usage.INTERNAL).toList();
    var properties = new HashMap<String, Object>();
    keys.forEach(key -> properties.put(key.key(), value(key, topics)));
    return Map.of(
        "description", "A rule.",
        "type", "object",
        "properties", properties,
        "required", keys.stream().filter(key -> key.usage() == RuleKey.Usage.ALWAYS).map(RuleKey::key).toList(),
        "additionalProperties", false);
  }

  private static Map<String, Object> value(RuleKey key, Collection<String> topics) {
    var value = new HashMap<>(key == RuleKey.ON ? Map.of("enum", topics) : key.schema());
    value.put("description", key.description());
    return value;
  }
}
