package io.tidemark.rule.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.event.PoolChange;
import io.tidemark.rule.expression.Expression.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expressions that were written to end the program: each is refused when it is checked, or fails when it runs. */
class HostileExpressionTest {

  static final Vocabulary POOL = Vocabulary.of(PoolChange.getClassSchema());
  static final Duration SOON = Duration.ofSeconds(20);
  static final String LONG_NAME = "ab".repeat(5_000);

  @ParameterizedTest
  @ValueSource(strings = {
    "(((((a{1,100}){1,100}){1,100}){1,100}){1,100})",
    "((a{1000}){1000}){1000}",
    "a{1000}b{1000}",
    "(a{0,1000}){2}",
    "(?:x{100}){100}",
    "((((((((((((a+){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}){2}",
    "[^]{9}x{1000}{1000}{1000}",
    "\\\\Q[\\\\E(((a{1,100}){1,100}){1,100})",
    "(a|b|c){900}{900}"
  })
  void patternThatCompilesToTooMuch_isRefusedBeforeItIsCompiled(String pattern) {
    assertTimeoutPreemptively(SOON, () -> assertThatThrownBy(() -> compiled("about.name.matches(\"" + pattern + "\")"))
        .isInstanceOf(ExpressionException.class)
        .hasMessageContaining("line 1, column 20")
        .hasMessageContaining("pattern"));
  }

