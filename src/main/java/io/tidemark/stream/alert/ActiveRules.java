package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.event.Sha256;
import io.tidemark.event.Watch;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.Mute;
import io.tidemark.rule.Rule;
import io.tidemark.rule.Silence;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.rule.file.RuleFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The rules on one topic and the silences that are in force at one point of the event log.
 *
 * <p>Rules and silences that a control record announces apply to records whose timestamps are more than {@link
 * #ACTIVATION_DELAY} later than the control record. The first rules and the first silences apply without this delay.
 * So all tasks begin to apply them at the same record, even if the control topic is read a little later than the
 * other topics.
 */
final class ActiveRules {

  static final Duration ACTIVATION_DELAY = Duration.ofSeconds(2);

  /** Number of keys of a partition on which a rule must fail within {@link #FAILURE_PERIOD} to be put out of force. */
  static final int MOST_FAILED_KEYS = 50;
  static final Duration FAILURE_PERIOD = Duration.ofHours(1);

  /**
   * Maximum number of cached sets of changed parts. In theory, changes of pools have up to 2 to the power of 16
   * different sets, but only some dozens occur in practice.
   */
  private static final int MOST_SETS_OF_PARTS = 1_000;

  private final String topic;
  private final Vocabulary vocabulary;
  private final RuleSetCache ruleSets;
  private final ControlVersions ruleVersions;
  private final ControlVersions silenceVersions;
  private final PrefixedStore<Watch> failures;

  /**
   * The newest failure of each rule in force on each record key, stored under the rule's name and a digest of the
   * record key. Failures before {@link #FAILURE_PERIOD} are dropped when the rule fails again.
   */
  private final PrefixedStore<Watch> skipped;
  private RulesToEvaluate rules = new RulesToEvaluate(List.of(), Set.of());

  /** The rules that may start an alert, cached by the set of changed parts. */
  private final Map<List<String>, RulesToEvaluate> byChangedParts = new HashMap<>();
  private Map<String, Duration> history = Map.of();
  private List<Silence> silences = List.of();
  private List<Rule> onAlerts = List.of();
  private List<Mute> mutes = List.of();
  private Instant muteChange = Instant.MIN;
  private boolean readsPrevious;

  /**
   * @param parts the parts of the record, such as {@code price}, that these rules read, and the parts whose history
   *     any rule on the topic needs
   */
  record RulesToEvaluate(List<Rule> rules, Set<String> parts) {}

  ActiveRules(KeyValueStore<String, byte[]> store, String topic, Vocabulary vocabulary, RuleSetCache ruleSets,
      SchemaRegistry registry) {
    this.vocabulary = vocabulary;
    this.topic = topic;
    this.ruleSets = ruleSets;
    this.ruleVersions = new ControlVersions(store, "rules", topic, registry);
    this.silenceVersions = new ControlVersions(store, "silences", topic, registry);
    this.failures = new PrefixedStore<>(store, "failure", topic, Watch.class, registry);
    this.skipped = new PrefixedStore<>(store, "skipped", topic, Watch.class, registry);
    parse();
  }

  /** Stores the rules or silences that a control record announces. They come into force later. */
  void announce(Control control) {
    ruleSets.announce(control);
    ruleVersions.announce(control);
    silenceVersions.announce(control);
  }

  /**
   * Returns the earliest time at which announced rules or silences come into force, or a silence or a mute starts or
   * ends after {@code time}. Announced rules or silences may be overdue, and the result is then before {@code time}.
   * Returns null if no such time is known.
   */
  @Nullable
  Instant nextChangeAfter(Instant time) {
    var next = earlier(ruleVersions.nextFrom(), silenceVersions.nextFrom());
    for (var silence : silences) {
      next = silence.from().isAfter(time) ? earlier(next, silence.from()) : next;
      next = silence.until().isAfter(time) ? earlier(next, silence.until()) : next;
    }
    return mutes.isEmpty() || time.equals(Instant.EPOCH) // before the first record, nothing is muted
        ? next
        : earlier(next, nextMuteChangeAfter(time));
  }

  /** Returns the next time at which a mute may begin or end. Called for each record, so the result is kept. */
  private Instant nextMuteChangeAfter(Instant time) {
    if (!muteChange.isAfter(time)) {
      muteChange = mutes.stream().map(mute -> mute.nextChangeAfter(time)).min(Instant::compareTo).orElseThrow();
    }
    return muteChange;
  }

  private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isBefore(one)) ? other : one;
  }

  /**
   * Activates the rules and silences that come into force at exactly this time. Returns the names of the rules that
   * were in force before with other conditions.
   */
  Set<String> activate(Instant time) {
    var before = rules.rules().stream().collect(Collectors.toMap(Rule::name, Function.identity()));
    Stream.of(ruleVersions, silenceVersions)
        .filter(versions -> time.equals(versions.nextFrom()))
        .forEach(ControlVersions::activateNext);
    parse();
    dropSkipped("", failure -> !isInForce(failure));
    return rules.rules().stream()
        .filter(rule -> !rule.hasConditionsOf(before.getOrDefault(rule.name(), rule)))
        .map(Rule::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Records that a rule failed on a key. Returns the number of keys on which the rule has failed within {@link
   * #FAILURE_PERIOD}, or 0 if the failure on this key was already recorded.
   */
  int skip(Rule rule, String key, Instant at) {
    var ofRule = rule.name() + PrefixedStore.SEPARATOR;
    dropSkipped(ofRule, failure -> failure.getAt().isBefore(at.minus(FAILURE_PERIOD)));
    var id = ofRule + Sha256.hex(key);
    var isKnown = skipped.get(id) != null;
    skipped.put(id, Watch.newBuilder().setName(rule.name()).setText(Long.toString(rule.version())).setAt(at).build());
    return isKnown ? 0 : skipped.keys(ofRule).size();
  }

  private void dropSkipped(String parts, Predicate<Watch> isOver) {
    skipped.forEach(parts, (id, failure) -> {
      if (isOver.test(failure)) {
        skipped.delete(id);
      }
    });
  }

  private boolean isInForce(Watch failure) {
    var rule = rule(failure.getName());
    return rule != null && Long.toString(rule.version()).equals(failure.getText());
  }

  /** Puts a rule out of force on this topic in this task, until another version of the rule comes into force. */
  void putOutOfForce(Watch failure) {
    failures.put(failure.getName(), failure);
    parse();
    dropSkipped("", skip -> !isInForce(skip));
  }

  boolean isEmpty() {
    return rules.rules().isEmpty();
  }

  RulesToEvaluate all() {
    return rules;
  }

  /** Returns the rules that a record may arm, or whose alert it may start, if exactly the given parts changed. */
  RulesToEvaluate startedBy(List<String> changedParts) {
    if (byChangedParts.size() > MOST_SETS_OF_PARTS) {
      byChangedParts.clear();
    }
    return byChangedParts.computeIfAbsent(changedParts, parts -> toEvaluate(rules.rules().stream()
        .filter(rule -> rule.first().changedParts().isEmpty()
            || !Collections.disjoint(rule.first().changedParts(), parts))
        .toList()));
  }

  private RulesToEvaluate toEvaluate(List<Rule> some) {
    var ofRules = some.stream().flatMap(rule -> rule.parts().stream());
    var ofHistory = history.keySet().stream().map(Vocabulary::partOf);
    return new RulesToEvaluate(some, Stream.concat(ofRules, ofHistory).collect(Collectors.toUnmodifiableSet()));
  }

  /** Returns the attributes whose history at least one rule needs, each with the length of the history. */
  Map<String, Duration> history() {
    return history;
  }

  /** Returns whether a rule reads values of the previous record of a key. */
  boolean readsPrevious() {
    return readsPrevious;
  }

  /** Returns the rules on alerts that read the alerts of this topic. Alerts of rules on alerts are read by none. */
  List<Rule> onAlerts() {
    return onAlerts;
  }

  /** Returns the rule with the given name, or null if no rule in force on this topic has that name. */
  @Nullable
  Rule rule(String name) {
    return rules.rules().stream().filter(rule -> rule.name().equals(name)).findFirst().orElse(null);
  }

  /** Returns the id of the silence, or the name of the mute, that mutes an alert at a time, or null if none does. */
  @Nullable
  String silence(Alert alert, Instant time) {
    var silenced = silences.stream()
        .filter(silence -> silence.mutes(alert.getRule(), alert.getSubject(), alert.getLabels(), time))
        .map(Silence::id);
    return Stream.concat(silenced, mutes.stream().filter(mute -> mute.mutes(alert, time)).map(Mute::name))
        .findFirst()
        .orElse(null);
  }

  private void parse() {
    var set = ruleSets.rules(ruleVersions.active);
    history = set.history(topic);
    mutes = set.mutes();
    muteChange = Instant.MIN;
    onAlerts = topic.equals(Rule.ALERTS) ? List.of() : set.on(Rule.ALERTS);
    rules = toEvaluate(set.on(topic).stream().filter(rule -> !hasFailed(rule)).toList());
    readsPrevious = rules.rules().stream().flatMap(Rule::allNames).anyMatch(vocabulary::isOfPrevious);
    byChangedParts.clear();
    silences = silenceVersions.active == null ? List.of() : RuleSetCache.silences(silenceVersions.active);
  }

  private boolean hasFailed(Rule rule) {
    var failure = failures.get(rule.name());
    return failure != null
        && RuleFailure.parse(Objects.requireNonNull(failure.getText())).version() == rule.version();
  }

  /**
   * The active version and the announced versions that are not active yet, either of the rules or of the silences.
   */
  private static final class ControlVersions {

    private static final String ACTIVE = "active" + PrefixedStore.SEPARATOR;
    private static final String ANNOUNCED = "announced" + PrefixedStore.SEPARATOR;

    private final String kind;
    private final PrefixedStore<Control> section;
    private final Deque<Control> announced = new ArrayDeque<>();
    private @Nullable Control active;

    /** Stored for each topic, because the rules on each topic change to a new version at a different record. */
    ControlVersions(KeyValueStore<String, byte[]> store, String kind, String topic, SchemaRegistry registry) {
      this.kind = kind;
      this.section = new PrefixedStore<>(store, kind, topic, Control.class, registry);
      this.active = section.get(ACTIVE);
      section.forEach(ANNOUNCED, (key, control) -> announced.add(control));
    }

    /** Does nothing if the record is of another kind or repeats the newest version. */
    void announce(Control control) {
      var newest = announced.isEmpty() ? active : announced.peekLast();
      if (control.getKind().equals(kind) && (newest == null || newest.getVersion() != control.getVersion())) {
        announced.add(control);
        section.put(key(control), control);
      }
    }

    /**
     * Returns the time at which the next version becomes active, or null if no version is announced. The very first
     * version becomes active without {@link #ACTIVATION_DELAY}.
     */
    private @Nullable Instant nextFrom() {
      var next = announced.peek();
      return next == null ? null : active == null ? next.getAt() : next.getAt().plus(ACTIVATION_DELAY);
    }

    void activateNext() {
      var next = announced.remove();
      section.delete(key(next));
      section.put(ACTIVE, next);
      active = next;
    }

    private static String key(Control control) {
      return ANNOUNCED + "%019d".formatted(control.getAt().toEpochMilli());
    }
  }
}
