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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The patterns in the calls of {@code matches} in one expression. Patterns are constants and are compiled when the
 * expression is checked.
 */
final class ConstantPatterns {

  /**
   * Maximum number of instructions of a compiled pattern. The time to match a text grows with this number and with the
   * length of the text.
   */
  static final int MAX_SIZE = 1_000;

  /**
   * Compiled patterns of all expressions of the process. A pattern evicted from this cache is compiled again when used.
   */
  private static final LoadingCache<String, Pattern> COMPILED =
      Caffeine.newBuilder().maximumSize(1_000).build(Pattern::compile);

  private final Map<String, Object> settings;
  private final Map<Long, Integer> sizes = new HashMap<>();
  private final List<PatternIssue> issues = new ArrayList<>();

  private ConstantPatterns(Map<String, Object> settings) {
    this.settings = settings;
  }

  /** A problem of a pattern, and the argument of {@code matches} that has the problem. */
  record PatternIssue(CelExpr where, String problem) {}

  /**
   * Compiles the patterns in a checked expression.
   *
   * @param settings values of the rule's settings, by their names in expressions; a pattern may be a setting
   */
  static ConstantPatterns of(CelAbstractSyntaxTree checked, Map<String, Object> settings) {
    var patterns = new ConstantPatterns(settings);
    CelNavigableAst.fromAst(checked).getRoot().allNodes()
        .filter(node -> node.getKind() == Kind.CALL && node.expr().call().function().equals("matches"))
        .forEach(node -> patterns.add(node.expr().call().args().getLast()));
    return patterns;
  }

  /** Returns whether a text contains a match of a pattern. The CEL runtime calls this method for {@code matches}. */
  static boolean matches(String text, String pattern) {
    return COMPILED.get(pattern).matcher(text).find();
  }

  List<PatternIssue> issues() {
    return issues;
  }

  /** Returns the number of instructions of a pattern that has no issue. */
  int size(CelExpr pattern) {
    return Objects.requireNonNull(sizes.get(pattern.id()));
  }

  private void add(CelExpr argument) {
    var pattern = constant(argument);
    var problem = pattern == null
        ? "the pattern of matches() must be a text in quotes, or a setting whose value is a text"
        : problem(pattern);
    if (problem == null) {
      sizes.put(argument.id(), COMPILED.get(Objects.requireNonNull(pattern)).programSize());
    } else {
      issues.add(new PatternIssue(argument, problem));
    }
  }

  private @Nullable String constant(CelExpr argument) {
    var text = ReferencedNames.constantText(argument);
    return text == null && ReferencedNames.setting(argument, settings) instanceof String setting ? setting : text;
  }

  /** Returns the problem of a pattern, or null if it compiles within the limit. */
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
      return "not a valid RE2 pattern: " + e.getMessage();
    } catch (IllegalArgumentException e) {
      return "the pattern cannot be used: " + e.getMessage();
    }
  }

  /**
   * An upper bound on the number of instructions of a compiled pattern, computed from the text of the pattern. Nested
   * repetitions multiply. RE2 expands {@code (a{1,100}){1,100}} to 10,000 copies before it checks any limit, so the
   * bound is checked first.
   */
  static final class PatternSize {

    private static final int MAX_DEPTH = 100;

    /**
     * Instructions that are added for each group, and for each {@code *}, {@code +} or {@code ?}. A group needs two
     * instructions that mark its ends, and a repetition needs branches.
     */
    private static final long OVERHEAD = 2;

    private final String pattern;
    private int at;

    private PatternSize(String pattern) {
      this.pattern = pattern;
    }

    /**
     * Returns the upper bound, or {@link Long#MAX_VALUE} if the bound is larger than that. The result has no meaning
     * for a text that is not a valid pattern.
     *
     * @throws IllegalArgumentException if the size cannot be computed from the text
     */
    static long of(String pattern) {
      var size = new PatternSize(pattern);
      var sum = OVERHEAD;
      while (size.at < pattern.length()) {
        sum = LongMath.saturatedAdd(sum, size.alternatives(0));
        size.at++; // an unmatched closing parenthesis, which the compiler refuses
      }
      return sum;
    }

    /** Reads to the end of the group or pattern, and returns the number of instructions of the text read. */
    private long alternatives(int depth) {
      if (depth > MAX_DEPTH) {
        throw new IllegalArgumentException("the groups are nested more than " + MAX_DEPTH + " deep");
      }
      var sum = OVERHEAD;
      while (at < pattern.length() && pattern.charAt(at) != ')') {
        sum = LongMath.saturatedAdd(sum, repeated(atom(depth)));
      }
      return sum;
    }

    private long atom(int depth) {
      var first = pattern.charAt(at++);
      return switch (first) {
        case '(' -> group(depth);
        case '[' -> characterClass();
        case '\\' -> escape();
        default -> 1;
      };
    }

    private long group(int depth) {
      var size = alternatives(depth + 1);
      at++;
      return size;
    }

    /**
     * Reads a character class. A class is one instruction, but a long class counts as one for each 8 characters,
     * because each of its ranges is compared.
     */
    private long characterClass() {
      var begin = at;
      if (is('^')) {
        at++;
      }
      if (is(']')) {
        at++; // a bracket in first place is a literal character
      }
      while (at < pattern.length() && !is(']')) {
        at += is('\\') ? 2 : namedClassLength();
      }
      at++;
      return Math.max(1, (at - begin) / 8);
    }

    /**
     * Returns the length of a named class such as {@code [:alpha:]} at the current position, or 1 if no named class
     * begins there.
     */
    private int namedClassLength() {
      var end = pattern.startsWith("[:", at) ? pattern.indexOf(":]", at) : -1;
      return end < 0 ? 1 : end + 2 - at;
    }

    private long escape() {
      if (is('Q')) {
        throw new IllegalArgumentException("\\Q is not supported; write a backslash before each special character");
      }
      at++;
      return 1;
    }

    /** Reads the repetitions that follow an atom, and returns the size of the repeated atom. */
    private long repeated(long atom) {
      var size = atom;
      while (at < pattern.length()) {
        if (is('*') || is('+') || is('?')) {
          at++;
          size = LongMath.saturatedAdd(size, OVERHEAD);
        } else if (is('{')) {
          var end = pattern.indexOf('}', at);
          var times = end < 0 ? -1 : times(pattern.substring(at + 1, end));
          if (times < 0) {
            return size; // a brace that begins no repetition is a literal character, and so the next atom
          }
          at = end + 1;
          // each copy may need a branch
          size = LongMath.saturatedMultiply(LongMath.saturatedAdd(size, 1), times + 1);
        } else {
          return size;
        }
      }
      return size;
    }

    /**
     * Returns the largest number in the braces of a repetition, such as 5 for {@code 3,5}, or -1 if the text in the
     * braces is not a repetition. A number of more than six digits counts as 1,000,000.
     */
    private static long times(String counts) {
      if (!counts.matches("\\d+(,\\d*)?")) {
        return -1;
      }
      var largest = 0L;
      for (var number : counts.split(",", 2)) {
        largest = Math.max(largest, number.isEmpty() ? 0 : number.length() > 6 ? 1_000_000 : Long.parseLong(number));
      }
      return largest;
    }

    private boolean is(char character) {
      return at < pattern.length() && pattern.charAt(at) == character;
    }
  }
}
