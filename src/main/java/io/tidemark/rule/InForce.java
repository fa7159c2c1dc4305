package io.tidemark.rule;

import io.tidemark.event.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which rules and silences are in force for a source: those of its configuration, and what the command line asked for
 * since. Says what is to be announced: what changed at once, and all of it once in each half of the retention.
 */
public final class InForce {

  /** Kinds of words. */
  public static final String RULES = "rules";

  public static final String SILENCE = "silence";
  public static final String IN_FORCE = "in-force";

  /** Kinds of announcements, and names of the words that tell of them. */
  static final String SILENCES = "silences";

  private static final Logger LOG = LoggerFactory.getLogger(InForce.class);

  private final RuleSet base;
  private final Map<String, Schema> topics;
  private final long half;
  private final Map<String, Asked> files = new HashMap<>();
  private final Map<String, Silence> silences = new TreeMap<>();
  private RuleSet rules = RuleSet.EMPTY;
  private @Nullable Instant rulesAt;
  private long silencesVersion;
  private String silencesText = "";
  private @Nullable Instant silencesAt;
  private boolean news = true;

  /** Something to be said to every partition. */
  public record Announcement(String kind, long version, String text) {}

  private record Asked(Instant at, RuleSet rules) {}

  /**
   * As nothing was ever announced.
   *
   * @param base rules of the configuration
   * @param retention of the topic that announcements go to
   */
  public InForce(RuleSet base, Map<String, Schema> topics, Duration retention) {
    this.base = base;
    this.topics = topics;
    this.half = retention.toMillis() / 2;
  }

  /** Hears a word of the topic {@code watch}, also those that tell of what was announced. */
  public void hear(Watch word) {
    switch (word.getKind()) {
      case RULES -> rules(word);
      case SILENCE -> silence(word);
      case IN_FORCE -> announced(word);
      default -> {}
    }
  }

  /** What is to be announced now; it counts as announced. */
  public List<Announcement> due(Instant now) {
    var due = new ArrayList<Announcement>();
    if (news || isOld(rulesAt, now)) {
      rules(now, due);
    }
    if (news || isOld(silencesAt, now)) {
      silences(now, due);
    }
    news = false;
    return due;
  }

  /** The rules together, with those of files: the newest file's where several have one of a name. */
  public RuleSet together() {
    var together = base;
    for (var file : files.values().stream().sorted(Comparator.comparing(Asked::at)).toList()) {
      together = together.with(file.rules);
    }
    return together;
  }

  /** What was announced last. */
  public RuleSet announced() {
    return rules;
  }

  /** Rules that were applied, by the name of their file. */
  public Map<String, RuleSet> files() {
    var sets = new TreeMap<String, RuleSet>();
    files.forEach((name, asked) -> sets.put(name, asked.rules));
    return sets;
  }

  /** Those asked for, also those that are over. */
  public List<Silence> silences() {
    return List.copyOf(silences.values());
  }

  private void rules(Instant now, List<Announcement> due) {
    var wanted = together().following(rules);
    var next = wanted.version() == rules.version() || isUsable(wanted) ? wanted : rules;
    if (next.version() == rules.version() && !isOld(rulesAt, now)) {
      return;
    }
    rules = next;
    rulesAt = now;
    due.add(new Announcement(RULES, next.version(), next.yaml()));
  }

  /** Files that are right one by one may be too much together. */
  private boolean isUsable(RuleSet wanted) {
    try {
      RuleSet.parse(wanted.yaml(), topics);
      return true;
    } catch (RuleException e) {
      LOG.error("the rules asked for cannot be in force together, those before stay so: {}", e.getMessage());
      return false;
    }
  }

  private void silences(Instant now, List<Announcement> due) {
    var current = silences.values().stream().filter(silence -> silence.until().isAfter(now)).toList();
    var same = Silences.yaml(silencesVersion, current).equals(silencesText);
    if ((same && !isOld(silencesAt, now)) || (current.isEmpty() && silencesAt == null)) {
      return;
    }
    silencesVersion = same ? silencesVersion : silencesVersion + 1;
    silencesText = Silences.yaml(silencesVersion, current);
    silencesAt = now;
    due.add(new Announcement(SILENCES, silencesVersion, silencesText));
  }

  /** Null says that nothing was announced: there is nothing to repeat. */
  private boolean isOld(@Nullable Instant at, Instant now) {
    return at != null && at.toEpochMilli() / half != now.toEpochMilli() / half;
  }

  private void rules(Watch word) {
    news = true;
    files.remove(word.getName());
    if (word.getText() != null) {
      try {
        var text = new RuleText(word.getName(), word.getText());
        files.put(word.getName(), new Asked(word.getAt(), RuleSet.accepted(text, topics)));
      } catch (RuleException e) {
        LOG.error("rules that {} applied at {} are not in force: {}", word.getWho(), word.getAt(), e.getMessage());
      }
    }
  }

  private void silence(Watch word) {
    news = true;
    silences.remove(word.getName());
    if (word.getText() != null) {
      try {
        Silences.parse(word.getText()).forEach(silence -> silences.put(silence.id(), silence));
      } catch (IllegalArgumentException e) {
        LOG.error("a silence that {} asked for at {} is not in force: {}", word.getWho(), word.getAt(), e.getMessage());
      }
    }
  }

  private void announced(Watch word) {
    var text = word.getText() == null ? "" : word.getText();
    if (word.getName().equals(RULES)) {
      rules = known(text);
      rulesAt = word.getAt();
    } else {
      silencesVersion = Silences.version(text);
      silencesText = text;
      silencesAt = word.getAt();
    }
  }

  /** Of another version of this program it may be that only the version can be read; then all rules are new. */
  private RuleSet known(String text) {
    try {
      return RuleSet.parse(text, topics);
    } catch (RuleException e) {
      LOG.warn("the rules in force were written by another version of this program; all are taken as changed");
      return new RuleSet(Silences.version(text), List.of());
    }
  }
}
