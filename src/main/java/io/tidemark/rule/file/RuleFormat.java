package io.tidemark.rule.file;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.expression.Template;
import io.tidemark.yaml.DurationFormat;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rules as text, settings resolved; reading it gives the same rules. */
public final class RuleFormat {

  private static final ObjectMapper YAML = new ObjectMapper(YAMLFactory.builder()
      .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
      .build());

  private RuleFormat() {}

  public static String of(RuleSet set) {
    var whole = new LinkedHashMap<String, Object>();
    whole.put("version", set.version());
    whole.put("rules", rules(set));
    return text(whole);
  }

  /** Each with its version. */
  public static List<Map<String, Object>> rules(RuleSet set) {
    return set.rules().stream().map(rule -> {
      var members = members(rule);
      members.put(RuleKey.VERSION.key(), rule.version());
      return members;
    }).toList();
  }

  /** All of a rule but its version: what is the same in both makes the same alerts. */
  public static String content(Rule rule) {
    return text(members(rule));
  }

  private static Map<String, Object> members(Rule rule) {
    var members = new LinkedHashMap<String, Object>();
    put(members, RuleKey.NAME, rule.name());
    put(members, RuleKey.ON, rule.on());
    put(members, RuleKey.KIND, rule.kind().name());
    if (rule.after() != null) {
      put(members, RuleKey.AFTER, rule.after().toString());
      put(members, RuleKey.WITHIN, DurationFormat.format(rule.within()));
    }
    put(members, RuleKey.WHEN, rule.when().toString());
    if (rule.kind() == Rule.Kind.condition) {
      put(members, RuleKey.FOR, DurationFormat.format(rule.holdFor()));
      put(members, RuleKey.KEEP_FIRING_FOR, DurationFormat.format(rule.keepFiringFor()));
      put(members, RuleKey.NO_DATA_FOR, DurationFormat.format(rule.noDataFor()));
    } else {
      put(members, RuleKey.COOLDOWN, DurationFormat.format(rule.cooldown()));
      put(members, RuleKey.DIGEST_AFTER_GAP, DurationFormat.format(rule.digestAfterGap()));
    }
    put(members, RuleKey.ONCE, rule.once());
    put(members, RuleKey.SETTINGS, written(rule.settings()));
    put(members, RuleKey.SEVERITY, rule.severity());
    put(members, RuleKey.LABELS, texts(rule.labels()));
    put(members, RuleKey.ANNOTATIONS, texts(rule.annotations()));
    return members;
  }

  private static void put(Map<String, Object> members, RuleKey key, Object value) {
    members.put(key.key(), value);
  }

  public static Map<String, Object> written(Map<String, Object> settings) {
    var written = new TreeMap<String, Object>();
    settings.forEach((name, value) -> written.put(name, written(value)));
    return written;
  }

  private static Object written(Object value) {
    return switch (value) {
      case Duration span -> DurationFormat.format(span);
      case Double number when number == Math.rint(number) && Math.abs(number) < 1e15 -> number.longValue();
      default -> value;
    };
  }

  private static Map<String, String> texts(Map<String, Template> templates) {
    var texts = new TreeMap<String, String>();
    templates.forEach((name, template) -> texts.put(name, template.toString()));
    return texts;
  }

  static String text(Map<String, ?> whole) {
    try {
      return YAML.writeValueAsString(whole);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts, numbers and lists of them can be written", e);
    }
  }
}