  @Test
  void patternOfManyAlternatives_isRefusedByItsCompiledSize() {
    var alternatives = "abcdefgh|".repeat(400) + "z";

    assertThatThrownBy(() -> compiled("about.name.matches(\"" + alternatives + "\")"))
        .hasMessageContaining("the pattern is too large");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "about.name.matches(about.dex)",
    "matches(about.name, about.dex + \"x\")",
    "[\"a\"].exists(p, about.name.matches(p))",
    "about.name.matches(\"a\" + \"b\")"
  })
  void patternThatIsNoConstant_isRefused(String text) {
    assertThatThrownBy(() -> compiled(text)).hasMessageContaining("the pattern of matches() must be a text in quotes");
  }

  @Test
  void patternThatIsNone_isRefusedWithItsReason() {
    assertThatThrownBy(() -> compiled("about.name.matches(\"(a\")"))
        .hasMessageContaining("line 1, column 20").hasMessageContaining("missing closing )");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(((((", ")))))", "[[[[", "\\\\", "a{", "a{1", "a{,5}", "{5}", "[]", "[^", "(?P<n>a)", "[[:alpha:]"})
  void anyTextAsPattern_isRefusedOrCompiled(String pattern) {
    try {
      assertThat(compiled("about.name.matches(\"" + pattern + "\")").names()).containsExactly("about.name");
    } catch (ExpressionException e) {
      assertThat(e.issues()).isNotEmpty();
    }
  }

  @Test
  void settingsAsPatterns_areChecked() {
    assertThat(compiler(Map.of("name", "^x+$")).condition("about.name.matches(settings.name)")).isNotNull();
    assertThatThrownBy(
        () -> compiler(Map.of("name", "(x{1000}){1000}")).condition("about.name.matches(settings.name)"))
        .hasMessageContaining("too large");
  }

  @ParameterizedTest
  @MethodSource("costly")
  void evaluationBeyondTheBudget_fails(String text) {
    var condition = compiled(text);
    var change = SampleChanges.moved("1.0", "2.0");
    change.getAbout().setName(LONG_NAME);

    assertTimeoutPreemptively(SOON, () -> assertThatThrownBy(() -> test(condition, change))
        .isInstanceOf(EvaluationFailure.class)
        .hasMessageContaining("more than 50000 steps"));
  }

  static List<String> costly() {
    var hundred = Stream.iterate(1, n -> n + 1).limit(100).toList().toString();
    return List.of(
        "[about.name]" + ".map(a, a + a)".repeat(34) + ".size() > 0",
        "[[about.name]]" + ".map(a, a + a)".repeat(34) + ".size() > 0",
        "[network]" + ".map(a, a + a)".repeat(34) + ".size() > 0",
        "[1]" + ".map(a, [a, a])".repeat(40) + " == []",
        "[1]" + ".map(a, [a, a])".repeat(18) + " == [1]" + ".map(a, [a, a])".repeat(18),
        "[1]" + ".map(a, {\"l\": a, \"r\": a})".repeat(34) + ".size() > 5",
        "[[1]]" + ".map(a, dyn([a, a]))".repeat(34) + ".size() > 5",
        hundred + ".map(a, " + hundred + ".map(b, " + hundred + ".map(c, a * b * c))).size() == 7",
        hundred + ".all(a, " + hundred + ".all(b, " + hundred + ".all(c, a * b * c > 0)))",
        "false || " + hundred + ".all(a, " + hundred + ".all(b, " + hundred + ".all(c, a + b + c > 0))) || false",
        hundred + ".all(a, " + hundred + ".all(b, about.name.contains(about.name + \"c\")))",
        hundred + ".all(a, about.name.matches(\"(a|b|ab|ba){0,50}z\") || a > 0)",
        hundred + ".all(a, about.name.size() > a)",
        "about.name.matches(\"^(a|ab|b){0,50}$\") || true",
        "(about.name + about.name + about.name + about.name + about.name).contains(about.name + \"x\")");
  }

  @Test
  void sameRecord_failsTheSameWay() {
    var condition = compiled("[1]" + ".map(a, [a, a])".repeat(11) + ".size() == 1");
    var change = SampleChanges.moved("1.0", "2.0");

    var verdicts = Stream.generate(() -> test(condition, change)).limit(20).distinct();

    assertThat(verdicts).containsExactly(Verdict.TRUE);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "network != \"\" || about.name.matches(\"^abab[a-z]*$\")",
    "about.name.matches(\"ba{1,3}b\")",
    "about.name.size() > 9000 && about.name.startsWith(\"abab\")",
    "[1, 2, 3].exists(a, a == 2) && [\"x\", \"y\"].map(a, a + a).exists(a, a == \"yy\")",
    "about.name.contains(\"ba\") && \"ab\" in [\"ab\", \"cd\"]",
    "[[1, 2], [3]] == [[1, 2], [3]]"
  })
  void ordinaryExpressions_areFarBelowTheBudget(String text) {
    var change = SampleChanges.moved("1.0", "2.0");
    change.getAbout().setName(LONG_NAME);

    assertThat(test(compiled(text), change)).isEqualTo(Verdict.TRUE);
  }

  @Test
  void templateBeyondTheBudget_fails() {
    var template = Template.compile("{{ [1]" + ".map(a, [a, a])".repeat(30) + " }}", compiler(Map.of()));

    assertThatThrownBy(
        () -> template.fill(new EvaluatedRecord(SampleChanges.moved("1.0", "2.0"), SampleChanges.NOON)))
        .isInstanceOf(EvaluationFailure.class);
  }

  @Test
  void nestingBeyondTheLimit_isRefused() {
    assertThatThrownBy(() -> compiled("(".repeat(4_000) + "true" + ")".repeat(4_000)))
        .isInstanceOf(ExpressionException.class);
    assertThatThrownBy(() -> compiled("about.price_usd" + " + 1.0".repeat(1_500) + " > 0.0"))
        .isInstanceOf(ExpressionException.class);
    assertThatThrownBy(() -> compiled("[".repeat(4_000) + "]".repeat(4_000) + " == []"))
        .isInstanceOf(ExpressionException.class);
  }

  private static Verdict test(Expression condition, PoolChange change) {
    return condition.test(new EvaluatedRecord(change, SampleChanges.NOON));
  }

  private static Expression compiled(String text) {
    return compiler(Map.of()).condition(text);
  }

  private static ExpressionCompiler compiler(Map<String, Object> settings) {
    return new ExpressionCompiler(POOL, settings, true);
  }
}
