package io.tidemark.rule.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.event.Watch;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RulesInForce.AppliedFile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules and silences in force for a source. The ledger announces them on the topic {@code control}: each change
 * immediately, and all rules and silences once in each half of the topic's retention.
 *
 * <p>The rules come from the configuration and from commands on the topic {@code watch}, and the silences from these
 * commands. A rule whose evaluation failed is not in force. Not safe for use by several threads.
 */
public final class RuleAnnouncements {

  /** Kind of a command that applies or drops a file of rules, and kind of an announcement of rules. */
  public static final String RULES = "rules";

  /** Kind of a command that adds or ends a silence. */
  public static final String SILENCE = "silence";

  /** Kind of a record on {@code watch} that repeats an announcement. The record's name is the announcement's kind. */
  public static final String IN_FORCE = "in-force";

  /**
   * Kind of a command with which the stream application puts a failed rule out of force, and kind of the announcement
   * of this failure. The command's name is the name of the rule.
   */
  public static final String RULE_FAILURE = "rule-failure";

  static final String SILENCES = "silences";

  /**
   * Maximum number of silences that have not ended, for those who add one. It is limited, as their bytes are, because
   * all silences are written to {@code control} in one record.
   */
  private static final int MOST_SILENCES = 500;

  /** Maximum bytes of all silences that have not ended. It is half of what a record may have. */
  private static final int MAX_SILENCES_BYTES = 500_000;

  private static final Logger LOG = LoggerFactory.getLogger(RuleAnnouncements.class);

  private final @Nullable RuleSet configured;
  private final Map<String, Schema> topics;
  private final long halfRetention;
  private final Map<String, AppliedFile> files = new HashMap<>();
  private final Map<String, Silence> silences = new TreeMap<>();

  /** Ids of the silences that were logged because an announcement has no room for them. */
  private final Set<String> loggedOverLimit = new HashSet<>();
  private final Map<String, RuleFailure> failures = new TreeMap<>();
  private final Set<RuleFailure> announcedFailures = new HashSet<>();
  private RuleSet rules = RuleSet.EMPTY;
  private Announcement announcedSilences = new Announcement(SILENCES, 0, "");

  /** Time of the last announcement of rules and of silences, by kind. Failures are not included. */
  private final Map<String, Instant> announcedAt = new HashMap<>();
  private boolean changed = true;

  /**
   * One announcement, which is written to every partition of {@code control}.
   *
   * @param kind {@code rules}, {@code silences} or {@code rule-failure}
   * @param version version of the rules or silences; for a failure, the time of the failure in milliseconds since the
   *     epoch
   */
  public record Announcement(String kind, long version, String text) {}

  /**
   * Creates the announcements of a source.
   *
   * @param configured rules of the configuration; null to read what is in force without knowing the configuration.
   *     {@link #inForce} then returns the rules that the source's owner announced
   * @param topics topics that rules may be on: names without prefix, each with the schema of its records
   * @param retention retention of {@code control}
   */
  public RuleAnnouncements(@Nullable RuleSet configured, Map<String, Schema> topics, Duration retention) {
    this.configured = configured;
    this.topics = topics;
    this.halfRetention = retention.toMillis() / 2;
  }

  /** Applies a record of the topic {@code watch}: a command, or a repeated announcement. */
  public void apply(Watch command) {
    switch (command.getKind()) {
      case RULES -> applyRules(command);
      case SILENCE -> applySilence(command);
      case RULE_FAILURE -> applyFailure(command);
      case IN_FORCE -> restore(command);
      default -> {}
    }
  }

  /**
   * Returns the announcements that are due now, and marks them as announced. Each failure is announced once in each
   * session; unlike rules and silences, it is not repeated in each half of the retention.
   */
  public List<Announcement> takeDue(Instant now) {
    var due = new ArrayList<Announcement>();
    if (changed) {
      outOfForce().stream()
          .filter(announcedFailures::add)
          .forEach(each -> due.add(new Announcement(RULE_FAILURE, each.at().toEpochMilli(), each.text())));
    }
    if (changed || isDueAgain(RULES, now)) {
      var before = rules.version();
      rules = nextRules();
      take(new Announcement(RULES, rules.version(), RuleFormat.write(rules)), before, now, due);
    }
    if (changed || isDueAgain(SILENCES, now)) {
      var before = announcedSilences.version();
      announcedSilences = nextSilences(now);
      take(announcedSilences, before, now, due);
    }
    changed = false;
    return due;
  }

