package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tidemark.rule.Rule;
import io.tidemark.yaml.DurationFormat;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The JSON Schema of rule files, derived from {@link RuleKey}. */
public final class RuleJsonSchema {

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private RuleJsonSchema() {}

  /** @param topics that rules may be on */
  public static String json(Collection<String> topics) {
    var rules = object("The rules.", "array");
    rules.put("items", rule(topics));
    var file = object("Rules of Tidemark.", "object");
    file.put("properties", Map.of("rules", rules));
    file.put("required", List.of("rules"));
    file.put("additionalProperties", false);
    var schema = new LinkedHashMap<String, Object>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Tidemark rules");
    schema.putAll(file);
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(schema) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and lists of them can be written", e);
    }
  }

  private static Map<String, Object> rule(Collection<String> topics) {
    var properties = new LinkedHashMap<String, Object>();
    keys().forEach(key -> properties.put(key.key(), value(key, topics)));
    var rule = object("A rule.", "object");
    rule.put("properties", properties);
    rule.put("required", keys().filter(key -> key.usage() == RuleKey.Usage.ALWAYS).map(RuleKey::key).toList());
    rule.put("additionalProperties", false);
    return rule;
  }

  private static Stream<RuleKey> keys() {
    return Stream.of(RuleKey.values()).filter(key -> key.usage() != RuleKey.Usage.INTERNAL);
  }

  private static Map<String, Object> value(RuleKey key, Collection<String> topics) {
    var value = new LinkedHashMap<String, Object>();
    value.put("description", key.description());
    switch (key.form()) {
      case NAME -> text(value).put("pattern", "^" + RuleReader.NAME + "$");
      case TOPIC -> value.put("enum", topics);
      case KIND -> value.put("enum", Stream.of(Rule.Kind.values()).map(Rule.Kind::text).toList());
      case SEVERITY -> value.put("enum", RuleKey.SEVERITIES);
      case CEL -> text(value).put("maxLength", 10_000);
      case DURATION -> text(value).put("pattern", "^" + DurationFormat.OF_RULES.pattern() + "$");
      case PATHS -> value.put("oneOf", List.of(texts(), Map.of("type", "string")));
      case SETTINGS -> settings(value);
      case TEMPLATES -> templates(value, key);
      case VERSION -> value.put("type", "integer");
    }
    return value;
  }

  private static void settings(Map<String, Object> value) {
    var list = Map.of("type", "array", "items", Map.of("type", List.of("string", "number")));
    value.put("type", "object");
    value.put("propertyNames", Map.of("pattern", "^[a-z][a-z0-9_-]{0,62}$"));
    value.put("additionalProperties",
        Map.of("oneOf", List.of(Map.of("type", List.of("string", "number", "boolean")), list)));
  }

  private static void templates(Map<String, Object> value, RuleKey key) {
    value.put("type", "object");
    value.put("additionalProperties", Map.of("type", "string", "maxLength", 1_000));
    if (key == RuleKey.ANNOTATIONS) {
      value.put("required", List.of("summary"));
    }
  }

  private static Map<String, Object> text(Map<String, Object> value) {
    value.put("type", "string");
    return value;
  }

  private static Map<String, Object> texts() {
    return Map.of("type", "array", "items", Map.of("type", "string"));
  }

  private static Map<String, Object> object(String description, String type) {
    var object = new LinkedHashMap<String, Object>();
    object.put("description", description);
    object.put("type", type);
    return object;
  }
}
