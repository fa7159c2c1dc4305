package io.tidemark.rule.expression;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A boolean expression over records, in the Common Expression Language. Safe for use by several threads; equal to
 * another of the same text.
 *
 * <p>Example: {@code changed.price && price.base_token_price_usd > 15 && about.reserve_usd > 10000}. Length, nesting and
 * work are bounded, so that a condition from a stranger can do no harm.
 *
 * <p>A record may carry facets that did not change, with equal {@code before} and {@code after}, as a key frame does: a
 * condition reads what is known of a resource, not only what changed.
 */
public final class Condition {

  private final Expression expression;

  /** What a condition evaluates to. */
  public enum Verdict {
    TRUE,
    FALSE,
    /** A value that decides is missing, is no number, or cannot be computed with. */
    NO_DATA
  }

  Condition(Expression expression) {
    this.expression = expression;
  }

  /**
   * Compiles a condition without settings.
   *
   * @throws ExpressionException if the text is no condition; names line, column and the nearest right name
   */
  public static Condition compile(String text, Vocabulary vocabulary) {
    return new ExpressionCompiler(vocabulary, Map.of()).condition(text);
  }

  /**
   * Evaluates this condition on a record without history.
   *
   * @throws IllegalArgumentException if the record is not of the vocabulary's schema
   */
  public Verdict test(SpecificRecord record) {
    return test(record, AttributeHistory.none(Instant.EPOCH));
  }

  /**
   * Evaluates this condition on a record and the history of its resource.
   *
   * @throws IllegalArgumentException if the record is not of the vocabulary's schema
   */
  public Verdict test(SpecificRecord record, AttributeHistory history) {
    requireSchema(record);
    return switch (expression.value(record, history)) {
      case Boolean holds -> holds ? Verdict.TRUE : Verdict.FALSE;
      case null, default -> Verdict.NO_DATA;
    };
  }

  /** The values that this condition reads, those that are known, by the text that names them. */
  public Map<String, String> evidence(SpecificRecord record, AttributeHistory history) {
    return ValueFormat.exact(expression.evidence(record, history));
  }

  /** The figures whose history it needs, each with the longest window; zero where only the last change counts. */
  public SortedMap<String, Duration> history() {
    return expression.history();
  }

  /** The names of the vocabulary that it uses, also in history functions. */
  public Set<String> names() {
    var names = new TreeSet<>(expression.names());
    expression.historyCalls().values().forEach(call -> names.add(call.term().name()));
    return names;
  }

  /** Whether its verdict can change as time passes, without a record. */
  public boolean dependsOnTime() {
    return !expression.historyCalls().isEmpty();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Condition condition && condition.toString().equals(toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  /** The condition as it was written. */
  @Override
  public String toString() {
    return expression.text();
  }

  private void requireSchema(SpecificRecord record) {
    var actual = record.getSchema().getFullName();
    var expected = expression.vocabulary().view().schema().getFullName();
    if (!actual.equals(expected)) {
      throw new IllegalArgumentException("a condition over " + expected + " cannot be evaluated on " + actual);
    }
  }
}
