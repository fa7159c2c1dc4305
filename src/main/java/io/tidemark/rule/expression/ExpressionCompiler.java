package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelStandardMacro;
import io.tidemark.event.NameSuggestion;
import io.tidemark.rule.expression.ExpressionException.Issue;
import io.tidemark.rule.expression.ReferencedNames.DottedName;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compiles expressions in the Common Expression Language. Expressions may use the names of one vocabulary and the
 * settings of one rule. Explains the errors in an invalid expression. Not safe for use by several threads.
 *
 * <p>For any name of the vocabulary, {@code has(name)} is true if the value of the name is known.
 */
public final class ExpressionCompiler {

  /**
   * Options of the language, and limits of an expression's length and nesting. {@link EvaluationBudget} limits the cost
   * of an evaluation.
   */
  static final CelOptions OPTIONS = CelOptions.current()
      .enableHeterogeneousNumericComparisons(true)
      .maxExpressionCodePointSize(10_000)
      .maxParseRecursionDepth(64)
      .comprehensionMaxIterations(EvaluationBudget.LIMIT)
      .build();

  /**
   * Prefix of the boolean variables that replace calls of {@code has}. A variable is true if the value of its name is
   * known.
   */
  static final String KNOWN = "has.";

  static final String SETTINGS = "settings.";

  /** Prefix of the variables that replace calls of history functions. */
  static final String HISTORY = "history.";

  private final Vocabulary vocabulary;
  private final Map<String, Object> settings;
  private final HistoryMacros history;
  private final ImpossibleComparisons impossible;
  private final boolean strict;
  private final CelCompiler compiler;

  record ExpressionProblem(CelExpr where, String problem) {

    private Issue issue(CelAbstractSyntaxTree tree) {
      return ExpressionCompiler.issue(location(tree, where.id()), problem);
    }
  }

  /**
   * Creates a compiler of the expressions of one rule.
   *
   * @param settings values of the settings, by their names in expressions without {@code settings.}; numbers are
   *     doubles, and all items of a list have the same type
   * @param strict whether comparisons that can never hold, constants that are no durations, times or time zones,
   *     unknown fields of records in lists and maps, and long templates are errors; false for a rule that was accepted
   *     already, perhaps before these checks existed
   */
  public ExpressionCompiler(Vocabulary vocabulary, Map<String, Object> settings, boolean strict) {
    this.vocabulary = vocabulary;
    this.settings = settings;
    this.history = new HistoryMacros(vocabulary, settings);
    this.impossible = new ImpossibleComparisons(vocabulary, settings);
    this.strict = strict;
    this.compiler = celCompiler();
  }

  private CelCompiler celCompiler() {
    var macros = EnumSet.copyOf(CelStandardMacro.STANDARD_MACROS);
    macros.remove(CelStandardMacro.HAS);
    var builder = CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(macros)
        .addMacros(hasMacro())
        .addMacros(history.macros())
        .addFunctionDeclarations(CelFunctions.declarations())
        .setTypeProvider(RecordTypes.in(vocabulary.terms().values().stream().map(Term::type).toList()));
    vocabulary.terms().values().forEach(term -> builder
        .addVar(term.name(), strict ? term.type() : RecordTypes.unchecked(term.type()))
        .addVar(KNOWN + term.name(), SimpleType.BOOL));
    settings.forEach((name, value) -> builder.addVar(SETTINGS + name, settingType(value)));
    HistoryMacros.variables().forEach(builder::addVar);
    return builder.build();
  }

  private static CelType settingType(Object value) {
    return switch (value) {
      case Double number -> SimpleType.DOUBLE;
      case Boolean flag -> SimpleType.BOOL;
      case Duration duration -> SimpleType.DURATION;
      case List<?> list -> ListType.create(list.isEmpty() ? SimpleType.STRING : settingType(list.getFirst()));
      default -> SimpleType.STRING;
    };
  }

  boolean isStrict() {
    return strict;
  }

  /**
   * Compiles a condition.
   *
   * @throws ExpressionException if the text is not a boolean expression
   */
  public Expression condition(String text) {
    return compile(text, true);
  }

  /**
   * Compiles an expression, whose value may be of any type.
   *
   * @throws ExpressionException if the text is not a valid expression
   */
  Expression expression(String text) {
    return compile(text, false);
  }

  private Expression compile(String text, boolean isCondition) {
    history.reset();
    var tree = parse(text);
    var checked = compiler.check(tree);
    if (checked.hasError()) {
      var unknown = unknownNames(tree).map(name -> issue(location(tree, name.beginning()), unknown(name.text())));
      throwIfAny(Stream.concat(unknown, otherErrors(checked, tree)));
    }
    var valid = tree(checked);
    if (strict) {
      throwIfAny(Stream.concat(impossible.in(valid), TimeLiterals.problems(valid, settings))
          .map(each -> each.issue(tree)));
    }
    if (isCondition && !valid.getResultType().equals(SimpleType.BOOL)) {
      throw new ExpressionException(1, 1, "the expression is of type " + valid.getResultType().name()
          + ", but a condition must be true or false (bool): compare the value with another value");
    }
    throwIfAny(ConstantPatterns.problems(valid, settings).map(each -> each.issue(tree)));
    var costs = EvaluationBudget.Costs.of(valid, settings);
    return new Expression(
        text, vocabulary, settings, terms(tree), testedForPresence(tree), history.calls(),
        ReferencedNames.changedParts(tree.getExpr()), valid,
        costs);
  }

