package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelAttribute;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelUnknownSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A compiled expression over the records of a vocabulary, its settings and its past.
 *
 * @param names those of the vocabulary that it uses
 * @param historyCalls its uses of history functions, by the variables that stand for them
 */
public record Expression(
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
          .addFunctionBindings(CelFunctions.bound())
          .build();
  private static final Object MISSING = CelUnknownSet.create(CelAttribute.EMPTY);

  static CelRuntime.Program program(CelAbstractSyntaxTree checked) {
    try {
      return RUNTIME.createProgram(checked);
    } catch (CelEvaluationException e) {
      throw new ExpressionException(1, 1, "cannot be run: " + e.getMessage());
    }
  }

  /** Null where a value that decides is missing, where keys are, where a division is by zero, where work is endless. */
  @Nullable
  Object value(IndexedRecord record, AttributeHistory past) {
    try {
      var answer = program.eval(name -> Optional.ofNullable(resolve(name, record, past)));
      return answer instanceof CelUnknownSet ? null : answer;
    } catch (CelEvaluationException e) {
      return null;
    }
  }

  /** What it stands on: the values it reads, those that are known, by the text that names them. */
  Map<String, Object> evidence(IndexedRecord record, AttributeHistory past) {
    var grounds = new LinkedHashMap<String, Object>();
    for (var name : names) {
      var term = vocabulary.term(name);
      putScalar(grounds, name, term == null ? null : term.accessor().in(record));
    }
    historyCalls.values().forEach(recall -> putScalar(grounds, recall.toString(), recall.value(record, past)));
    return grounds;
  }

  private static void putScalar(Map<String, Object> grounds, String name, @Nullable Object value) {
    if (value != null && !(value instanceof Map) && !(value instanceof Collection)) {
      grounds.put(name, value);
    }
  }

  private @Nullable Object resolve(String name, IndexedRecord record, AttributeHistory past) {
    var recall = historyCalls.get(name);
    if (recall != null) {
      return known(recall.value(record, past));
    }
    if (name.startsWith(ExpressionCompiler.SETTINGS)) {
      return settings.get(name.substring(ExpressionCompiler.SETTINGS.length()));
    }
    var asksWhetherKnown = name.startsWith(ExpressionCompiler.KNOWN);
    var term = vocabulary.terms().get(asksWhetherKnown ? name.substring(ExpressionCompiler.KNOWN.length()) : name);
    var value = term == null ? null : term.accessor().in(record);
    if (asksWhetherKnown) {
      return value != null;
    }
    return term == null ? null : known(value);
  }

  private static Object known(@Nullable Object value) {
    return value == null ? MISSING : value;
  }
}
