package io.tidemark.rule.file;

import io.tidemark.rule.Rule;
import io.tidemark.rule.Rule.Kind;
import io.tidemark.rule.expression.ExpressionCompiler;
import io.tidemark.rule.expression.Template;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.rule.expression.Wording;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** Reads one rule; what is wrong with it is noted with its place. */
final class RuleReader {

  static final String NAME = "[a-z][a-z0-9-]{0,62}";

  private static final Duration NO_DATA = Duration.ofMinutes(15);

  private final Map<String, Schema> topics;
  private final Problems problems;
  private final boolean strict;

  /** @param strict whether rules are refused that can never hold */
  RuleReader(Map<String, Schema> topics, Problems problems, boolean strict) {
    this.topics = topics;
    this.problems = problems;
    this.strict = strict;
  }

  /** Null where it cannot be used. */
  @Nullable
  Rule read(RuleFields in, List<SettingOverride> choices) {
    var before = problems.count();
    in.refuseUnknown();
    var name = name(in);
    var topic = in.word(RuleKey.ON, List.copyOf(topics.keySet()));
    var settings = RuleSettingsReader.read(in, name == null ? "" : name, choices, problems);
    var kind = kind(in);
    var rule = name != null && topic != null && kind != null ? rule(in, name, topic, kind, settings) : null;
    return problems.count() == before ? rule : null;
  }

  private @Nullable Rule rule(RuleFields in, String name, String topic, Kind kind, Map<String, Object> settings) {
    var vocabulary = Vocabulary.of(Objects.requireNonNull(topics.get(topic)));
    var language = new ExpressionCompiler(vocabulary, settings, strict);
    var when = in.expression(RuleKey.WHEN, language::condition);
    var after = in.expression(RuleKey.AFTER, language::condition);
    requireBoth(in);
    var labels = in.expressions(RuleKey.LABELS, text -> Template.read(text, language));
    var annotations = in.expressions(RuleKey.ANNOTATIONS, text -> Template.read(text, language));
    requireSummary(in);
    var severity = in.word(RuleKey.SEVERITY, RuleKey.SEVERITIES);
    return when == null ? null : new Rule(
        name,
        topic,
        kind,
        when,
        after,
        in.duration(RuleKey.WITHIN, Duration.ZERO),
        in.duration(RuleKey.FOR, Duration.ZERO),
        in.duration(RuleKey.KEEP_FIRING_FOR, Duration.ZERO),
        in.duration(RuleKey.NO_DATA_FOR, NO_DATA),
        once(in, vocabulary),
        in.duration(RuleKey.COOLDOWN, Duration.ZERO),
        in.duration(RuleKey.DIGEST_AFTER_GAP, Duration.ZERO),
        settings,
        severity == null ? "info" : severity,
        labels,
        annotations,
        version(in));
  }

  private @Nullable String name(RuleFields in) {
    var name = in.text(RuleKey.NAME);
    if (name != null && !name.matches(NAME)) {
      in.wrong(RuleKey.NAME,
          "'" + Wording.name(name) + "': small letters, digits and dashes, at most 63, a letter first");
      return null;
    }
    return name;
  }

  private @Nullable Kind kind(RuleFields in) {
    var word = in.has(RuleKey.KIND) ? in.word(RuleKey.KIND, List.of("event", "condition")) : "event";
    if (word == null) {
      return null;
    }
    var kind = Kind.valueOf(word);
    refuseThoseOf(kind == Kind.event ? RuleKey.Usage.OF_CONDITIONS : RuleKey.Usage.OF_EVENTS, kind, in);
    return kind;
  }

  private static void refuseThoseOf(RuleKey.Usage use, Kind kind, RuleFields in) {
    for (var key : RuleKey.values()) {
      if (key.use() == use && in.has(key)) {
        var other = kind == Kind.event ? Kind.condition : Kind.event;
        in.wrong(key, "is of rules of kind " + other + ", and this is one of kind " + kind
            + (in.has(RuleKey.KIND) ? "" : " (which a rule is where it does not say)"));
      }
    }
  }

  private static void requireBoth(RuleFields in) {
    if (in.has(RuleKey.AFTER) != in.has(RuleKey.WITHIN)) {
      in.wrong(in.has(RuleKey.AFTER) ? RuleKey.AFTER : RuleKey.WITHIN,
          "after and within go together: armed by what, and for how long");
    }
  }

  private static void requireSummary(RuleFields in) {
    if (!in.members(RuleKey.ANNOTATIONS).containsKey("summary")) {
      in.wrong(RuleKey.ANNOTATIONS, "summary is missing: the line that people read, such as"
          + " \"{{ about.name }} moved {{ price.move_percent | change }}\"");
    }
  }

  private static List<String> once(RuleFields in, Vocabulary vocabulary) {
    return in.list(RuleKey.ONCE).stream().map(leaf -> {
      var path = String.valueOf(leaf.text());
      if (vocabulary.term(path) == null) {
        in.wrong(leaf.position(), "once: " + vocabulary.unknown(path));
      }
      return path;
    }).toList();
  }

  private static long version(RuleFields in) {
    var text = in.text(RuleKey.VERSION);
    return text != null && text.matches("\\d{1,15}") ? Long.parseLong(text) : 0;
  }
}
