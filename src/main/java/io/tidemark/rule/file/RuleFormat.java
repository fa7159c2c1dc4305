package io.tidemark.rule.file;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.event.DurationFormat;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.expression.Template;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The text form of rule sets and silences on the topics {@code watch} and {@code control}. A rule set is a document of
 * rules with resolved settings and versions.
 */
public final class RuleFormat {

  private static final ObjectMapper YAML = YAMLMapper
      .builder(YAMLFactory.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
          .build())
      .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
      .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
      .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_NULL, Include.ALWAYS))
      .addModule(new SimpleModule()
          .addSerializer(Instant.class, ToStringSerializer.instance)
          .addDeserializer(Instant.class, new FromStringDeserializer<>(Instant.class) {
            @Override
            protected Instant _deserialize(String text, DeserializationContext context) {
              return Instant.parse(text);
            }
          }))
      .build();

  private RuleFormat() {}

  /** A document of silences. The version grows with every change of the silences in force, and is 0 in a command. */
  private record Silences(long version, @Nullable List<Silence> silences) {}

  /** The part that documents of silences and documents of rules have in common. */
  private record Head(long version) {}

  public static String write(RuleSet set) {
    var document = new LinkedHashMap<String, Object>();
    document.put("version", set.version());
    document.put("rules", set.rules().stream().map(RuleFormat::keys).toList());
    if (!set.mutes().isEmpty()) {
      document.put("mutes", set.mutes().stream().map(MuteFormat::document).toList());
    }
    return yaml(document);
  }

  /**
   * Reads a rule set that {@link #write} wrote. A rule that this version of the program cannot use is left out and
   * logged.
   *
   * @param topics topics that rules may be on: names without prefix, each with the schema of its records
   * @throws RuleException if the text is not a document of rules, or the rules exceed a limit
   */
  public static RuleSet parse(String text, Map<String, Schema> topics) {
    return RuleSetReader.readAccepted(new RuleDocument("rules in force", text), topics);
  }

  public static String writeSilences(long version, List<Silence> silences) {
    return yaml(new Silences(version, silences));
  }

  /**
   * Reads silences that {@link #writeSilences} wrote.
   *
   * @throws IllegalArgumentException if the text is not a document of silences
   */
  public static List<Silence> parseSilences(String text) {
    return Objects.requireNonNullElse(read(text, Silences.class, "silences").silences, List.of());
  }

  /** Returns the version of a document of silences or rules, or 0 if the version cannot be read. */
  static long version(String text) {
    try {
      return read(text, Head.class, "a version").version;
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  /** Returns the text of one rule, without the rule's version. */
  static String content(Rule rule) {
    var keys = keys(rule);
    keys.remove(RuleKey.VERSION.key());
    return yaml(keys);
  }

  /**
   * Returns the settings of a rule, by their names in expressions, with values as in a file: durations are texts, and
   * whole numbers below 10<sup>15</sup> have no decimals, except in lists.
   */
  public static Map<String, Object> settings(Rule rule) {
    var written = new TreeMap<String, Object>();
    rule.settings().forEach((name, value) -> written.put(name, written(value)));
    return written;
  }

  private static Map<String, Object> keys(Rule rule) {
    var keys = new LinkedHashMap<String, Object>();
    put(keys, RuleKey.NAME, rule.name());
    put(keys, RuleKey.ON, rule.on());
    put(keys, RuleKey.KIND, rule.kind().text());
    if (rule.after() != null) {
      put(keys, RuleKey.AFTER, rule.after().toString());
    }
    if (rule.times() > 1) {
      put(keys, RuleKey.TIMES, rule.times());
    }
    if (rule.isArmed()) {
      put(keys, RuleKey.WITHIN, DurationFormat.format(rule.within()));
    }
    put(keys, RuleKey.WHEN, rule.when().toString());
    if (rule.resolveWhen() != null) {
      put(keys, RuleKey.RESOLVE_WHEN, rule.resolveWhen().toString());
    }
    if (rule.kind() == Rule.Kind.CONDITION) {
      put(keys, RuleKey.FOR, DurationFormat.format(rule.holdFor()));
      put(keys, RuleKey.KEEP_FIRING_FOR, DurationFormat.format(rule.keepFiringFor()));
      put(keys, RuleKey.NO_DATA_FOR, DurationFormat.format(rule.noDataFor()));
    } else {
      put(keys, RuleKey.COOLDOWN, DurationFormat.format(rule.cooldown()));
      put(keys, RuleKey.DIGEST_AFTER_GAP, DurationFormat.format(rule.digestAfterGap()));
    }
    put(keys, RuleKey.ONCE, rule.once());
    put(keys, RuleKey.SETTINGS, settings(rule));
    put(keys, RuleKey.SEVERITY, rule.severity());
    put(keys, RuleKey.LABELS, texts(rule.labels()));
    put(keys, RuleKey.ANNOTATIONS, texts(rule.annotations()));
    put(keys, RuleKey.VERSION, rule.version());
    return keys;
  }

  private static void put(Map<String, Object> keys, RuleKey key, Object value) {
    keys.put(key.key(), value);
  }

  private static Object written(Object value) {
    return switch (value) {
      case Duration duration -> DurationFormat.format(duration);
      case Double number when number == Math.rint(number) && Math.abs(number) < 1e15 -> number.longValue();
      default -> value;
    };
  }

  private static Map<String, String> texts(Map<String, Template> templates) {
    var texts = new TreeMap<String, String>();
    templates.forEach((name, template) -> texts.put(name, template.toString()));
    return texts;
  }

  /** @param document a map or a record; its values are texts, numbers, times, maps, and lists of such values */
  static String yaml(Object document) {
    try {
      return YAML.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write a document of texts, numbers and lists as YAML", e);
    }
  }

  /**
   * Reads a record that {@link #yaml} wrote.
   *
   * @param what description of the record in messages
   * @throws IllegalArgumentException if the text is not such a record
   */
  static <T> T read(String text, Class<T> type, String what, DeserializationFeature... features) {
    try {
      T value = YAML.readerFor(type).withFeatures(features).readValue(text);
      if (value == null) {
        throw new IllegalArgumentException("the text is empty");
      }
      return value;
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IllegalArgumentException("the text cannot be read as " + what + ": " + e.getMessage(), e);
    }
  }
}