  private void take(Announcement next, long versionBefore, Instant now, List<Announcement> due) {
    if (next.version() != versionBefore || isDueAgain(next.kind(), now)) {
      announcedAt.put(next.kind(), now);
      due.add(next);
    }
  }

  /**
   * Returns whether a new period has begun since a kind was last announced, or false if the kind was never announced.
   * Each period lasts half the retention.
   */
  private boolean isDueAgain(String kind, Instant now) {
    var at = announcedAt.get(kind);
    return at != null && at.toEpochMilli() / halfRetention != now.toEpochMilli() / halfRetention;
  }

  /**
   * Returns the rules of the configuration and of applied files, without the rules that failures put out of force. A
   * rule of a file replaces a rule of the configuration with the same name. Among files, the file applied last is used.
   */
  private RuleSet nextRules() {
    var requested = requested();
    var failed = outOfForce().stream().map(RuleFailure::rule).toList();
    return usable(requested.without(failed).versionedAfter(rules));
  }

  private RuleSet requested() {
    var together = configured == null ? RuleSet.EMPTY : configured;
    for (var file : files.values().stream().sorted(Comparator.comparing(AppliedFile::at)).toList()) {
      together = together.with(file.rules());
    }
    return together;
  }

  /**
   * Returns the requested rules, or the previous rules if the requested rules exceed a limit. Does not compile the
   * rules, because a source waits for the result.
   */
  private RuleSet usable(RuleSet requested) {
    try {
      if (requested.version() != rules.version()) {
        RuleSetReader.checkLimits(requested, topics);
      }
      return requested;
    } catch (RuleException e) {
      LOG.error("the requested rules together exceed a limit; the previous rules stay in force; problem: {}",
          e.getMessage());
      return rules;
    }
  }

  private Announcement nextSilences(Instant now) {
    silences.replaceAll((id, silence) -> silence.startingNoLaterThan(now)); // the clock of its author may be fast
    var before = announcedSilences;
    var current = fitting(now);
    var isSame = (current.isEmpty() && before.text().isEmpty())
        || RuleFormat.writeSilences(before.version(), current).equals(before.text());
    var next = before.version() + 1;
    return isSame ? before : new Announcement(SILENCES, next, RuleFormat.writeSilences(next, current));
  }

  /** Returns the silences that have not ended, without the newest ones for which an announcement has no room. */
  private List<Silence> fitting(Instant now) {
    var fitting = new ArrayList<Silence>();
    var bytes = 0L;
    for (var silence : silences.values().stream()
        .filter(each -> each.until().isAfter(now))
        .sorted(Comparator.comparing(Silence::from).thenComparing(Silence::id))
        .toList()) {
      bytes += bytes(silence);
      if (bytes <= MAX_SILENCES_BYTES) {
        fitting.add(silence);
      } else {
        bytes -= bytes(silence);
        if (loggedOverLimit.add(silence.id())) {
          LOG.error("the silence {} of {} is not in force, because all silences together may have at most {} bytes; end"
              + " some silences", silence.id(), silence.who(), MAX_SILENCES_BYTES);
        }
      }
    }
    return fitting;
  }

  private static int bytes(Silence silence) {
    return RuleFormat.writeSilences(0, List.of(silence)).getBytes(UTF_8).length;
  }

  /**
   * Returns a silence that may be added to others.
   *
   * @param others silences that have not ended
   * @throws IllegalStateException if there are already as many silences, or as much text in them, as one announcement
   *     may have
   */
  public static Silence requireWithinLimits(Silence added, List<Silence> others) {
    if (others.size() >= MOST_SILENCES) {
      throw new IllegalStateException(
          "there are already " + MOST_SILENCES + " silences, the maximum; end some first");
    }
    var bytes = bytes(added) + others.stream().mapToLong(RuleAnnouncements::bytes).sum();
    if (bytes > MAX_SILENCES_BYTES) {
      throw new IllegalStateException("all silences together would have " + bytes + " bytes, but at most "
          + MAX_SILENCES_BYTES + " are allowed; end some first");
    }
    return added;
  }

