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
import java.util.Optional;

/**
 * The Common Expression Language over one vocabulary: checks conditions and says what is wrong with them.
 *
 * <p>{@code has(price.x)} asks whether a value is known, for any name of the vocabulary.
 */
final class Language {

  /** Before a name: whether its value is known. */
  static final String KNOWN = "has.";

  /** What a condition may cost at most: length of its text, depth of its nesting, iterations of all its loops. */
  static final CelOptions OPTIONS = CelOptions.current()
      .enableHeterogeneousNumericComparisons(true)
      .maxExpressionCodePointSize(10_000)
      .maxParseRecursionDepth(64)
      .comprehensionMaxIterations(10_000)
      .maxRegexProgramSize(1_000)
      .build();

  private final Vocabulary vocabulary;
  private final CelCompiler compiler;

  Language(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
    var macros = EnumSet.copyOf(CelStandardMacro.STANDARD_MACROS);
    macros.remove(CelStandardMacro.HAS);
    var builder = CelCompilerFactory.standardCelCompilerBuilder()
        .setOptions(OPTIONS)
        .setStandardMacros(macros)
        .addMacros(has())
        .setResultType(SimpleType.BOOL);
    vocabulary.terms().values().forEach(term ->
        builder.addVar(term.name(), term.type()).addVar(KNOWN + term.name(), SimpleType.BOOL));
    this.compiler = builder.build();
  }

  /**
   * The checked form of a condition.
   *
   * @throws ConditionException where it is none
   */
  CelAbstractSyntaxTree check(String text) {
    var parsed = compiler.parse(text);
    var tree = tree(parsed);
    var checked = compiler.check(tree);
    if (checked.hasError()) {
      throw misspelt(tree).orElseGet(() -> first(checked));
    }
    return tree(checked);
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
        .map(path -> problem(location(tree.getSource(), path.beginning()), vocabulary.unknown(path.text())));
  }

  /** A name, or a key behind the name of a map, or a type of the language such as int. */
  private boolean isName(String path) {
    if (vocabulary.terms().containsKey(path) || SimpleType.findByName(path).isPresent()) {
      return true;
    }
    var dot = path.lastIndexOf('.');
    return dot > 0 && vocabulary.terms().containsKey(path.substring(0, dot));
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
    return problem(issue.getSourceLocation(), issue.getMessage());
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
