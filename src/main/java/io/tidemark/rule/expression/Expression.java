package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.runtime.CelAttribute;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelUnknownSet;
import dev.cel.runtime.CelVariableResolver;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A compiled expression over the records of a vocabulary, in the Common Expression Language: a condition, or a value
 * in a template. Safe for use by several threads. Expressions with the same text are equal.
 *
 * <p>Example of a condition: {@code changed.price && price.base_token_price_usd > 15 && about.reserve_usd > 10000}.
 * Length, nesting, patterns, steps and the size of values are bounded, so that an expression from a stranger can do
 * no harm.
 *
 * <p>A record such as a key frame may carry facets that did not change, with equal {@code before} and {@code after}.
 * An expression therefore reads everything that is known of a resource, not only what changed.
 */
public final class Expression {

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(ExpressionCompiler.OPTIONS)
          .setStandardFunctions(CelFunctions.STANDARD)
          .addFunctionBindings(CelFunctions.bindings())
          .build();
  private static final Object MISSING = CelUnknownSet.create(CelAttribute.EMPTY);

  private final String text;
  private final Schema schema;
  private final Map<String, Term> variables;
  private final Map<String, Object> settings;
  private final Map<String, Term> terms;
  private final Set<String> testedForPresence;
  private final Map<String, HistoryCall> historyCalls;
  private final Set<String> changedParts;
  private final CelRuntime.Program program;
  private final EvaluationBudget.Costs costs;

  /** The result of a condition. */
  public enum Verdict {
    TRUE,
    FALSE,
    /** A value that decides is missing, is not a number, or cannot be computed with. */
    NO_DATA
  }

  /**
   * Creates an expression that CEL has checked.
   *
   * @param terms the terms of the vocabulary that it uses
   * @param testedForPresence the names in its calls of {@code has}
   * @param historyCalls its calls of history functions, by the variables with which the compiler replaced them
   * @param changedParts the parts of a change of which at least one has changed if the expression holds
   * @param costs the parts that cost more than their operations
   */
  Expression(String text, Vocabulary vocabulary, Map<String, Object> settings, Map<String, Term> terms,
      Set<String> testedForPresence, Map<String, HistoryCall> historyCalls, Set<String> changedParts,
      CelAbstractSyntaxTree checked,
      EvaluationBudget.Costs costs) {
    this.text = text;
    this.schema = vocabulary.view().schema();
    this.variables = Map.copyOf(vocabulary.terms());
    this.settings = settings;
    this.terms = terms;
    this.testedForPresence = testedForPresence;
    this.historyCalls = historyCalls;
    this.changedParts = changedParts;
    this.costs = costs;
    try {
      this.program = RUNTIME.createProgram(checked);
    } catch (CelEvaluationException e) {
      throw new ExpressionException(1, 1, "cannot be run: " + e.getMessage());
    }
  }

  /**
   * Compiles a condition without settings.
   *
   * @throws ExpressionException if the text is not a condition; names line, column and the nearest valid name
   */
  public static Expression condition(String text, Vocabulary vocabulary) {
    return new ExpressionCompiler(vocabulary, Map.of(), true).condition(text);
  }

  /**
   * Returns whether the cost is that of the operations alone, because there is no loop, pattern or text of any length.
   */
  public boolean hasFixedCost() {
    return costs.isFlat();
  }

  /**
   * Evaluates this condition on a record and the history of its resource.
   *
   * @throws IllegalArgumentException if the record is not of the vocabulary's schema
   * @throws EvaluationFailure if the evaluation exceeds its budget or ends in an error of the program
   */
  public Verdict test(SpecificRecord record, AttributeHistory history) {
    return test(new EvaluatedRecord(record, history));
  }

  /** Evaluates this condition like {@link #test(SpecificRecord, AttributeHistory)}. */
  public Verdict test(EvaluatedRecord evaluated) {
    var record = evaluated.record();
    if (!record.getSchema().getFullName().equals(schema.getFullName())) {
      throw new IllegalArgumentException(
          "a condition over " + schema.getFullName() + " cannot be evaluated on " + record.getSchema().getFullName());
    }
    return switch (value(evaluated)) {
      case Boolean holds -> holds ? Verdict.TRUE : Verdict.FALSE;
      case null, default -> Verdict.NO_DATA;
    };
  }

