package io.tidemark.rule.file;

import io.tidemark.event.Watch;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
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
public final class RuleAnnouncements {

  /** Kinds of words. */
  public static final String RULES = "rules";

  public static final String SILENCE = "silence";
  public static final String IN_FORCE = "in-force";

  /** Kinds of announcements, and names of the words that tell of them. */
  static final String SILENCES = "silences";

  private static final Logger LOG = LoggerFactory.getLogger(RuleAnnouncements.class);

  private final RuleSet base;
  private final Map<String, Schema> topics;
  private final long half;
  private final Map<String, AppliedFile> appliedFiles = new HashMap<>();
  private final Map<String, Silence> silences = new TreeMap<>();
  private RuleSet rules = RuleSet.EMPTY;
  private @Nullable Instant rulesAt;
  private long silencesVersion;
  private String silencesText = "";
  private @Nullable Instant silencesAt;
  private boolean changed = true;

  /** Something to be said to every partition. */
  public record Announcement(String kind, long version, String text) {}

  private record AppliedFile(Instant at, RuleSet rules) {}

  /**
   * As nothing was ever announced.
   *
   * @param base rules of the configuration
   * @param retention of the topic that announcements go to
   */
  public RuleAnnouncements(RuleSet base, Map<String, Schema> topics, Duration retention) {
    this.base = base;
    this.topics = topics;
    this.half = retention.toMillis() / 2;
  }

  /** Hears a word of the topic {@code watch}, also those that tell of what was announced. */
  public void apply(Watch word) {
    switch (word.getKind()) {
      case RULES -> rules(word);
      case SILENCE -> silence(word);
      case IN_FORCE -> inForce(word);
      default -> {}
    }
  }

  /** What is to be announced now; it counts as announced. */
  public List<Announcement> takeDue(Instant now) {
    var due = new ArrayList<Announcement>();
    if (changed || isOld(rulesAt, now)) {
      rules(now, due);
    }
    if (changed || isOld(silencesAt, now)) {
      silences(now, due);
    }
    changed = false;
    return due;
  }

  /** The rules together, with those of files: the newest file's where several have one of a name. */
  public RuleSet requested() {
    var together = base;
    for (var file : appliedFiles.values().stream().sorted(Comparator.comparing(AppliedFile::at)).toList()) {
      together = together.with(file.rules);
    }
    return together;
  }

  /** What was announced last. */
  public RuleSet inForce() {
    return rules;
  }

  /** Rules that were applied, by the name of their file. */
  public Map<String, RuleSet> appliedFiles() {
    var sets = new TreeMap<String, RuleSet>();
    appliedFiles.forEach((name, asked) -> sets.put(name, asked.rules));
    return sets;
  }

  /** Those asked for, also those that are over. */
  public List<Silence> silences() {
    return List.copyOf(silences.values());
  }

  private void rules(Instant now, List<Announcement> due) {
    var wanted = requested().versionedAfter(rules);
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
    var same = SilenceFormat.yaml(silencesVersion, current).equals(silencesText);
    if ((same && !isOld(silencesAt, now)) || (current.isEmpty() && silencesAt == null)) {
      return;
    }
    silencesVersion = same ? silencesVersion : silencesVersion + 1;
    silencesText = SilenceFormat.yaml(silencesVersion, current);
    silencesAt = now;
    due.add(new Announcement(SILENCES, silencesVersion, silencesText));
  }

  /** Null says that nothing was announced: there is nothing to repeat. */
  private boolean isOld(@Nullable Instant at, Instant now) {
    return at != null && at.toEpochMilli() / half != now.toEpochMilli() / half;
  }

  private void rules(Watch word) {
    changed = true;
    appliedFiles.remove(word.getName());
    if (word.getText() != null) {
      try {
        var text = new RuleDocument(word.getName(), word.getText());
        appliedFiles.put(word.getName(), new AppliedFile(word.getAt(), RuleSet.accepted(text, topics)));
      } catch (RuleException e) {
        LOG.error("rules that {} applied at {} are not in force: {}", word.getWho(), word.getAt(), e.getMessage());
      }
    }
  }

  private void silence(Watch word) {
    changed = true;
    silences.remove(word.getName());
    if (word.getText() != null) {
      try {
        SilenceFormat.parse(word.getText()).forEach(silence -> silences.put(silence.id(), silence));
      } catch (IllegalArgumentException e) {
        LOG.error("a silence that {} asked for at {} is not in force: {}", word.getWho(), word.getAt(), e.getMessage());
      }
    }
  }

  private void inForce(Watch word) {
    var text = word.getText() == null ? "" : word.getText();
    if (word.getName().equals(RULES)) {
      rules = known(text);
      rulesAt = word.getAt();
    } else {
      silencesVersion = SilenceFormat.version(text);
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
      return new RuleSet(SilenceFormat.version(text), List.of());
    }
  }
}
