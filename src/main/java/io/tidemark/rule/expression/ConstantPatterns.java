package io.tidemark.rule.expression;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The patterns of the calls of matches in one expression: constants, compiled when the expression is checked. */
final class ConstantPatterns {

  /** Instructions of a compiled pattern. Time to match grows with them and with the length of the text. */
  static final int MAX_SIZE = 1_000;

  /** Of all expressions in force; a pattern that is not here any more is compiled again. */
  private static final LoadingCache<String, Pattern> COMPILED =
      CacheBuilder.newBuilder().maximumSize(1_000).build(CacheLoader.from(Pattern::compile));

  private final Map<String, Object> settings;
  private final Map<Long, Integer> sizes = new HashMap<>();
  private final List<PatternIssue> issues = new ArrayList<>();

  private ConstantPatterns(Map<String, Object> settings) {
    this.settings = settings;
  }

  /** What is wrong with a pattern. */
  record PatternIssue(CelExpr where, String problem) {}

  /** @param settings of the rule, by their names in expressions: constants, too */
  static ConstantPatterns of(CelAbstractSyntaxTree checked, Map<String, Object> settings) {
    var patterns = new ConstantPatterns(settings);
    CelNavigableAst.fromAst(checked).getRoot().allNodes()
        .filter(node -> node.getKind() == Kind.CALL && node.expr().call().function().equals("matches"))
        .forEach(node -> patterns.add(node.expr().call().args().getLast()));
    return patterns;
  }

  /** The pattern as the runtime calls it. */
  static boolean matches(String text, String pattern) {
    return COMPILED.getUnchecked(pattern).matcher(text).find();
  }

  List<PatternIssue> issues() {
    return issues;
  }

  /** The number of instructions of a pattern that has no issue. */
  int size(CelExpr pattern) {
    return Objects.requireNonNull(sizes.get(pattern.id()));
  }

  private void add(CelExpr argument) {
    var pattern = constant(argument);
    var problem = pattern == null
        ? "a pattern is a constant: a text in quotes, or a setting that is one"
        : problem(pattern);
    if (problem == null) {
      sizes.put(argument.id(), COMPILED.getUnchecked(Objects.requireNonNull(pattern)).programSize());
    } else {
      issues.add(new PatternIssue(argument, problem));
    }
  }

  private @Nullable String constant(CelExpr argument) {
    if (argument.getKind() == Kind.CONSTANT && argument.constant().getKind() == CelConstant.Kind.STRING_VALUE) {
      return argument.constant().stringValue();
    }
    var name = ReferencedNames.of(argument);
    return name != null && name.text().startsWith(ExpressionCompiler.SETTINGS)
        && settings.get(name.text().substring(ExpressionCompiler.SETTINGS.length())) instanceof String setting
            ? setting
            : null;
  }

  /** Null where the pattern compiles within the bound. */
  private static @Nullable String problem(String pattern) {
    try {
      var bound = PatternSize.of(pattern);
      if (bound > MAX_SIZE) {
        return "the pattern is too large: its repetitions multiply to about "
            + (bound == Long.MAX_VALUE ? "2^63" : bound)
            + " instructions, and at most " + MAX_SIZE + " are allowed";
      }
      var size = Pattern.compile(pattern).programSize();
      return size > MAX_SIZE
          ? "the pattern is too large: it compiles to " + size + " instructions, and at most " + MAX_SIZE
              + " are allowed"
          : null;
    } catch (PatternSyntaxException e) {
      return "no pattern of RE2: " + e.getMessage();
    } catch (IllegalArgumentException e) {
      return "the pattern cannot be used: " + e.getMessage();
    }
  }
}
