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
import org.jspecify.annotations.Nullable;

/**
 * A compiled expression in the Common Expression Language, which is evaluated on records: a condition, or a value in a
 * template. Safe for use by several threads. Expressions with the same text are equal.
 *
 * <p>Example of a condition: {@code changed.price && price.base_token_price_usd > 15 && about.reserve_usd > 10000}. The
 * length and nesting of an expression, the size of its patterns, and the steps and values of its evaluation are
 * bounded, so that an expression from a stranger can do no harm.
 *
 * <p>A change may carry facets that did not change, with equal {@code before} and {@code after}. An example is a key
 * frame, which is a change with all facets of a resource. An expression can therefore read a value that did not change.
 */
public final class Expression {

  static final CelRuntime RUNTIME =
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
    /** There is no result, because a value on which the result depends is missing or cannot be used. */
    NO_DATA
  }

  /**
   * @param settings values of the settings, by their names in expressions
   * @param terms terms of the vocabulary whose values the expression reads, not only in {@code has} or history
   *     functions, by name
   * @param testedForPresence names in the expression's calls of {@code has}
   * @param historyCalls the expression's calls of history functions, by the variables that replaced them
   * @param changedParts as returned by {@link #changedParts}
   * @param checked the expression as CEL checked it
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
      throw new ExpressionException(1, 1, "the expression cannot be run: " + e.getMessage());
    }
  }

  /**
   * Compiles a condition without settings that is tested on single records, without the history of a resource.
   *
   * @throws ExpressionException if the text is not a condition, or needs earlier records; its message names the line,
   *     the column and, for an unknown name, the nearest valid name
   */
  public static Expression conditionOnOneRecord(String text, Vocabulary vocabulary) {
    var condition = new ExpressionCompiler(vocabulary, Map.of(), true).condition(text);
    if (!condition.history().isEmpty() || condition.names().stream().anyMatch(vocabulary::isOfPrevious)) {
      throw new ExpressionException(1, 1, "moved(), highest(), lowest(), average(), count(), the age() of an attribute"
          + " and 'before.' of records that are no changes need earlier records, and work only in alert rules");
    }
    return condition;
  }

  /**
   * Returns whether the length of the expression alone bounds the cost of an evaluation, because the expression has no
   * loop, no pattern, no call of {@code contains}, and no part that reads or makes a value of unbounded size.
   */
  public boolean hasFixedCost() {
    return costs.isFlat();
  }

  /**
   * Evaluates this condition on a record and the history of its resource.
   *
   * @throws IllegalArgumentException if the record's schema is not the schema of the vocabulary
   * @throws EvaluationFailure if the evaluation exceeds its budget or is nested too deep
   */
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

  /**
   * Returns the value of the expression on a record. Returns null if a value on which the result depends is missing, or
   * if there is no result, such as for a division of whole numbers by zero.
   *
   * @throws EvaluationFailure if the evaluation exceeds its budget or is nested too deep
   */
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
      throw new EvaluationFailure("the evaluation is nested too deep");
    }
  }

  private static void requireWithin(@Nullable EvaluationBudget budget) {
    if (budget != null && budget.isExceeded()) {
      throw new EvaluationFailure("its evaluation needs more than " + EvaluationBudget.LIMIT
          + " steps, and that is the budget for one record: shorten its loops, texts and patterns");
    }
  }

  /**
   * Returns the known values that the expression reads, except lists and maps. The key of a value is its name or, for
   * the result of a history function, the text of the call. Long texts are shortened.
   */
  public Map<String, String> evidence(EvaluatedRecord record) {
    var evidence = new LinkedHashMap<String, String>();
    terms.forEach((name, term) -> putScalar(evidence, name, record.value(term)));
    historyCalls.values().forEach(call -> putScalar(evidence, call.toString(), call.value(record)));
    return evidence;
  }

  private static void putScalar(Map<String, String> evidence, String name, @Nullable Object value) {
    if (value != null && !(value instanceof Map) && !(value instanceof Collection)) {
      evidence.put(name, value instanceof String text ? Template.bounded(text) : value.toString());
    }
  }

  /**
   * Returns the numeric attributes whose history the expression needs, each with the longest window in a call of a
   * history function. The window is zero if the expression needs only the time of the last change.
   */
  public SortedMap<String, Duration> history() {
    return AttributeHistory.longest(historyCalls.values().stream()
        .filter(HistoryCall::needsHistory)
        .map(call -> Map.of(call.term().name(), call.window())));
  }

  /** Returns the names of the vocabulary that the expression uses, also in {@code has} and history functions. */
  public Set<String> names() {
    var all = new TreeSet<>(terms.keySet());
    all.addAll(testedForPresence);
    historyCalls.values().forEach(call -> all.add(call.term().name()));
    return all;
  }

  /**
   * Returns the parts of a change, such as {@code price}, of which at least one must have changed for this condition to
   * hold. Returns an empty set if the condition may hold whichever part changed.
   */
  public Set<String> changedParts() {
    return changedParts;
  }

  /** Returns whether the expression's value can change as time passes, without a new record. */
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

  @Override
  public String toString() {
    return text;
  }
}
