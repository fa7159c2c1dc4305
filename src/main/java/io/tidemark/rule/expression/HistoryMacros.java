package io.tidemark.rule.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import io.tidemark.yaml.DurationFormat;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The history functions of expressions. Each use becomes a variable of its own, so that it is known what some expression
 * asks for, and no more is remembered.
 */
final class HistoryMacros {

  static final Duration LONGEST = Duration.ofHours(24);

  /** Different uses in one expression. */
  private static final int MOST = 32;

  private final Vocabulary vocabulary;
  private final Map<String, Object> settings;
  private Map<String, HistoryCall> calls = new LinkedHashMap<>();

  HistoryMacros(Vocabulary vocabulary, Map<String, Object> settings) {
    this.vocabulary = vocabulary;
    this.settings = settings;
  }

  /** A new expression: nothing is found in it yet. */
  void reset() {
    calls = new LinkedHashMap<>();
  }

  /** All variables there may be, with their types. */
  static Map<String, CelType> variables() {
    var variables = new LinkedHashMap<String, CelType>();
    Stream.of(HistoryCall.HistoryFunction.values()).map(HistoryCall.HistoryFunction::type).distinct()
        .forEach(type -> IntStream.range(0, MOST).forEach(number -> variables.put(variable(type, number), type)));
    return variables;
  }

  /** Those of the newest expression, by the variables that stand for them. */
  Map<String, HistoryCall> calls() {
    return calls;
  }

  @SuppressWarnings("Immutable") // a language is of one thread
  List<CelMacro> macros() {
    return Stream.of(HistoryCall.HistoryFunction.values())
        .map(function -> CelMacro.newGlobalVarArgMacro(
            function.name(), (factory, target, arguments) -> Optional.of(use(function, factory, arguments))))
        .toList();
  }

  private CelExpr use(HistoryCall.HistoryFunction function, CelMacroExprFactory factory, List<CelExpr> arguments) {
    try {
      return factory.newIdentifier(variable(recall(function, arguments)));
    } catch (IllegalArgumentException e) {
      return factory.reportError(String.valueOf(e.getMessage()));
    }
  }

  /** The one that stands for it already, or a new one. */
  private String variable(HistoryCall recall) {
    for (var before : calls.entrySet()) {
      if (before.getValue().toString().equals(recall.toString())) {
        return before.getKey();
      }
    }
    if (calls.size() == MOST) {
      throw new IllegalArgumentException("at most " + MOST + " different uses of history functions in one expression");
    }
    var variable = variable(recall.function().type(), calls.size());
    calls.put(variable, recall);
    return variable;
  }

  private static String variable(CelType type, int number) {
    return ExpressionCompiler.PAST + TypeWord.of(type).charAt(0) + number;
  }

  private HistoryCall recall(HistoryCall.HistoryFunction function, List<CelExpr> arguments) {
    var due = function == HistoryCall.HistoryFunction.age ? 1 : 2;
    if (arguments.size() != due) {
      throw new IllegalArgumentException(function + ": write " + (due == 1
          ? "age(path), such as age(about.created_at)"
          : function + "(path, \"10m\")"));
    }
    var term = term(function, ExpressionNames.of(arguments.getFirst()));
    return new HistoryCall(function, term, due == 1 ? Duration.ZERO : length(function, arguments.get(1)));
  }

  private Term term(HistoryCall.HistoryFunction function, ExpressionNames.@Nullable DottedName path) {
    if (path == null) {
      throw new IllegalArgumentException(
          function + ": its first part is a name such as about.price_usd, no sum of them");
    }
    var term = vocabulary.term(path.text());
    if (term == null) {
      throw new IllegalArgumentException(vocabulary.unknown(path.text()));
    }
    var isTime = term.type().equals(SimpleType.TIMESTAMP) || term.type().equals(SimpleType.STRING);
    if (!HistoryCall.isFigure(term) && !(function == HistoryCall.HistoryFunction.age && isTime)) {
      throw new IllegalArgumentException(function + "(" + path.text() + "): is of type " + term.type().name()
          + "; a history is kept of figures only");
    }
    return term;
  }

  private Duration length(HistoryCall.HistoryFunction function, CelExpr argument) {
    var length = written(argument);
    if (length == null) {
      throw new IllegalArgumentException(function + ": its second part is " + DurationFormat.EXAMPLE + " in quotes,"
          + " or a setting that is one");
    }
    if (length.compareTo(Duration.ofMinutes(1)) < 0 || length.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          function + ": histories are 1m to 24h long, not " + DurationFormat.format(length));
    }
    return length;
  }

  private @Nullable Duration written(CelExpr argument) {
    var path = ExpressionNames.of(argument);
    if (path != null && path.text().startsWith(ExpressionCompiler.SETTINGS)) {
      return settings.get(path.text().substring(ExpressionCompiler.SETTINGS.length())) instanceof Duration span ? span
          : null;
    }
    var isText = argument.getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && argument.constant().getKind() == CelConstant.Kind.STRING_VALUE;
    return isText ? DurationFormat.parse(argument.constant().stringValue()) : null;
  }
}
