package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
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
import io.tidemark.rule.expression.ExpressionException.Issue;
import io.tidemark.rule.file.SettingType;
import io.tidemark.yaml.Spelling;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Common Expression Language over one vocabulary and the settings of one rule: compiles expressions and says what
 * is wrong with them. Of one thread.
 *
 * <p>{@code has(price.x)} asks whether a value is known, for any name of the vocabulary.
 */
public final class ExpressionCompiler {

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
  private final HistoryMacros recalls;
  private final ImpossibleComparisons words;
  private final boolean strict;
  private final CelCompiler compiler;

  /** Of what people write now. */
  ExpressionCompiler(Vocabulary vocabulary, Map<String, Object> settings) {
    this(vocabulary, settings, true);
  }

  /**
   * @param settings by their names in expressions: numbers are doubles, lists are of one kind
   * @param strict whether what can never hold is refused; what was accepted once stays in force as it is
   */
  public ExpressionCompiler(Vocabulary vocabulary, Map<String, Object> settings, boolean strict) {
    this.vocabulary = vocabulary;
    this.strict = strict;
    this.settings = settings;
    this.recalls = new HistoryMacros(vocabulary, settings);
    this.words = new ImpossibleComparisons(vocabulary, settings);
    var macros = EnumSet.copyOf(CelStandardMacro.STANDARD_MACROS);
    macros.remove(CelStandardMacro.HAS);
    var builder = CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(macros)
        .addMacros(has())
        .addMacros(recalls.macros())
        .addFunctionDeclarations(CelFunctions.declared())
        .setTypeProvider(RecordTypes.in(vocabulary.terms().values().stream().map(Term::type).toList()));
    vocabulary.terms().values().forEach(term -> builder
        .addVar(term.name(), strict ? term.type() : RecordTypes.unchecked(term.type()))
        .addVar(KNOWN + term.name(), SimpleType.BOOL));
    settings.forEach((name, value) -> builder.addVar(SETTINGS + name, SettingType.of(value).cel()));
    HistoryMacros.variables().forEach(builder::addVar);
    this.compiler = builder.build();
  }

  /**
   * A yes or no question.
   *
   * @throws ExpressionException where it is none
   */
  public Condition condition(String text) {
    var expression = expression(text);
    if (!Condition.isCondition(expression)) {
      throw new ExpressionException(1, 1, "gives " + expression.type().name() + ", where yes or no (bool) is due:"
          + " compare it with something");
    }
    return new Condition(expression);
  }

  /**
   * An expression of any type.
   *
   * @throws ExpressionException where it is none
   */
  Expression expression(String text) {
    recalls.reset();
    var tree = parsed(text);
    var checked = compiler.check(tree);
    if (checked.hasError()) {
      raise(Stream.concat(misspelt(tree), mistaken(checked, tree)));
    }
    var good = good(checked);
    if (strict) {
      raise(words.misfits(good).stream().map(misfit -> slip(location(tree, misfit.where().id()), misfit.problem())));
    }
    var names = new LinkedHashSet<String>();
    ExpressionNames.in(tree.getExpr()).stream().map(ExpressionNames.DottedName::text).filter(this::isValue)
        .forEach(names::add);
    var type = good.getResultType();
    return new Expression(text, vocabulary, settings, type, names, recalls.calls(), Expression.program(good));
  }

  /** What follows upon a first error of spelling is rarely meant; but each use of a history function is its own. */
  private CelAbstractSyntaxTree parsed(String text) {
    var parsed = compiler.parse(text);
    var issues = parsed.getErrors();
    var alone = !issues.isEmpty() && CelErrorText.isOfSyntax(issues.get(0).getMessage());
    raise(issues.stream().limit(alone ? 1 : Long.MAX_VALUE).map(ExpressionCompiler::slip));
    return good(parsed);
  }

  private static void raise(Stream<Issue> slips) {
    var all = slips.distinct().sorted(Comparator.comparingInt(Issue::line).thenComparingInt(Issue::column)).toList();
    if (!all.isEmpty()) {
      throw new ExpressionException(all);
    }
  }

  @SuppressWarnings("Immutable") // the vocabulary is, though nothing proves it to the compiler
  private CelMacro has() {
    var keys = CelStandardMacro.HAS.getDefinition().getExpander();
    return CelMacro.newGlobalMacro("has", 1, (factory, target, arguments) -> hasTerm(factory, arguments.get(0))
        .or(() -> keys.expandMacro(factory, target, arguments)));
  }

  private Optional<CelExpr> hasTerm(CelMacroExprFactory factory, CelExpr argument) {
    return Optional.ofNullable(ExpressionNames.of(argument))
        .filter(path -> vocabulary.terms().containsKey(path.text()))
        .map(path -> factory.newIdentifier(KNOWN + path.text()));
  }

  private Stream<Issue> misspelt(CelAbstractSyntaxTree tree) {
    return misspeltNames(tree).map(path -> slip(location(tree, path.beginning()), unknown(path.text())));
  }

  private Stream<ExpressionNames.DottedName> misspeltNames(CelAbstractSyntaxTree tree) {
    return ExpressionNames.in(tree.getExpr()).stream().filter(path -> !isName(path.text()));
  }

  /** Errors but those of misspelt names, which are told in better words. */
  private Stream<Issue> mistaken(CelValidationResult checked, CelAbstractSyntaxTree tree) {
    var misspelt = misspeltNames(tree).map(path -> path.text().split("\\.", 2)[0]).toList();
    return checked.getErrors().stream()
        .filter(issue -> !misspelt.contains(CelErrorText.undeclared(issue.getMessage())))
        .filter(issue -> misspelt.isEmpty() || !CelErrorText.isOfSelection(issue.getMessage()))
        .map(issue -> {
          var member = CelErrorText.undefinedMember(issue.getMessage());
          return member == null ? slip(issue) : slip(issue.getSourceLocation(), members(tree).unknown(member));
        });
  }

  /** Of records in lists and maps that an expression names. */
  private RecordTypes members(CelAbstractSyntaxTree tree) {
    return RecordTypes.in(ExpressionNames.in(tree.getExpr()).stream()
        .map(path -> vocabulary.term(path.text()))
        .filter(Objects::nonNull)
        .map(Term::type)
        .toList());
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

  private static CelAbstractSyntaxTree good(CelValidationResult result) {
    try {
      return result.getAst();
    } catch (CelValidationException e) {
      throw new ExpressionException(1, 1, "cannot be read: " + e.getMessage());
    }
  }

  private static CelSourceLocation location(CelAbstractSyntaxTree tree, long expression) {
    var source = tree.getSource();
    return source.getOffsetLocation(source.getPositionsMap().getOrDefault(expression, 0))
        .orElse(CelSourceLocation.NONE);
  }

  private static Issue slip(CelIssue issue) {
    return slip(issue.getSourceLocation(), CelErrorText.of(issue.getMessage()));
  }

  /** The language counts lines from 1, columns from 0. */
  private static Issue slip(CelSourceLocation where, String what) {
    return new Issue(Math.max(1, where.getLine()), Math.max(0, where.getColumn()) + 1, what);
  }
}
