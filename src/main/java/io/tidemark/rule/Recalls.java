package io.tidemark.rule;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
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
final class Recalls {

  static final Duration LONGEST = Duration.ofHours(24);

  /** Different uses in one expression. */
  private static final int MOST = 32;

  private final Vocabulary vocabulary;
  private final Map<String, Object> settings;
  private Map<String, Recall> found = new LinkedHashMap<>();

  Recalls(Vocabulary vocabulary, Map<String, Object> settings) {
    this.vocabulary = vocabulary;
    this.settings = settings;
  }

  /** A new expression: nothing is found in it yet. */
  void begin() {
    found = new LinkedHashMap<>();
  }

  /** All variables there may be, with their types. */
  static Map<String, CelType> variables() {
    var variables = new LinkedHashMap<String, CelType>();
    Stream.of(Recall.Function.values()).map(Recall.Function::type).distinct()
        .forEach(type -> IntStream.range(0, MOST).forEach(number -> variables.put(variable(type, number), type)));
    return variables;
  }

  /** Those of the newest expression, by the variables that stand for them. */
  Map<String, Recall> found() {
    return found;
  }

  @SuppressWarnings("Immutable") // a language is of one thread
  List<CelMacro> macros() {
    return Stream.of(Recall.Function.values())
        .map(function -> CelMacro.newGlobalVarArgMacro(
            function.name(), (factory, target, arguments) -> Optional.of(use(function, factory, arguments))))
        .toList();
  }

  private CelExpr use(Recall.Function function, CelMacroExprFactory factory, List<CelExpr> arguments) {
    try {
      return factory.newIdentifier(variable(recall(function, arguments)));
    } catch (IllegalArgumentException e) {
      return factory.reportError(String.valueOf(e.getMessage()));
    }
  }

  /** The one that stands for it already, or a new one. */
  private String variable(Recall recall) {
    for (var before : found.entrySet()) {
      if (before.getValue().toString().equals(recall.toString())) {
        return before.getKey();
      }
    }
    if (found.size() == MOST) {
      throw new IllegalArgumentException("at most " + MOST + " different uses of history functions in one expression");
    }
    var variable = variable(recall.function().type(), found.size());
    found.put(variable, recall);
    return variable;
  }

  private static String variable(CelType type, int number) {
    return Language.PAST + TypeWord.of(type).charAt(0) + number;
  }

  private Recall recall(Recall.Function function, List<CelExpr> arguments) {
    var due = function == Recall.Function.age ? 1 : 2;
    if (arguments.size() != due) {
      throw new IllegalArgumentException(function + ": write " + (due == 1
          ? "age(path), such as age(about.created_at)"
          : function + "(path, \"10m\")"));
    }
    var term = term(function, Paths.of(arguments.getFirst()));
    return new Recall(function, term, due == 1 ? Duration.ZERO : length(function, arguments.get(1)));
  }

  private Term term(Recall.Function function, Paths.@Nullable Path path) {
    if (path == null) {
      throw new IllegalArgumentException(
          function + ": its first part is a name such as about.price_usd, no sum of them");
    }
    var term = vocabulary.term(path.text());
    if (term == null) {
      throw new IllegalArgumentException(vocabulary.unknown(path.text()));
    }
    var isTime = term.type().equals(SimpleType.TIMESTAMP) || term.type().equals(SimpleType.STRING);
    if (!Recall.isFigure(term) && !(function == Recall.Function.age && isTime)) {
      throw new IllegalArgumentException(function + "(" + path.text() + "): is of type " + term.type().name()
          + "; a history is kept of figures only");
    }
    return term;
  }

  private Duration length(Recall.Function function, CelExpr argument) {
    var length = written(argument);
    if (length == null) {
      throw new IllegalArgumentException(function + ": its second part is " + Span.EXAMPLE + " in quotes,"
          + " or a setting that is one");
    }
    if (length.compareTo(Duration.ofMinutes(1)) < 0 || length.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(function + ": histories are 1m to 24h long, not " + Span.text(length));
    }
    return length;
  }

  private @Nullable Duration written(CelExpr argument) {
    var path = Paths.of(argument);
    if (path != null && path.text().startsWith(Language.SETTINGS)) {
      return settings.get(path.text().substring(Language.SETTINGS.length())) instanceof Duration span ? span : null;
    }
    var isText = argument.getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && argument.constant().getKind() == CelConstant.Kind.STRING_VALUE;
    return isText ? Span.parse(argument.constant().stringValue()) : null;
  }
}
