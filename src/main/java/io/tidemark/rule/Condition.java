package io.tidemark.rule;

import dev.cel.runtime.CelAttribute;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelUnknownSet;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A yes or no question about a record, written in the Common Expression Language; safe for use by several threads.
 *
 * <p>Example: {@code changed.price && price.base_token_price_usd > 15 && about.reserve_usd > 10000}. Bounded in length,
 * nesting and work, so that one from a stranger can do no harm.
 */
public final class Condition {

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder().setOptions(Language.OPTIONS).build();
  private static final Object MISSING = CelUnknownSet.create(CelAttribute.EMPTY);

  private final String text;
  private final Vocabulary vocabulary;
  private final CelRuntime.Program program;

  private Condition(String text, Vocabulary vocabulary, CelRuntime.Program program) {
    this.text = text;
    this.vocabulary = vocabulary;
    this.program = program;
  }

  /**
   * A condition over the records of a vocabulary.
   *
   * @throws ConditionException where the text is no such condition: with line, column and the nearest right name
   */
  public static Condition compile(String text, Vocabulary vocabulary) {
    var checked = new Language(vocabulary).check(text);
    try {
      return new Condition(text, vocabulary, RUNTIME.createProgram(checked));
    } catch (CelEvaluationException e) {
      throw new ConditionException(1, 1, "cannot be run: " + e.getMessage());
    }
  }

  /**
   * What this condition says of a record.
   *
   * @throws IllegalArgumentException where the record is not of the vocabulary's schema
   */
  public Verdict test(SpecificRecord record) {
    requireKind(record);
    try {
      var answer = program.eval(name -> Optional.ofNullable(find(name, record)));
      return answer instanceof Boolean yes ? (yes ? Verdict.TRUE : Verdict.FALSE) : Verdict.NO_DATA;
    } catch (CelEvaluationException e) {
      return Verdict.NO_DATA; // a missing key, a division by zero, too much work: nothing can be said
    }
  }

  /** The condition as it was written. */
  @Override
  public String toString() {
    return text;
  }

  private @Nullable Object find(String name, SpecificRecord record) {
    var asksWhetherKnown = name.startsWith(Language.KNOWN);
    var term = vocabulary.terms().get(asksWhetherKnown ? name.substring(Language.KNOWN.length()) : name);
    var value = term == null ? null : term.place().in(record);
    if (asksWhetherKnown) {
      return value != null;
    }
    return term != null && value == null ? MISSING : value;
  }

  private void requireKind(SpecificRecord record) {
    var kind = record.getSchema().getFullName();
    if (!kind.equals(vocabulary.schema().getFullName())) {
      throw new IllegalArgumentException(
          "a condition over " + vocabulary.schema().getFullName() + " cannot be asked of " + kind);
    }
  }
}
