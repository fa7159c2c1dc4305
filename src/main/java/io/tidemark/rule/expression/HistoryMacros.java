package io.tidemark.rule.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import io.tidemark.event.DurationFormat;
import io.tidemark.rule.expression.HistoryCall.HistoryFunction;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The history functions as CEL macros. A macro replaces each call of a history function by a variable and records the
 * call, so that it is known which history an expression needs. Not safe for use by several threads.
 */
final class HistoryMacros {

  private static final Duration SHORTEST_WINDOW = Duration.ofMinutes(1);
  private static final Duration LONGEST_WINDOW = Duration.ofHours(24);
  private static final int MAX_CALLS = 32;

  private final Vocabulary vocabulary;
  private final Map<String, Object> settings;
  private Map<String, HistoryCall> calls = new LinkedHashMap<>();

  HistoryMacros(Vocabulary vocabulary, Map<String, Object> settings) {
    this.vocabulary = vocabulary;
    this.settings = settings;
  }

  /** Forgets the calls of the last expression, before a new expression is compiled. */
  void reset() {
    calls = new LinkedHashMap<>();
  }

  /** Returns the distinct calls of history functions in the expression, by the variables that replaced the calls. */
  Map<String, HistoryCall> calls() {
    return calls;
  }

  /** Returns the name and type of every variable into which a macro can expand. */
  static Map<String, CelType> variables() {
    var variables = new LinkedHashMap<String, CelType>();
    Stream.of(HistoryFunction.values()).map(HistoryFunction::type).distinct()
        .forEach(type -> IntStream.range(0, MAX_CALLS).forEach(number -> variables.put(variable(type, number), type)));
    return variables;
  }

  @SuppressWarnings("Immutable") // only one thread uses the macros
  List<CelMacro> macros() {
    return Stream.of(HistoryFunction.values())
        .map(function -> CelMacro.newGlobalVarArgMacro(
            function.text(), (factory, target, arguments) -> Optional.of(expand(function, factory, arguments))))
        .toList();
  }

  private CelExpr expand(HistoryFunction function, CelMacroExprFactory factory, List<CelExpr> arguments) {
    try {
      return factory.newIdentifier(variable(call(function, arguments)));
    } catch (IllegalArgumentException e) {
      return factory.reportError(String.valueOf(e.getMessage()));
    }
  }

  /** Returns the variable that replaces a call. Equal calls have the same variable. */
  private String variable(HistoryCall call) {
    for (var before : calls.entrySet()) {
      if (before.getValue().toString().equals(call.toString())) {
        return before.getKey();
      }
    }
    if (calls.size() == MAX_CALLS) {
      throw new IllegalArgumentException(
          "one expression can have at most " + MAX_CALLS + " different calls of history functions such as moved()");
    }
    var variable = variable(call.function().type(), calls.size());
    calls.put(variable, call);
    return variable;
  }

  private static String variable(CelType type, int number) {
    return ExpressionCompiler.HISTORY + type.name().replace('.', '_') + number;
  }

  private HistoryCall call(HistoryFunction function, List<CelExpr> arguments) {
    var expected = function == HistoryFunction.AGE ? 1 : 2;
    if (arguments.size() != expected) {
      throw new IllegalArgumentException(function.text() + "(): wrong number of arguments; write " + (expected == 1
          ? "age(path), such as age(about.created_at)"
          : function.text() + "(path, \"10m\")"));
    }
    var term = term(function, ReferencedNames.of(arguments.getFirst()));
    return expected == 1
        ? new HistoryCall(function, term, Duration.ZERO, false)
        : new HistoryCall(function, term, window(function, arguments.get(1)),
            text(arguments.get(1)).startsWith(HistoryCall.UP_TO));
  }

  private Term term(HistoryFunction function, ReferencedNames.@Nullable DottedName name) {
    if (name == null) {
      throw new IllegalArgumentException(
          function.text() + "(): the first argument must be a name such as about.price_usd, not a computation");
    }
    var term = vocabulary.term(name.text());
    if (term == null) {
      throw new IllegalArgumentException(vocabulary.unknown(name.text()));
    }
    var isTime = term.type().equals(SimpleType.TIMESTAMP) || term.type().equals(SimpleType.STRING);
    if (term.ofPrevious()) {
      throw new IllegalArgumentException(function.text() + "(): the previous record has no history; write "
          + function.text() + "(" + name.text().substring(name.text().indexOf('.') + 1) + ")");
    }
    if (!HistoryCall.isFigure(term) && !(function == HistoryFunction.AGE && isTime)) {
      throw new IllegalArgumentException(function.text() + "(): " + name.text() + " is of type " + term.type().name()
          + "; only figures have a history");
    }
    return term;
  }

  private Duration window(HistoryFunction function, CelExpr argument) {
    var window = duration(argument);
    if (window == null) {
      throw new IllegalArgumentException(function.text() + "(): the second argument must be "
          + DurationFormat.OF_RULES.example() + " in quotes, or a setting whose value is a duration");
    }
    if (window.compareTo(SHORTEST_WINDOW) < 0 || window.compareTo(LONGEST_WINDOW) > 0) {
      throw new IllegalArgumentException(
          function.text() + "(): the second argument must be 1m to 24h, not " + DurationFormat.format(window));
    }
    return window;
  }

  private @Nullable Duration duration(CelExpr argument) {
    return ReferencedNames.setting(argument, settings) instanceof Duration duration
        ? duration
        : DurationFormat.OF_RULES.parse(text(argument).replaceFirst("^" + HistoryCall.UP_TO, ""));
  }

  /** Returns the text of an argument, or an empty text if the argument is not a text. */
  private static String text(CelExpr argument) {
    return Objects.requireNonNullElse(ReferencedNames.constantText(argument), "");
  }
}
