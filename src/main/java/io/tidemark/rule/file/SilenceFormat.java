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

/** Silences as text: what goes through {@code watch} and {@code control}. */
public final class SilenceFormat {

  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private SilenceFormat() {}

  /** @param version grows with every change; 0 for silences that are asked for and not yet in force */
  public static String yaml(long version, List<Silence> silences) {
    var whole = new LinkedHashMap<String, Object>();
    whole.put("version", version);
    whole.put("silences", silences.stream().map(SilenceFormat::members).toList());
    return RuleFormat.text(whole);
  }

  /** The version that {@link #yaml} wrote; 0 where there is none. */
  static long version(String text) {
    try {
      return YAML.readTree(text).path("version").asLong();
    } catch (JsonProcessingException e) {
      return 0;
    }
  }

  /**
   * Reads what {@link #yaml} wrote.
   *
   * @throws IllegalArgumentException where it did not write it
   */
  public static List<Silence> parse(String text) {
    try {
      var silences = new ArrayList<Silence>();
      YAML.readTree(text).path("silences").forEach(node -> silences.add(silence(node)));
      return silences;
    } catch (JsonProcessingException | DateTimeException e) {
      throw new IllegalArgumentException("no silences: " + e.getMessage(), e);
    }
  }

  private static Map<String, Object> members(Silence silence) {
    var members = new LinkedHashMap<String, Object>();
    members.put("id", silence.id());
    put(members, "rule", silence.rule());
    put(members, "subject", silence.subject());
    members.put("labels", new TreeMap<>(silence.labels()));
    members.put("from", silence.from().toString());
    members.put("until", silence.until().toString());
    members.put("who", silence.who());
    members.put("comment", silence.comment());
    return members;
  }

  private static void put(Map<String, Object> members, String key, @Nullable String value) {
    if (value != null) {
      members.put(key, value);
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
