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
 * An alerting rule, as data: which records it evaluates, the condition, and the texts of its alerts.
 *
 * <p>Records of a baseline ({@code origin.baseline}) fire no rule.
 *
 * @param on name of the topic whose records it evaluates, without prefix
 * @param after of an event: the condition that arms the rule for a resource, together with {@code within}; null: always
 *     armed
 * @param within how long a resource stays armed; zero where {@code after} is null
 * @param resolveWhen of a condition: what ends a firing alert; null: that {@code when} does not hold any more
 * @param holdFor {@code for}: how long a condition holds before its alert fires
 * @param keepFiringFor how long an alert fires after its condition last held
 * @param noDataFor how long the last result counts while a condition has no data
 * @param once names whose values, one alert each, make the fingerprint; empty: the record's key
 * @param cooldown of an event: how long the same alert is not published again; zero: each time
 * @param digestAfterGap of an event: alerts on records that were observed after a longer gap than this become one
 *     digest; zero: never
 * @param settings resolved: numbers are doubles; their names are those of expressions
 * @param annotations with {@code summary}, one line for people
 * @param version of the rule set in which its content last changed
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

  /** What makes an alert: one record, or a condition with a beginning and an end. */
  public enum Kind {
    EVENT,
    CONDITION;

    /** As files and alerts write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The figures whose history it needs, each with the longest window. */
  public SortedMap<String, Duration> history() {
    var conditions = conditions().map(Expression::history);
    var templates = Stream.of(labels, annotations).flatMap(each -> each.values().stream()).map(Template::history);
    return AttributeHistory.longest(Stream.concat(conditions, templates));
  }

  /** The names of the vocabulary that its conditions use; those of its texts are left out. */
  public Set<String> names() {
    var names = new TreeSet<String>();
    conditions().forEach(condition -> names.addAll(condition.names()));
    return names;
  }

  /** The parts of a record, as in {@link Vocabulary#partOf}, that its conditions, {@code once} and texts read. */
  public Set<String> parts() {
    var texts = Stream.of(labels, annotations).flatMap(each -> each.values().stream()).map(Template::names);
    return Stream.concat(Stream.of(names(), once), texts)
        .flatMap(Collection::stream)
        .map(Vocabulary::partOf)
        .collect(Collectors.toSet());
  }

  /** Whether the condition holds, where its alert is firing or not. */
  public Verdict test(SpecificRecord record, AttributeHistory history, boolean firing) {
    var evaluated = new EvaluatedRecord(record, history);
    return holds(when.test(evaluated), evaluated, firing);
  }

  /**
   * Whether the condition holds, where its alert is firing or not: a firing one holds until {@code resolve_when} does.
   *
   * @param verdict of {@code when}
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
   * The parts of a change of which at least one has changed where it starts an alert, or arms; empty where that may be
   * none.
   */
  public Set<String> changedParts() {
    return (after == null ? when : after).changedParts();
  }

  /** Whether its verdict can change as time passes, without a record. */
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

  /** The same rule with another version. */
  Rule withVersion(long other) {
    return new Rule(name, on, kind, when, after, within, resolveWhen, holdFor, keepFiringFor, noDataFor, once, cooldown,
        digestAfterGap, settings, severity, labels, annotations, other);
  }

  /** Whether both make the same alerts: all but their versions is equal. */
  boolean hasSameContent(@Nullable Rule other) {
    return other != null && other.withVersion(version).equals(this);
  }
}
