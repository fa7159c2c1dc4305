package io.tidemark.rule;

import io.tidemark.rule.expression.AttributeHistory;
import io.tidemark.rule.expression.Condition;
import io.tidemark.rule.expression.Expression;
import io.tidemark.rule.expression.History;
import io.tidemark.rule.expression.Template;
import io.tidemark.rule.file.RuleFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Something that someone should know, as data: which records are looked at, what must hold, and what is said then.
 *
 * <p>Records of a baseline ({@code origin.baseline}) fire no rule.
 *
 * @param on name of the one topic it is on, without prefix
 * @param after of an event: the record that arms it for a resource, together with {@code within}; null: always armed
 * @param within how long a resource stays armed; zero where {@code after} is null
 * @param holdFor {@code for}: how long a condition must hold before it fires
 * @param keepFiringFor how long a condition fires on after it held last
 * @param noDataFor how long a condition may be without data before what it said last counts no more
 * @param once names whose values, one trouble each, make the fingerprint; empty: the record's key
 * @param cooldown of an event: how long the same trouble is not told again; zero: each time
 * @param digestAfterGap of an event: records that follow upon a gap in the looks longer than this are told in one
 *     digest; zero: never
 * @param settings resolved: numbers are doubles; their names are those of expressions
 * @param annotations with {@code summary}, one line for people
 * @param version of the rule set in which its content last changed
 */
public record Rule(
    String name,
    String on,
    Kind kind,
    Condition when,
    @Nullable Condition after,
    Duration within,
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

  /** What its firing is: one record, or something that begins and ends. */
  public enum Kind {
    event,
    condition
  }

  /** Figures that must be remembered for it, each with the longest stretch that is asked of it. */
  public SortedMap<String, Duration> history() {
    var conditions = Stream.of(when.history(), after == null ? Map.<String, Duration>of() : after.history());
    return History.together(Stream.concat(conditions, expressions().map(History::of)));
  }

  /** Names of the vocabulary that decide: those of its conditions, not those of its texts. */
  public Set<String> names() {
    var names = new TreeSet<>(when.names());
    if (after != null) {
      names.addAll(after.names());
    }
    return names;
  }

  /** Its settings as a rule file writes them. */
  public Map<String, Object> writtenSettings() {
    return RuleFormat.written(settings);
  }

  /** Its labels for a record. */
  public Map<String, String> labels(SpecificRecord record, AttributeHistory past) {
    return Template.filled(labels, record, past);
  }

  /** Its annotations for a record. */
  public Map<String, String> annotations(SpecificRecord record, AttributeHistory past) {
    return Template.filled(annotations, record, past);
  }

  /** The same rule, of a version. */
  Rule version(long other) {
    return new Rule(name, on, kind, when, after, within, holdFor, keepFiringFor, noDataFor, once, cooldown,
        digestAfterGap, settings, severity, labels, annotations, other);
  }

  private Stream<Expression> expressions() {
    return Stream.concat(labels.values().stream(), annotations.values().stream()).flatMap(Template::expressions);
  }
}
