package io.tidemark.rule.expression;

import dev.cel.common.types.SimpleType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/**
 * A yes or no question about a record, written in the Common Expression Language; safe for use by several threads.
 *
 * <p>Example: {@code changed.price && price.base_token_price_usd > 15 && about.reserve_usd > 10000}. Bounded in length,
 * nesting and work, so that one from a stranger can do no harm.
 *
 * <p>A record may carry facets that did not change, with equal {@code before} and {@code after}, as a frame does: so is
 * asked what is known of a resource and not only what changed.
 */
public final class Condition {

  private final Expression expression;

  Condition(Expression expression) {
    this.expression = expression;
  }

  /**
   * A condition over the records of a vocabulary, without settings.
   *
   * @throws ExpressionException where the text is no such condition: with line, column and the nearest right name
   */
  public static Condition compile(String text, Vocabulary vocabulary) {
    return new ExpressionCompiler(vocabulary, Map.of()).condition(text);
  }

  /**
   * What this condition says of a record, of whose past nothing is known.
   *
   * @throws IllegalArgumentException where the record is not of the vocabulary's schema
   */
  public Verdict test(SpecificRecord record) {
    return test(record, AttributeHistory.none(Instant.EPOCH));
  }

  /**
   * What this condition says of a record and its past.
   *
   * @throws IllegalArgumentException where the record is not of the vocabulary's schema
   */
  public Verdict test(SpecificRecord record, AttributeHistory past) {
    requireSchema(record);
    var answer = expression.value(record, past);
    return answer instanceof Boolean yes ? (yes ? Verdict.TRUE : Verdict.FALSE) : Verdict.NO_DATA;
  }

  /** The values it stands on, those that are known, by the text that names them: evidence of its verdict. */
  public Map<String, String> evidence(SpecificRecord record, AttributeHistory past) {
    return Wording.all(expression.evidence(record, past));
  }

  /** Figures whose past it asks for, each with the longest stretch; zero where only the time of change is asked. */
  public Map<String, Duration> history() {
    return History.of(expression);
  }

  /** Names of the vocabulary that it uses, also in history functions. */
  public Set<String> names() {
    var names = new TreeSet<>(expression.names());
    expression.historyCalls().values().forEach(recall -> names.add(recall.term().name()));
    return names;
  }

  /** Whether its verdict can change with time alone: it asks for the past or an age. */
  public boolean dependsOnTime() {
    return !expression.historyCalls().isEmpty();
  }

  /** The condition as it was written. */
  @Override
  public String toString() {
    return expression.text();
  }

  static boolean isCondition(Expression expression) {
    return expression.type().equals(SimpleType.BOOL);
  }

  private void requireSchema(SpecificRecord record) {
    var kind = record.getSchema().getFullName();
    var due = expression.vocabulary().schema().getFullName();
    if (!kind.equals(due)) {
      throw new IllegalArgumentException("a condition over " + due + " cannot be asked of " + kind);
    }
  }
}
