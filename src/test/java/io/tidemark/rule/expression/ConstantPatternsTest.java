package io.tidemark.rule.expression;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConstantPatternsTest {

  static final List<String> ATOMS = List.of(
      "a", ".", "\\d", "\\pL", "\\x{1F600}", "[a-z]", "[^]x]", "[[:alpha:]_]", "[\\]{9}]", "\\(", "\\{", "^", "$",
      "\\b",
      "(?i)k", "{", "é");
  static final List<String> SUFFIXES = List.of("", "", "*", "+?", "?", "{3}", "{2,}", "{0,4}", "{,5}", "{1,12}?");

  private final Random random = new Random(7);

  @Test
  void bound_isNeverBelowTheCompiledSize() {
    for (var i = 0; i < 5_000; i++) {
      var pattern = pattern(3);
      if (ConstantPatterns.maxCompiledSize(pattern) <= 50_000 && isValid(pattern)) {
        assertThat(ConstantPatterns.maxCompiledSize(pattern)).as(pattern)
            .isGreaterThanOrEqualTo(Pattern.compile(pattern).programSize());
      }
    }
  }

  @Test
  void ordinaryPatterns_areFarBelowTheLimit() {
    assertThat(List.of("^0x[0-9a-fA-F]{40}$", "(?i)\\b(usd[tc]?|dai|frax)\\b", "^[1-9A-HJ-NP-Za-km-z]{32,44}$"))
        .allMatch(pattern -> ConstantPatterns.maxCompiledSize(pattern) < ConstantPatterns.MAX_SIZE / 3);
  }

  private String pattern(int depth) {
    var text = new StringBuilder();
    for (var i = random.nextInt(4); i >= 0; i--) {
      text.append(switch (depth == 0 ? 0 : random.nextInt(4)) {
        case 1 -> "(" + pattern(depth - 1) + ")";
        case 2 -> "(?:" + pattern(depth - 1) + "|" + pattern(depth - 1) + ")";
        default -> ATOMS.get(random.nextInt(ATOMS.size()));
      });
      text.append(SUFFIXES.get(random.nextInt(SUFFIXES.size())));
    }
    return text.toString();
  }

  private static boolean isValid(String pattern) {
    try {
      Pattern.compile(pattern);
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }
}