  /** Returns the value, or null if a value that decides is missing or there is no result, as for a division by zero. */
  @Nullable
  Object value(EvaluatedRecord record) {
    var budget = costs.isFlat() ? null : costs.newBudget();
    try {
      CelVariableResolver values = name -> Optional.ofNullable(resolve(name, record));
      var value = budget == null ? program.eval(values) : program.trace(values, budget);
      requireWithin(budget);
      return value instanceof CelUnknownSet ? null : value;
    } catch (CelEvaluationException e) {
      requireWithin(budget);
      return null;
    } catch (StackOverflowError e) {
      throw new EvaluationFailure("the evaluation is nested too deep", e);
    }
  }

  private static void requireWithin(@Nullable EvaluationBudget budget) {
    if (budget != null && budget.isExceeded()) {
      throw new EvaluationFailure("its evaluation needs more than " + EvaluationBudget.LIMIT
          + " steps, and that is the budget for one record: shorten its loops, texts and patterns");
    }
  }

  /** Returns the known single values that the expression reads, by the text that names them. Texts are bounded. */
  public Map<String, String> evidence(SpecificRecord record, AttributeHistory history) {
    var evidence = new LinkedHashMap<String, String>();
    var evaluated = new EvaluatedRecord(record, history);
    terms.forEach((name, term) -> putScalar(evidence, name, evaluated.value(term)));
    historyCalls.values().forEach(call -> putScalar(evidence, call.toString(), call.value(evaluated)));
    return evidence;
  }

  private static void putScalar(Map<String, String> evidence, String name, @Nullable Object value) {
    if (value != null && !(value instanceof Map) && !(value instanceof Collection)) {
      evidence.put(name, value instanceof String text ? Template.bounded(text) : value.toString());
    }
  }

  /**
   * Returns the figures whose history the expression needs, each with the longest window, which is zero if only the
   * last change counts.
   */
  public SortedMap<String, Duration> history() {
    return AttributeHistory.longest(historyCalls.values().stream()
        .filter(HistoryCall::needsHistory)
        .map(call -> Map.of(call.term().name(), call.window())));
  }

  /** Returns the names of the vocabulary that the expression uses, including those in history functions. */
  public Set<String> names() {
    var all = new TreeSet<>(terms.keySet());
    all.addAll(testedForPresence);
    historyCalls.values().forEach(call -> all.add(call.term().name()));
    return all;
  }

  /**
   * Returns the parts of a change, such as {@code price}, of which at least one has changed if this condition holds.
   * Returns an empty set if it may hold whatever changed.
   */
  public Set<String> changedParts() {
    return changedParts;
  }

  /** Returns whether the value can change as time passes, without a record. */
  public boolean dependsOnTime() {
    return !historyCalls.isEmpty();
  }

  private @Nullable Object resolve(String name, EvaluatedRecord record) {
    var term = variables.get(name);
    if (term != null) {
      return orMissing(record.value(term));
    }
    var call = historyCalls.get(name);
    if (call != null) {
      return orMissing(call.value(record));
    }
    if (name.startsWith(ExpressionCompiler.SETTINGS)) {
      return settings.get(name.substring(ExpressionCompiler.SETTINGS.length()));
    }
    return name.startsWith(ExpressionCompiler.KNOWN)
        ? isKnown(variables.get(name.substring(ExpressionCompiler.KNOWN.length())), record)
        : null;
  }

  private static boolean isKnown(@Nullable Term term, EvaluatedRecord record) {
    return term != null && record.value(term) != null;
  }

  private static Object orMissing(@Nullable Object value) {
    return value == null ? MISSING : value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Expression expression && expression.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Returns the expression as it was written. */
  @Override
  public String toString() {
    return text;
  }
}
