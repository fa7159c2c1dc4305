package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelAttribute;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelUnknownSet;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A compiled expression over the records of a vocabulary, its settings and the history of its attributes.
 *
 * @param names the names of the vocabulary that it uses
 * @param historyCalls its calls of history functions, by the variables that the compiler put in their place
 */
record Expression(
    String text,
    Vocabulary vocabulary,
    Map<String, Object> settings,
    CelType type,
    Set<String> names,
    Map<String, HistoryCall> historyCalls,
    CelRuntime.Program program) {

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(ExpressionCompiler.OPTIONS)
          .addFunctionBindings(CelFunctions.bindings())
          .build();
  private static final Object MISSING = CelUnknownSet.create(CelAttribute.EMPTY);

  static CelRuntime.Program program(CelAbstractSyntaxTree checked) {
    try {
      return RUNTIME.createProgram(checked);
    } catch (CelEvaluationException e) {
      throw new ExpressionException(1, 1, "cannot be run: " + e.getMessage());
    }
  }

  /** Null where a value that decides is missing, a division is by zero, or the limit of iterations is reached. */
  @Nullable
  Object value(IndexedRecord record, AttributeHistory history) {
    try {
      var value = program.eval(name -> Optional.ofNullable(resolve(name, record, history)));
      return value instanceof CelUnknownSet ? null : value;
    } catch (CelEvaluationException e) {
      return null;
    }
  }

  /** The single values that it reads, those that are known, by the text that names them. */
  Map<String, Object> evidence(IndexedRecord record, AttributeHistory history) {
    var evidence = new LinkedHashMap<String, Object>();
    names.forEach(name -> putScalar(evidence, name, vocabulary.value(name, record)));
    historyCalls.values().forEach(call -> putScalar(evidence, call.toString(), call.value(record, history)));
    return evidence;
  }

  /** The figures whose history it needs, each with the longest window. */
  SortedMap<String, Duration> history() {
    return AttributeHistory.longest(historyCalls.values().stream()
        .filter(HistoryCall::needsHistory)
        .map(call -> Map.of(call.term().name(), call.window())));
  }

  private static void putScalar(Map<String, Object> evidence, String name, @Nullable Object value) {
    if (value != null && !(value instanceof Map) && !(value instanceof Collection)) {
      evidence.put(name, value);
    }
  }

  private @Nullable Object resolve(String name, IndexedRecord record, AttributeHistory history) {
    var call = historyCalls.get(name);
    if (call != null) {
      return orMissing(call.value(record, history));
    }
    if (name.startsWith(ExpressionCompiler.SETTINGS)) {
      return settings.get(name.substring(ExpressionCompiler.SETTINGS.length()));
    }
    if (name.startsWith(ExpressionCompiler.KNOWN)) {
      return value(name.substring(ExpressionCompiler.KNOWN.length()), record) != null;
    }
    return vocabulary.terms().containsKey(name) ? orMissing(value(name, record)) : null;
  }

  private @Nullable Object value(String name, IndexedRecord record) {
    var term = vocabulary.terms().get(name);
    return term == null ? null : term.accessor().in(record);
  }

  private static Object orMissing(@Nullable Object value) {
    return value == null ? MISSING : value;
  }
}