  /**
   * Parses a text. If there are several syntax errors, reports only the first, since the others may follow from the
   * first. Reports all errors in calls of history functions, since these errors are independent of each other.
   */
  private CelAbstractSyntaxTree parse(String text) {
    var parsed = compiler.parse(text);
    var errors = parsed.getErrors();
    var onlyFirst = !errors.isEmpty() && CelErrorText.isSyntaxError(errors.get(0).getMessage());
    throwIfAny(errors.stream().limit(onlyFirst ? 1 : Long.MAX_VALUE).map(ExpressionCompiler::issue));
    return tree(parsed);
  }

  private static void throwIfAny(Stream<Issue> issues) {
    var all = issues.distinct().sorted(Comparator.comparingInt(Issue::line).thenComparingInt(Issue::column)).toList();
    if (!all.isEmpty()) {
      throw new ExpressionException(all);
    }
  }

  @SuppressWarnings("Immutable") // the vocabulary is immutable, which the compiler cannot prove
  private CelMacro hasMacro() {
    var standard = CelStandardMacro.HAS.getDefinition().getExpander();
    return CelMacro.newGlobalMacro("has", 1, (factory, target, arguments) -> knownVariable(factory, arguments.get(0))
        .or(() -> standard.expandMacro(factory, target, arguments)));
  }

  private Optional<CelExpr> knownVariable(CelMacroExprFactory factory, CelExpr argument) {
    return Optional.ofNullable(ReferencedNames.of(argument))
        .filter(name -> vocabulary.terms().containsKey(name.text()))
        .map(name -> factory.newIdentifier(KNOWN + name.text()));
  }

  private Stream<DottedName> unknownNames(CelAbstractSyntaxTree tree) {
    return ReferencedNames.in(tree.getExpr()).stream().filter(name -> !isName(name.text()));
  }

  /** Returns the errors of the checked expression, except errors that only follow from an unknown name. */
  private Stream<Issue> otherErrors(CelValidationResult checked, CelAbstractSyntaxTree tree) {
    var unknown = unknownNames(tree).map(name -> name.text().split("\\.", 2)[0]).toList();
    return checked.getErrors().stream()
        .filter(error -> !unknown.contains(CelErrorText.undeclaredName(error.getMessage())))
        .filter(error -> unknown.isEmpty() || !CelErrorText.isSelectionError(error.getMessage()))
        .map(error -> {
          var field = CelErrorText.undefinedField(error.getMessage());
          return field == null
              ? issue(error)
              : issue(error.getSourceLocation(),
                  RecordTypes.in(terms(tree).values().stream().map(Term::type).toList()).unknownField(field));
        });
  }

  private Map<String, Term> terms(CelAbstractSyntaxTree tree) {
    var terms = new LinkedHashMap<String, Term>();
    ReferencedNames.in(tree.getExpr()).stream()
        .map(name -> vocabulary.term(name.text()))
        .filter(Objects::nonNull)
        .forEach(term -> terms.put(term.name(), term));
    return terms;
  }

  private static Set<String> testedForPresence(CelAbstractSyntaxTree tree) {
    return ReferencedNames.in(tree.getExpr()).stream()
        .map(DottedName::text)
        .filter(name -> name.startsWith(KNOWN))
        .map(name -> name.substring(KNOWN.length()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private String unknown(String name) {
    if (!name.startsWith(SETTINGS) && !name.equals("settings")) {
      return vocabulary.unknown(name);
    }
    var setting = name.replaceFirst("settings\\.?", "");
    var dashed = settings.keySet().stream().filter(each -> each.startsWith(setting + "_")).findFirst();
    if (dashed.isPresent() && !setting.isEmpty()) {
      return name + ": a dash in an expression is a minus; write the setting as settings." + dashed.get();
    }
    var nearest = NameSuggestion.nearest(setting, settings.keySet());
    return name + ": the rule has no such setting; " + (nearest == null
        ? "its settings are " + (settings.isEmpty() ? "none" : String.join(", ", settings.keySet()))
        : "did you mean settings." + nearest + "?");
  }

  /** Returns whether a name is known: in the vocabulary, a setting, a CEL type, or a variable of this compiler. */
  private boolean isName(String name) {
    return vocabulary.contains(name)
        || SimpleType.findByName(name).isPresent()
        || name.startsWith(HISTORY)
        || name.startsWith(KNOWN)
        || (name.startsWith(SETTINGS) && settings.containsKey(name.substring(SETTINGS.length())));
  }

  private static CelAbstractSyntaxTree tree(CelValidationResult result) {
    try {
      return result.getAst();
    } catch (CelValidationException e) {
      throw new ExpressionException(1, 1, "the expression cannot be read: " + e.getMessage());
    }
  }

  private static CelSourceLocation location(CelAbstractSyntaxTree tree, long expression) {
    var source = tree.getSource();
    return source.getOffsetLocation(source.getPositionsMap().getOrDefault(expression, 0))
        .orElse(CelSourceLocation.NONE);
  }

  private static Issue issue(CelIssue error) {
    return issue(error.getSourceLocation(), CelErrorText.of(error.getMessage()));
  }

  /** Creates an issue at a location that CEL reported. CEL counts lines from 1 and columns from 0. */
  private static Issue issue(CelSourceLocation where, String problem) {
    return new Issue(Math.max(1, where.getLine()), Math.max(0, where.getColumn()) + 1, problem);
  }
}
