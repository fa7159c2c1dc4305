package io.tidemark.rule.file;

import io.tidemark.event.NameSuggestion;
import io.tidemark.rule.Mute;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.yaml.FilePosition;
import io.tidemark.yaml.YamlSection;
import io.tidemark.yaml.YamlValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads documents of rules into one rule set, and checks the limits of this set. */
public final class RuleSetReader {

  private static final Logger LOG = LoggerFactory.getLogger(RuleSetReader.class);

  private static final int MAX_RULES = 500;
  private static final int MAX_MUTES = 500;
  private static final int MAX_MUTE_NAME = 100;
  private static final int MAX_CHARACTERS = 500_000;

  /**
   * Maximum minutes of history of each resource, summed over all attributes whose history the rules on one topic need.
   */
  private static final int MAX_HISTORY_MINUTES = 4 * 24 * 60;

  private final Map<String, Schema> topics;
  private final List<SettingOverride> overrides;
  private final boolean strict;
  private final boolean ofTests;
  private final RuleProblems problems = new RuleProblems();
  private final Map<String, Rule> rules = new LinkedHashMap<>();
  private final Map<String, FilePosition> namePositions = new HashMap<>();
  private final Map<String, Mute> mutes = new LinkedHashMap<>();
  private final List<YamlValue> mutedRules = new ArrayList<>();
  private final Set<String> excluded = new HashSet<>();
  private long version;

  private RuleSetReader(Map<String, Schema> topics, List<SettingOverride> overrides, boolean strict,
      boolean ofTests) {
    this.topics = topics;
    this.overrides = overrides;
    this.strict = strict;
    this.ofTests = ofTests;
  }

  /**
   * Reads rules of new or changed documents. Any problem makes all documents invalid.
   *
   * @param topics topics that rules may be on: names without prefix, each with the schema of its records
   * @param overrides settings from a configuration; each must name a rule of the documents
   * @throws RuleException if there is any problem; its message names every problem
   */
  public static RuleSet read(
      List<RuleDocument> documents, Map<String, Schema> topics, List<SettingOverride> overrides) {
    return new RuleSetReader(topics, overrides, true, false).ruleSet(documents);
  }

  /** Reads the rules that a file of tests has or names. */
  static RuleSet readTested(List<RuleDocument> documents, Map<String, Schema> topics) {
    return new RuleSetReader(topics, List.of(), true, true).ruleSet(documents);
  }

  /**
   * Reads rules that were accepted before, possibly by an earlier version of the program. These rules stay in force
   * even if a check that a later version added finds a mistake in them. A rule that this version cannot run, for
   * example because a pattern is too large, is left out and logged.
   *
   * @throws RuleException if the text is not a document of rules, two rules have the same name, or the rules exceed a
   *     limit
   */
  public static RuleSet readAccepted(RuleDocument document, Map<String, Schema> topics) {
    return new RuleSetReader(topics, List.of(), false, false).ruleSet(List.of(document));
  }

  private RuleSet ruleSet(List<RuleDocument> documents) {
    documents.forEach(document -> problems.collect(() -> read(document)));
    overrides.stream()
        .filter(override -> !namePositions.containsKey(override.rule()) && !excluded.contains(override.rule()))
        .forEach(this::addUnknownRule);
    if (strict && !namePositions.isEmpty()) { // a file of mutes alone is for the rules of other files
      mutedRules.forEach(this::checkMutedRule);
    }
    var set = new RuleSet(version, List.copyOf(rules.values()), List.copyOf(mutes.values()));
    checkLimits(set, documents.isEmpty() ? "rules" : documents.getLast().name());
    problems.throwIfAny();
    return set;
  }

  /**
   * Checks the limits of all rules in force, since files that are valid one by one may exceed a limit together. Does
   * not compile the rules.
   *
   * @throws RuleException if the rules exceed a limit; its message names every limit that is exceeded
   */
  public static void checkLimits(RuleSet rules, Map<String, Schema> topics) {
    var reader = new RuleSetReader(topics, List.of(), true, false);
    var document = new RuleDocument("rules in force", RuleFormat.write(rules));
    if (document.text().length() > MAX_CHARACTERS) {
      reader.problems.add(FilePosition.whole(document.name()), "", "all rules together have "
          + document.text().length() + " characters, not counting comments, but only " + MAX_CHARACTERS
          + " are allowed; drop files of rules that are not needed");
    }
    reader.checkLimits(rules, document.name());
    reader.problems.throwIfAny();
  }

