package io.tidemark.rule.file;

import io.tidemark.event.DurationFormat;
import io.tidemark.event.SafeText;
import io.tidemark.rule.Rule;
import io.tidemark.rule.Rule.Kind;
import io.tidemark.rule.expression.ExpressionCompiler;
import io.tidemark.rule.expression.ExpressionException;
import io.tidemark.rule.expression.Template;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.rule.file.RuleSetReader.SettingOverride;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Reads one rule of a file. A problem is added to {@code problems} with its position, and reading continues.
 *
 * @param file the whole text of the file
 * @param in the section of the file that contains the rule
 * @param topics topics that rules may be on: names without prefix, each with the schema of its records
 * @param strict whether these mistakes are problems: comparisons that can never hold, fields that do not exist in
 *     records of lists and maps, and labels or annotations whose names become equal in Alertmanager, to each other or
 *     to a name that every alert has
 */
record RuleReader(
    String file, YamlSection in, Map<String, Schema> topics, boolean strict, RuleProblems problems) {

  static final String NAME = "[a-z][a-z0-9-]{0,62}";

  private static final Map<String, String> LABELS_OF_ALERTMANAGER = Map.of("alertname", "the name of the rule",
      "severity", "the severity", "subject", "the key of the record", "fingerprint", "the fingerprint");
  private static final Map<String, String> ANNOTATIONS_OF_ALERTMANAGER =
      Map.of("end_summary", "the summary at the end");

  /** The alert has each counted record as evidence. */
  private static final int MAX_TIMES = 100;

  private static final Duration NO_DATA_FOR = Duration.ofMinutes(15);

  /** Returns the rule, or null if reading it added a problem. */
  @Nullable
  Rule read(List<SettingOverride> overrides) {
    var before = problems.all().size();
    problems.addAll(in.unknownKeys(RuleKey.NAMES, RuleKey.VERSION.key()));
    var name = name();
    var topic = oneOf(RuleKey.ON, List.copyOf(topics.keySet()));
    var settings = new RuleSettingsReader(in, problems).read(name == null ? "" : name, overrides);
    var kind = kind();
    if (kind == Kind.CONDITION && Rule.ALERTS.equals(topic)) {
      invalid(RuleKey.KIND, "a rule on alerts is of kind event");
    }
    var rule = topic != null && kind != null ? rule(name == null ? "" : name, topic, kind, settings) : null;
    return problems.all().size() == before ? rule : null;
  }

  private @Nullable Rule rule(String name, String topic, Kind kind, Map<String, Object> settings) {
    var vocabulary = Vocabulary.of(Objects.requireNonNull(topics.get(topic)));
    var compiler = new ExpressionCompiler(vocabulary, settings, strict);
    var when = expression(RuleKey.WHEN, compiler::condition);
    var after = expression(RuleKey.AFTER, compiler::condition);
    var resolveWhen = expression(RuleKey.RESOLVE_WHEN, compiler::condition);
    requireWithinToArm();
    var labels = templates(RuleKey.LABELS, LABELS_OF_ALERTMANAGER, compiler);
    var annotations = templates(RuleKey.ANNOTATIONS, ANNOTATIONS_OF_ALERTMANAGER, compiler);
    requireSummary();
    if (kind == Kind.CONDITION && Stream.of(when, resolveWhen).filter(Objects::nonNull)
        .flatMap(each -> each.names().stream()).anyMatch(vocabulary::isOfPrevious)) {
      invalid(RuleKey.WHEN, "'before.' of records that are no changes works only in rules of kind event, because a"
          + " condition is also evaluated between records");
    }
    var severity = oneOf(RuleKey.SEVERITY, RuleKey.SEVERITIES);
    return when == null ? null : new Rule(
        name,
        topic,
        kind,
        when,
        after,
        times(),
        duration(RuleKey.WITHIN, Duration.ZERO),
        resolveWhen,
        duration(RuleKey.FOR, Duration.ZERO),
        duration(RuleKey.KEEP_FIRING_FOR, Duration.ZERO),
        duration(RuleKey.NO_DATA_FOR, NO_DATA_FOR),
        once(vocabulary),
        duration(RuleKey.COOLDOWN, Duration.ZERO),
        duration(RuleKey.DIGEST_AFTER_GAP, Duration.ZERO),
        settings,
        severity == null ? "info" : severity,
        labels,
        annotations,
        version());
  }

  private @Nullable String name() {
    var name = attempt(RuleKey.NAME, YamlValue::text);
    if (name == null || name.matches(NAME)) {
      return name;
    }
    invalid(RuleKey.NAME, "'" + SafeText.singleLine(name, 80)
        + "' is not a valid name: use at most 63 lower-case letters, digits and dashes, starting with a letter");
    return null;
  }

  private @Nullable Kind kind() {
    var kind = has(RuleKey.KIND)
        ? attempt(RuleKey.KIND, value -> value.oneOf(Kind.values(), Kind::text))
        : Kind.EVENT;
    if (kind != null) {
      rejectKeysOf(kind == Kind.EVENT ? Kind.CONDITION : Kind.EVENT);
    }
    return kind;
  }

  private void rejectKeysOf(Kind other) {
    var usage = other == Kind.EVENT ? RuleKey.Usage.OF_EVENTS : RuleKey.Usage.OF_CONDITIONS;
    for (var key : RuleKey.values()) {
      if (key.usage() == usage && has(key)) {
        invalid(key, "only rules of kind " + other.text() + " can have this key"
            + (has(RuleKey.KIND) ? "" : "; this rule has no kind, so it is of the default kind event"));
      }
    }
  }

  private void requireWithinToArm() {
    var key = has(RuleKey.TIMES) ? RuleKey.TIMES : has(RuleKey.AFTER) ? RuleKey.AFTER : RuleKey.WITHIN;
    if (has(RuleKey.TIMES) && has(RuleKey.AFTER)) {
      invalid(key, "a rule has either after or times");
    } else if ((key != RuleKey.WITHIN) != has(RuleKey.WITHIN)) {
      invalid(key, "within must be used together with after or times: after arms the rule for that time, times counts"
          + " records within that time");
    }
  }

  private int times() {
    return Objects.requireNonNullElse(
        attempt(RuleKey.TIMES, value -> value.integer(2, MAX_TIMES, "a whole number from 2 to " + MAX_TIMES)), 1);
  }

  private void requireSummary() {
    var annotations = RuleKey.ANNOTATIONS.key();
    if (!in.isSection(annotations) || !in.section(annotations).has("summary")) {
      invalid(RuleKey.ANNOTATIONS, "summary is missing; write the line that people read, such as"
          + " \"{{ about.name }} moved {{ price.move_percent | change }}\"");
    }
  }

  private List<String> once(Vocabulary vocabulary) {
    var names = problems.attempt(() -> in.values(RuleKey.ONCE.key()));
    return names == null ? List.of() : names.stream().map(name -> once(name, vocabulary)).toList();
  }

  private String once(YamlValue name, Vocabulary vocabulary) {
    if (!vocabulary.contains(name.text())) {
      problems.add(name.position(), RuleKey.ONCE.key(), vocabulary.unknown(name.text()));
    } else if (vocabulary.isOfPrevious(name.text())) {
      problems.add(name.position(), RuleKey.ONCE.key(),
          "an alert is named by values of its own record, not of the one before");
    }
    return name.text();
  }

  private long version() {
    return Objects.requireNonNullElse(attempt(RuleKey.VERSION, RuleSetReader::version), 0L);
  }

  /** @param taken names that every alert already has in Alertmanager, each with a description of the value */
  private Map<String, Template> templates(RuleKey key, Map<String, String> taken, ExpressionCompiler compiler) {
    var section = in.section(key.key());
    var templates = new LinkedHashMap<String, Template>();
    var mapped = new HashMap<>(taken);
    for (var name : Objects.requireNonNullElse(problems.attempt(section::keys), List.<String>of())) {
      var value = problems.attempt(() -> section.required(name));
      var same = mapped.putIfAbsent(SafeText.labelName(name), "'" + name + "'");
      if (strict && same != null) {
        problems.add(section.position(name), key.key() + "." + SafeText.singleLine(name, 80),
            "in Alertmanager, this name becomes '"
                + SafeText.labelName(name) + "', which already stands for " + same + "; choose another name");
      }
      var template = value == null ? null : compiled(value, text -> Template.compile(text, compiler));
      if (template != null) {
        templates.put(name, template);
      }
    }
    return templates;
  }

  private <T> @Nullable T expression(RuleKey key, Function<String, T> compile) {
    var value = attempt(key, each -> each);
    return value == null ? null : compiled(value, compile);
  }

  /**
   * Compiles the text of a value. If it has issues, adds each as a problem with the position of the issue in the file,
   * and returns null.
   */
  private <T> @Nullable T compiled(YamlValue value, Function<String, T> compile) {
    try {
      return compile.apply(value.text());
    } catch (ExpressionException e) {
      var text = new EmbeddedText(file, value.position(), value.text());
      e.issues()
          .forEach(issue -> problems.add(text.position(issue.line(), issue.column()), value.path(), issue.problem()));
      return null;
    }
  }

  private Duration duration(RuleKey key, Duration otherwise) {
    return Objects.requireNonNullElse(attempt(key, value -> value.duration(DurationFormat.OF_RULES)), otherwise);
  }

  private @Nullable String oneOf(RuleKey key, List<String> texts) {
    return attempt(key, value -> value.oneOf(texts));
  }

  /**
   * Reads the value of a key. Returns null if an optional key is absent. If a required key is absent, the value is a
   * list or a section, or reading fails, adds a problem and returns null.
   */
  private <T> @Nullable T attempt(RuleKey key, Function<YamlValue, T> read) {
    return problems.attempt(() -> {
      var value = in.find(key.key());
      if (value == null && has(key)) {
        throw in.invalid(key.key(), "expected a single value here");
      }
      if (value == null && key.usage() == RuleKey.Usage.ALWAYS) {
        throw in.invalid(key.key(), "missing. " + key.description());
      }
      return value == null ? null : read.apply(value);
    });
  }

  private boolean has(RuleKey key) {
    return in.has(key.key());
  }

  private void invalid(RuleKey key, String problem) {
    problems.add(in.position(key.key()), key.key(), problem);
  }
}
