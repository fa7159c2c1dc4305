package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.tidemark.rule.Silence;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The text of silences on the topics {@code watch} and {@code control}. */
public final class SilenceFormat {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private SilenceFormat() {}

  /** @param version grows with every change of the silences in force; 0 in a command */
  public static String write(long version, List<Silence> silences) {
    var document = new LinkedHashMap<String, Object>();
    document.put("version", version);
    document.put("silences", silences.stream().map(SilenceFormat::fields).toList());
    return RuleFormat.yaml(document);
  }

  /** The version that {@link #write} wrote; 0 where there is none. */
  static long version(String text) {
    try {
      return YAML.readTree(text).path("version").asLong();
    } catch (JsonProcessingException e) {
      return 0;
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it did not write it
   */
  public static List<Silence> parse(String text) {
    try {
      var silences = new ArrayList<Silence>();
      YAML.readTree(text).path("silences").forEach(node -> silences.add(silence(node)));
      return silences;
    } catch (JsonProcessingException | DateTimeException e) {
      throw new IllegalArgumentException("cannot be read as silences: " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> fields(Silence silence) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("id", silence.id());
    put(fields, "rule", silence.rule());
    put(fields, "subject", silence.subject());
    fields.put("labels", new TreeMap<>(silence.labels()));
    fields.put("from", silence.from().toString());
    fields.put("until", silence.until().toString());
    fields.put("who", silence.who());
    fields.put("comment", silence.comment());
    return fields;
  }

  private static void put(Map<String, Object> fields, String key, @Nullable String value) {
    if (value != null) {
      fields.put(key, value);
    }
  }

  private static Silence silence(JsonNode node) {
    var labels = new TreeMap<String, String>();
    node.path("labels").properties().forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
    return new Silence(
        node.path("id").asText(),
        text(node.path("rule")),
        text(node.path("subject")),
        labels,
        Instant.parse(node.path("from").asText()),
        Instant.parse(node.path("until").asText()),
        node.path("who").asText(),
        node.path("comment").asText());
  }

  private static @Nullable String text(JsonNode node) {
    return node.isMissingNode() || node.isNull() ? null : node.asText();
  }
}
