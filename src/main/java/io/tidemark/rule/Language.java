package io.tidemark.rule;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelStandardMacro;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;

/**
 * The Common Expression Language over one vocabulary and the settings of one rule: compiles expressions and says what
 * is wrong with them. Of one thread.
 *
 * <p>{@code has(price.x)} asks whether a value is known, for any name of the vocabulary.
 */
final class Language {

  /** Before a name: whether its value is known. */
  static final String KNOWN = "has.";

  static final String SETTINGS = "settings.";

  /** Before the variables that stand for uses of history functions. */
  static final String PAST = "past.";

  /** What an expression may cost at most: length of its text, depth of its nesting, iterations of all its loops. */
  static final CelOptions OPTIONS = CelOptions.current()
      .enableHeterogeneousNumericComparisons(true)
      .maxExpressionCodePointSize(10_000)
      .maxParseRecursionDepth(64)
      .comprehensionMaxIterations(10_000)
      .maxRegexProgramSize(1_000)
      .build();

  private final Vocabulary vocabulary;
  private final Map<String, Object> settings;
  private final Recalls recalls;
  private final CelCompiler compiler;

  /** @param settings by their names in expressions: numbers are doubles, lists are of one kind */
  Language(Vocabulary vocabulary, Map<String, Object> settings) {
    this.vocabulary = vocabulary;
    this.settings = settings;
    this.recalls = new Recalls(vocabulary, settings);
    var macros = EnumSet.copyOf(CelStandardMacro.STANDARD_MACROS);
    macros.remove(CelStandardMacro.HAS);
    var builder = CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(macros)
        .addMacros(has())
        .addMacros(recalls.macros())
        .addFunctionDeclarations(Functions.declared());
    vocabulary.terms().values().forEach(term ->
        builder.addVar(term.name(), term.type()).addVar(KNOWN + term.name(), SimpleType.BOOL));
    settings.forEach((name, value) -> builder.addVar(SETTINGS + name, SettingType.of(value).cel()));
    Recalls.variables().forEach(builder::addVar);
    this.compiler = builder.build();
  }

  /**
   * A yes or no question.
   *
   * @throws ConditionException where it is none
   */
  Condition condition(String text) {
    var expression = expression(text);
    if (!Condition.isCondition(expression)) {
      throw new ConditionException(1, 1, "gives " + expression.type().name() + ", where yes or no (bool) is due:"
          + " compare it with something");
    }
    return new Condition(expression);
  }

  /**
   * An expression of any type.
   *
   * @throws ConditionException where it is none
   */
  Expression expression(String text) {
    recalls.begin();
    var tree = tree(compiler.parse(text));
    var checked = compiler.check(tree);
    if (checked.hasError()) {
      throw misspelt(tree).orElseGet(() -> first(checked));
    }
    var good = tree(checked);
    var names = new LinkedHashSet<String>();
    Paths.in(tree.getExpr()).stream().map(Paths.Path::text).filter(this::isValue).forEach(names::add);
    var type = good.getResultType();
    return new Expression(text, vocabulary, settings, type, names, recalls.found(), Expression.program(good));
  }

  @SuppressWarnings("Immutable") // the vocabulary is, though nothing proves it to the compiler
  private CelMacro has() {
    var keys = CelStandardMacro.HAS.getDefinition().getExpander();
    return CelMacro.newGlobalMacro("has", 1, (factory, target, arguments) ->
        hasTerm(factory, arguments.get(0)).or(() -> keys.expandMacro(factory, target, arguments)));
  }

  private Optional<CelExpr> hasTerm(CelMacroExprFactory factory, CelExpr argument) {
    return Optional.ofNullable(Paths.of(argument))
        .filter(path -> vocabulary.terms().containsKey(path.text()))
        .map(path -> factory.newIdentifier(KNOWN + path.text()));
  }

  private Optional<ConditionException> misspelt(CelAbstractSyntaxTree tree) {
    return Paths.in(tree.getExpr()).stream()
        .filter(path -> !isName(path.text()))
        .findFirst()
        .map(path -> problem(location(tree.getSource(), path.beginning()), unknown(path.text())));
  }

  private String unknown(String path) {
    if (!path.startsWith(SETTINGS) && !path.equals("settings")) {
      return vocabulary.unknown(path);
    }
    var name = path.replaceFirst("settings\\.?", "");
    var dashed = settings.keySet().stream().filter(each -> each.startsWith(name + "_")).findFirst();
    if (dashed.isPresent() && !name.isEmpty()) {
      return path + ": a dash is a minus here; the setting is written settings." + dashed.get();
    }
    var nearest = Spelling.nearest(name, settings.keySet());
    return path + ": the rule has no such setting; " + (nearest == null
        ? "its settings are " + (settings.isEmpty() ? "none" : String.join(", ", settings.keySet()))
        : "did you mean settings." + nearest + "?");
  }

  /** A value, a setting, or a type of the language such as int. */
  private boolean isName(String path) {
    return isValue(path)
        || SimpleType.findByName(path).isPresent()
        || path.startsWith(PAST)
        || path.startsWith(KNOWN)
        || (path.startsWith(SETTINGS) && settings.containsKey(path.substring(SETTINGS.length())));
  }

  private boolean isValue(String path) {
    return vocabulary.term(path) != null;
  }

  private static CelAbstractSyntaxTree tree(CelValidationResult result) {
    try {
      return result.getAst();
    } catch (CelValidationException e) {
      throw first(result);
    }
  }

  private static ConditionException first(CelValidationResult result) {
    var issue = result.getErrors().get(0);
    return problem(issue.getSourceLocation(), Hint.of(issue.getMessage()));
  }

  private static CelSourceLocation location(CelSource source, long expression) {
    return source.getOffsetLocation(source.getPositionsMap().getOrDefault(expression, 0))
        .orElse(CelSourceLocation.NONE);
  }

  /** The language counts lines from 1, columns from 0. */
  private static ConditionException problem(CelSourceLocation where, String what) {
    return new ConditionException(Math.max(1, where.getLine()), Math.max(0, where.getColumn()) + 1, what);
  }
}