  /**
   * Returns the failures that still keep a rule out of force. A failure stops doing so when the rule is removed, the
   * content of the rule changes, or someone applies the rule again.
   */
  public List<RuleFailure> outOfForce() {
    if (failures.isEmpty()) {
      return List.of();
    }
    var requested = requested();
    return failures.values().stream()
        .filter(failure -> !isAppliedSince(failure))
        .filter(failure -> isOutOfForce(failure, requested.find(failure.rule())))
        .toList();
  }

  private boolean isAppliedSince(RuleFailure failure) {
    return files.values().stream()
        .anyMatch(file -> file.at().isAfter(failure.at()) && file.rules().find(failure.rule()) != null);
  }

  private boolean isOutOfForce(RuleFailure failure, @Nullable Rule requested) {
    return requested != null
        ? RuleFailure.content(requested).equals(failure.content())
        : configured == null && rules.find(failure.rule()) == null;
  }

  /** Returns the rules that were announced last. */
  public RuleSet inForce() {
    return rules;
  }

  /** Returns the rules that were announced last, the applied files and the failures, as they are now. */
  public RulesInForce current() {
    return new RulesInForce(rules, Collections.unmodifiableMap(new TreeMap<>(files)), outOfForce());
  }

  /**
   * Returns the silences that commands added, including silences whose time is over, but not those that a command
   * ended.
   */
  public List<Silence> silences() {
    return List.copyOf(silences.values());
  }

  /**
   * Marks the announcements as changed and reads the text of a command, if the command has a text. Logs an error if the
   * text cannot be read.
   *
   * @param problem message of the error, with three placeholders: the writer of the command, the time, and the cause
   * @param reader reads the text; throws {@link IllegalArgumentException} if the text is invalid
   */
  private void read(Watch command, String problem, Consumer<String> reader) {
    changed = true;
    if (command.getText() != null) {
      try {
        reader.accept(command.getText());
      } catch (IllegalArgumentException e) {
        LOG.error(problem, command.getWho(), command.getAt(), e.getMessage());
      }
    }
  }

  private void applyRules(Watch command) {
    files.remove(command.getName());
    read(command, "the rules that {} applied at {} are invalid and not in force; problem: {}", text -> {
      var document = new RuleDocument(command.getName(), text);
      files.put(command.getName(), new AppliedFile(command.getWho(), command.getAt(), text,
          RuleSetReader.readAccepted(document, topics)));
    });
  }

  private void applySilence(Watch command) {
    silences.remove(command.getName());
    read(command, "the silence that {} added at {} is invalid and not in force; problem: {}",
        text -> RuleFormat.parseSilences(text).forEach(silence -> silences.put(silence.id(), silence)));
  }

  private void applyFailure(Watch command) {
    failures.remove(command.getName());
    read(command, "the record of a rule's failure that {} wrote at {} is invalid and ignored; problem: {}",
        text -> failures.put(command.getName(), RuleFailure.parse(text)));
  }

  private void restore(Watch announcement) {
    if (announcement.getName().equals(RULE_FAILURE)) {
      return; // the command that reported the failure is still in the topic
    }
    var text = announcement.getText() == null ? "" : announcement.getText();
    announcedAt.put(announcement.getName(), announcement.getAt());
    if (announcement.getName().equals(RULES)) {
      rules = announcedRules(text);
    } else {
      announcedSilences = new Announcement(SILENCES, RuleFormat.version(text), text);
    }
  }

  /**
   * Reads announced rules. If another version of the program wrote a text that this version cannot read, returns only
   * the version of the rule set, without rules.
   */
  private RuleSet announcedRules(String text) {
    try {
      return RuleFormat.parse(text, topics);
    } catch (RuleException e) {
      LOG.warn("another version of this program wrote the rules in force, and this version cannot read them;"
          + " all rules count as changed");
      return new RuleSet(RuleFormat.version(text), List.of(), List.of());
    }
  }
}
