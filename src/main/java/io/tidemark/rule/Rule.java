package io.tidemark.rule;

import io.tidemark.rule.expression.AttributeHistory;
import io.tidemark.rule.expression.EvaluatedRecord;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.Expression.Verdict;
import io.tidemark.rule.expression.Template;
import io.tidemark.rule.expression.Vocabulary;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An alerting rule as data: the topic whose records are evaluated, the conditions, and the texts of the alerts.
 *
 * <p>A rule on {@link #ALERTS} reads the alerts of the rules on other topics, in groups with equal values of {@code
 * once}. It is always an event rule.
 *
 * <p>Records with {@code origin.baseline} set neither arm a rule nor start an alert. They can end an open alert of a
 * condition rule.
 *
 * @param on name of the topic whose records the rule evaluates, without prefix
 * @param after condition that arms an event rule for one fingerprint; null if the rule is always armed
 * @param times number of records that must meet {@code when} within {@code within} before an event rule fires; 1 if
 *     each such record fires it
 * @param within longest time for which the rule stays armed after {@code after} last held; firing disarms it earlier.
 *     With {@code times}, the time within which the records are counted. Zero if the rule has neither
 * @param resolveWhen condition that ends a firing alert of a condition rule while {@code when} does not hold; null if
 *     the alert ends when {@code when} no longer holds
 * @param holdFor time for which a condition must hold before its alert fires; the key {@code for} of a file
 * @param keepFiringFor time for which an alert keeps firing after the first evaluation in which its condition no longer
 *     held
 * @param noDataFor time for which an alert stays pending or firing while its condition has no data; the alert is then
 *     resolved
 * @param once names whose values form an alert's fingerprint, together with the rule's name and the record's key
 * @param cooldown time after firing for which an event rule does not fire again for the same fingerprint; zero to
 *     publish every alert
 * @param digestAfterGap longest gap between two observations of a target after which each alert of an event rule still
 *     gets its own notification. Alerts after a longer gap are marked, and notified in one digest. Zero for no digests.
 * @param settings resolved values of the settings, by their names in expressions without {@code settings.}; numbers are
 *     doubles
 * @param annotations texts of the alert by name, including {@code summary}, a line for people
 * @param version version of the rule set in which the rule's content last changed
 */
public record Rule(
    String name,
    String on,
    Kind kind,
    Expression when,
    @Nullable Expression after,
    int times,
    Duration within,
    @Nullable Expression resolveWhen,
    Duration holdFor,
    Duration keepFiringFor,
    Duration noDataFor,
    List<String> once,
    Duration cooldown,
    Duration digestAfterGap,
    Map<String, Object> settings,
    String severity,
    Map<String, Template> labels,
    Map<String, Template> annotations,
    long version) {

  /** Name, without prefix, of the topic of alerts. */
  public static final String ALERTS = "alerts";

  /**
   * The kind of a rule: each of its alerts is caused by one record (which follows an arming record if the rule has
   * {@code after}), or by a condition that begins and ends.
   */
  public enum Kind {
    EVENT,
    CONDITION;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Returns the numeric attributes whose history the rule needs, each with the longest window over which the rule reads
   * the attribute.
   */
  public SortedMap<String, Duration> history() {
    var conditions = conditions().map(Expression::history);
    var templates = Stream.of(labels, annotations).flatMap(each -> each.values().stream()).map(Template::history);
    return AttributeHistory.longest(Stream.concat(conditions, templates));
  }

  /**
   * Returns the names of the vocabulary that the rule's conditions use. Omits names that only labels or annotations
   * use.
   */
  public Set<String> names() {
    var names = new TreeSet<String>();
    conditions().forEach(condition -> names.addAll(condition.names()));
    return names;
  }

  /**
   * Returns the parts of a record that the rule reads in its conditions, {@code once}, labels and annotations. A part
   * is the first segment of a name, such as {@code price}, as returned by {@link Vocabulary#partOf}.
   */
  public Set<String> parts() {
    return allNames().map(Vocabulary::partOf).collect(Collectors.toSet());
  }

  /** Returns all names that the rule uses, in its conditions, {@code once}, labels and annotations. */
  public Stream<String> allNames() {
    var texts = Stream.of(labels, annotations).flatMap(each -> each.values().stream()).map(Template::names);
    return Stream.concat(Stream.of(names(), once), texts).flatMap(Collection::stream);
  }

  /**
   * Returns whether the rule's condition holds. It holds if {@code when} holds. If the rule has {@code resolve_when}
   * and its alert is firing, the condition also holds if {@code resolve_when} is false, and has no data if {@code
   * resolve_when} has none. Otherwise, returns the verdict of {@code when}.
   *
   * @param verdict verdict of {@code when}
   * @param firing whether the rule's alert is firing
   */
  public Verdict holds(Verdict verdict, EvaluatedRecord record, boolean firing) {
    if (!firing || resolveWhen == null || verdict == Verdict.TRUE) {
      return verdict;
    }
    return switch (resolveWhen.test(record)) {
      case TRUE -> Verdict.FALSE;
      case FALSE -> Verdict.TRUE;
      case NO_DATA -> Verdict.NO_DATA;
    };
  }

  /** Returns the condition that starts an alert of an event rule, or arms the rule. */
  public Expression first() {
    return after == null ? when : after;
  }

  /** Returns whether an event rule needs an arming record, or several records, before it fires. */
  public boolean isArmed() {
    return after != null || times > 1;
  }

  /** Returns whether the rule is armed by the same records as another version of it, and fires on the same ones. */
  public boolean hasConditionsOf(Rule other) {
    return when.equals(other.when) && Objects.equals(after, other.after) && times == other.times
        && settings.equals(other.settings);
  }

  /** Returns whether the rule's verdict can change as time passes, without a new record. */
  public boolean dependsOnTime() {
    return when.dependsOnTime() || (resolveWhen != null && resolveWhen.dependsOnTime());
  }

  private Stream<Expression> conditions() {
    return Stream.of(when, after, resolveWhen).filter(Objects::nonNull);
  }

  Rule withVersion(long other) {
    return new Rule(name, on, kind, when, after, times, within, resolveWhen, holdFor, keepFiringFor, noDataFor, once,
        cooldown, digestAfterGap, settings, severity, labels, annotations, other);
  }
}
