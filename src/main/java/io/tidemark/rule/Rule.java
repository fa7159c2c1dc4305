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
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * An alerting rule as data: the records it evaluates, its condition, and the texts of its alerts.
 *
 * <p>Records of a baseline ({@code origin.baseline}) fire no rule.
 *
 * @param on name of the topic whose records the rule evaluates, without prefix
 * @param after condition that arms an event rule for a resource, together with {@code within}; null if the rule is
 *     always armed
 * @param within how long a resource stays armed; zero if {@code after} is null
 * @param resolveWhen condition that ends a firing alert of a condition rule; null if it ends when {@code when} no
 *     longer holds
 * @param holdFor {@code for}: how long a condition holds before its alert fires
 * @param keepFiringFor how long an alert fires after its condition last held
 * @param noDataFor how long the last result counts while a condition has no data
 * @param once names whose values form the fingerprint, with one alert for each; the record's key if empty
 * @param cooldown how long an event rule does not publish the same alert again; zero to publish it each time
 * @param digestAfterGap an event rule's alerts on records observed after a longer gap than this become one digest;
 *     zero for never
 * @param settings resolved settings by their names in expressions; numbers are doubles
 * @param annotations texts of the alert, among them {@code summary}, one line for people
 * @param version version of the rule set in which the rule's content last changed
 */
public record Rule(
    String name,
    String on,
    Kind kind,
    Expression when,
    @Nullable Expression after,
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

  /** The cause of an alert: one record, or a condition with a beginning and an end. */
  public enum Kind {
    EVENT,
    CONDITION;

    /** Returns the kind as files and alerts write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the figures whose history the rule needs, each with the longest window. */
  public SortedMap<String, Duration> history() {
    var conditions = conditions().map(Expression::history);
    var templates = Stream.of(labels, annotations).flatMap(each -> each.values().stream()).map(Template::history);
    return AttributeHistory.longest(Stream.concat(conditions, templates));
  }

  /** Returns the names of the vocabulary that the rule's conditions use. Names that only its texts use are left out. */
  public Set<String> names() {
    var names = new TreeSet<String>();
    conditions().forEach(condition -> names.addAll(condition.names()));
    return names;
  }

  /**
   * Returns the parts of a record, as in {@link Vocabulary#partOf}, that the rule's conditions, {@code once} and
   * texts read.
   */
  public Set<String> parts() {
    var texts = Stream.of(labels, annotations).flatMap(each -> each.values().stream()).map(Template::names);
    return Stream.concat(Stream.of(names(), once), texts)
        .flatMap(Collection::stream)
        .map(Vocabulary::partOf)
        .collect(Collectors.toSet());
  }

  /** Returns whether the condition holds, which depends on whether its alert is firing. */
  public Verdict test(SpecificRecord record, AttributeHistory history, boolean firing) {
    var evaluated = new EvaluatedRecord(record, history);
    return holds(when.test(evaluated), evaluated, firing);
  }

  /**
   * Returns whether the condition holds. If its alert is firing, it holds until {@code resolve_when} does.
   *
   * @param verdict verdict of {@code when}
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

  /**
   * Returns the parts of a change of which at least one must have changed for the rule to start an alert or be armed.
   * Returns an empty set if it may do so without such a change.
   */
  public Set<String> changedParts() {
    return (after == null ? when : after).changedParts();
  }

  /** Returns whether the rule's verdict can change as time passes, without a record. */
  public boolean dependsOnTime() {
    return when.dependsOnTime() || (resolveWhen != null && resolveWhen.dependsOnTime());
  }

  private Stream<Expression> conditions() {
    return Stream.of(when, after, resolveWhen).filter(Objects::nonNull);
  }

  public Map<String, String> labels(SpecificRecord record, AttributeHistory history) {
    return Template.fillAll(labels, record, history);
  }

  public Map<String, String> annotations(SpecificRecord record, AttributeHistory history) {
    return Template.fillAll(annotations, record, history);
  }

  /** Returns the same rule with another version. */
  Rule withVersion(long other) {
    return new Rule(name, on, kind, when, after, within, resolveWhen, holdFor, keepFiringFor, noDataFor, once, cooldown,
        digestAfterGap, settings, severity, labels, annotations, other);
  }

  /** Returns whether both rules make the same alerts, because they are equal except for their versions. */
  boolean hasSameContent(@Nullable Rule other) {
    return other != null && other.withVersion(version).equals(this);
  }
}
