package io.tidemark.rule.expression;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.common.math.LongMath;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import io.tidemark.rule.expression.ExpressionCompiler.ExpressionProblem;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The regular expressions that expressions pass to {@code matches}. Each has to be a constant, and is compiled when its
 * expression is checked.
 */
final class ConstantPatterns {

  /**
   * Maximum number of instructions of a compiled pattern. The time to match a text grows with this number and with the
   * length of the text.
   */
  static final int MAX_SIZE = 1_000;

  private static final int MAX_DEPTH = 100;

  /**
   * Instructions that are added for each group, and for each {@code *}, {@code +} or {@code ?}. A group needs two
   * instructions that mark its ends, and a repetition needs branches.
   */
  private static final long OVERHEAD = 2;

  /** A part of a pattern: an escape, a character class, a repetition, or a single character. */
  private static final Pattern PART =
      Pattern.compile("(?s)\\\\.?|\\[\\^?\\]?(?:\\\\.|\\[:.*?:\\]|[^\\]\\\\])*\\]?|\\{\\d+(?:,\\d*)?\\}|.");

  /**
   * Compiled patterns of all expressions of the process. A pattern evicted from this cache is compiled again when used.
   */
  private static final LoadingCache<String, Pattern> COMPILED =
      Caffeine.newBuilder().maximumSize(1_000).build(Pattern::compile);

  private ConstantPatterns() {}

  /** @param settings values of the rule's settings, by their names in expressions; a pattern may be a setting */
  static Stream<ExpressionProblem> problems(CelAbstractSyntaxTree checked, Map<String, Object> settings) {
    return CelNavigableAst.fromAst(checked).getRoot().allNodes()
        .filter(node -> node.getKind() == Kind.CALL && node.expr().call().function().equals("matches"))
        .map(node -> node.expr().call().args().getLast())
        .flatMap(argument -> Stream.ofNullable(problem(ReferencedNames.constantText(argument, settings)))
            .map(problem -> new ExpressionProblem(argument, problem)));
  }

  /** Returns whether a text contains a match of a pattern. The CEL runtime calls this method for {@code matches}. */
  static boolean matches(String text, String pattern) {
    return COMPILED.get(pattern).matcher(text).find();
  }

  /** Returns the number of instructions of a pattern that has no problem. */
  static int size(CelExpr pattern, Map<String, Object> settings) {
    return COMPILED.get(Objects.requireNonNull(ReferencedNames.constantText(pattern, settings))).programSize();
  }

  /** Returns the problem of a pattern, or null if it compiles within the limit. */
  private static @Nullable String problem(@Nullable String pattern) {
    if (pattern == null) {
      return "the pattern of matches() must be a text in quotes, or a setting whose value is a text";
    }
    try {
      var bound = maxCompiledSize(pattern);
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
      return "not a valid RE2 pattern: " + e.getMessage();
    } catch (IllegalArgumentException e) {
      return "the pattern cannot be used: " + e.getMessage();
    }
  }

  /**
   * Returns an upper bound on the number of instructions of a compiled pattern, computed from the text of the pattern.
   * Nested repetitions multiply. RE2 expands {@code (a{1,100}){1,100}} to 10,000 copies before it checks any limit, so
   * the bound is checked first. The bound is {@link Long#MAX_VALUE} if it is larger than that. It has no meaning for a
   * text that is not a valid pattern.
   *
   * @throws IllegalArgumentException if the bound cannot be computed from the text
   */
  static long maxCompiledSize(String pattern) {
    var outer = new ArrayDeque<Long>();
    var sum = 2 * OVERHEAD;
    var last = 0L; // size of the atom that repetitions multiply; 0 if there is none
    for (var parts = PART.matcher(pattern); parts.find();) {
      var part = parts.group();
      var first = part.charAt(0);
      if (part.equals("\\Q")) {
        throw new IllegalArgumentException("\\Q is not supported; write a backslash before each special character");
      } else if (last > 0 && "*+?".indexOf(first) >= 0) {
        last = LongMath.saturatedAdd(last, OVERHEAD);
      } else if (last > 0 && first == '{' && part.length() > 1) {
        // each copy may need a branch
        last = LongMath.saturatedMultiply(LongMath.saturatedAdd(last, 1), times(part) + 1);
      } else if (first == ')') {
        last = LongMath.saturatedAdd(sum, last);
        sum = outer.isEmpty() ? OVERHEAD : outer.pop(); // the compiler refuses an unmatched parenthesis
      } else {
        sum = LongMath.saturatedAdd(sum, last);
        // a long class counts as one instruction for each 8 characters, because each of its ranges is compared
        last = first == '(' ? 0 : first == '[' ? Math.max(1, (part.length() - 1) / 8) : 1;
        if (first == '(') {
          outer.push(sum);
          sum = OVERHEAD;
        }
      }
      if (outer.size() > MAX_DEPTH) {
        throw new IllegalArgumentException("the groups are nested more than " + MAX_DEPTH + " deep");
      }
    }
    return outer.stream().reduce(LongMath.saturatedAdd(sum, last), LongMath::saturatedAdd);
  }

  /** Returns the largest number in a repetition, at most 1,000,000, such as 5 for {@code {3,5}}. */
  private static long times(String repetition) {
    return Stream.of(repetition.split("\\D+"))
        .mapToLong(number -> number.isEmpty() ? 0 : number.length() > 6 ? 1_000_000 : Long.parseLong(number))
        .max()
        .orElse(0);
  }
}