  private void read(RuleDocument document) {
    if (!checkLength(document)) {
      return;
    }
    var file = YamlSection.parse(document.name(), document.text(), null);
    if (strict && !ofTests && file.has("rule_files")) {
      throw file.invalid("rule_files",
          "only 'tidemark rules test' reads the files that this key names; pass those files themselves");
    }
    if (!file.has("rules") && !file.has("mutes")) {
      throw file.invalid("the key 'rules' is missing; a file of rules begins with 'rules:'");
    }
    problems.addAll(file.unknownKeys(List.of("rules", "mutes"), RuleKey.VERSION.key(), "rule_files", "tests"));
    var written = file.find(RuleKey.VERSION.key());
    version = written == null ? 0 : version(written);
    file.sections("mutes").forEach(mute -> {
      var found = strict ? problems : new RuleProblems();
      found.collect(() -> readMute(mute));
      logIfAccepted(found, "mute");
    });
    file.sections("rules").forEach(rule -> problems.collect(() -> read(document, rule.withPath(""))));
  }

  private void readMute(YamlSection in) {
    var mute = MuteFormat.read(in);
    if (strict && mute.name().length() > MAX_MUTE_NAME) {
      throw in.invalid("name", "must have at most " + MAX_MUTE_NAME + " characters, not " + mute.name().length()
          + "; each muted alert repeats it, so choose a shorter one");
    }
    if (mutes.putIfAbsent(mute.name(), mute) != null) {
      throw in.invalid("name", "another mute has the same name, '" + mute.name() + "'");
    }
    mutedRules.addAll(in.values("rules"));
  }

  /** Reports a name that is nearly that of a rule. Other unknown names may be those of rules in other files. */
  private void checkMutedRule(YamlValue rule) {
    var known = new TreeSet<>(ShippedRules.names());
    known.addAll(namePositions.keySet());
    var nearest = known.contains(rule.text()) ? null : NameSuggestion.nearest(rule.text(), known);
    if (nearest != null) {
      problems.add(rule.position(), rule.path(), "no rule has this name; did you mean " + nearest + "?");
    }
  }

  private boolean checkLength(RuleDocument document) {
    if (document.text().length() > MAX_CHARACTERS) {
      problems.add(FilePosition.whole(document.name()), "",
          "must have at most " + MAX_CHARACTERS + " characters, not " + document.text().length());
      return false;
    }
    return true;
  }

  /**
   * Returns the version of a rule or a rule set that {@link RuleFormat} wrote, or 0 if the value is not such a version.
   */
  static long version(YamlValue value) {
    return value.text().matches("\\d{1,15}") ? Long.parseLong(value.text()) : 0;
  }

  private void read(RuleDocument document, YamlSection section) {
    var value = section.find(RuleKey.NAME.key());
    if (value != null && !document.includes(value.text())) {
      excluded.add(value.text());
      return;
    }
    if (value != null) {
      var position = section.position(RuleKey.NAME.key());
      var before = namePositions.putIfAbsent(value.text(), position);
      if (before != null) {
        problems.add(position, RuleKey.NAME.key(),
            "the rule at " + before + " has the same name, '" + value.text() + "'");
      }
    }
    var found = strict ? problems : new RuleProblems();
    var rule = new RuleReader(document.text(), section, topics, strict, found).read(overrides);
    if (rule != null) {
      rules.put(rule.name(), rule);
    } else {
      logIfAccepted(found, "rule");
    }
  }

  private void logIfAccepted(RuleProblems found, String what) {
    if (!strict) {
      found.all().forEach(problem -> LOG.error("a {} that was accepted before is invalid in this version and not in"
          + " force; problem: {}", what, problem));
    }
  }

  private void addUnknownRule(SettingOverride override) {
    var nearest = NameSuggestion.nearest(override.rule(), namePositions.keySet());
    problems.add(override.position(), "set." + override.rule(),
        "no rule has this name" + (nearest == null ? "" : "; did you mean " + nearest + "?"));
  }

  private void checkLimits(RuleSet set, String file) {
    var position = FilePosition.whole(file);
    if (set.rules().size() > MAX_RULES) {
      problems.add(position, "", "there must be at most " + MAX_RULES + " rules in total, not " + set.rules().size());
    }
    if (strict && set.mutes().size() > MAX_MUTES) {
      problems.add(position, "", "there must be at most " + MAX_MUTES + " mutes in total, not " + set.mutes().size()
          + "; write one mute for all rules with the same times");
    }
    for (var topic : topics.keySet()) {
      var history = set.history(topic);
      var minutes = history.values().stream().mapToLong(Duration::toMinutes).sum();
      if (minutes > MAX_HISTORY_MINUTES) {
        problems.add(position, "",
            "the rules on " + topic + " need " + minutes + " minutes of history of each resource, summed over the"
                + " figures " + history.keySet() + "; at most " + MAX_HISTORY_MINUTES
                + " are stored, so shorten the windows of history functions such as moved()");
      }
    }
  }

  /**
   * A value in a configuration that overrides the default of a rule's setting.
   *
   * @param rule name of the rule
   * @param setting name of the setting in the configuration, in kebab case
   * @param values the texts of the values in the configuration; a single text if the value is not a list
   */
  public record SettingOverride(
      String rule, String setting, List<String> values, boolean isList, FilePosition position) {

    String path() {
      return "set." + rule + "." + setting;
    }
  }
}
