package io.tidemark.rule.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelException;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.tidemark.rule.expression.ExpressionCompiler.ExpressionProblem;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The durations, times and time zones that are constants in expressions. If CEL cannot read such a constant, the call
 * that reads it never has a result.
 */
final class TimeLiterals {

  private static final CelCompiler COMPILER =
      CelCompilerFactory.standardCelCompilerBuilder().addVar("text", SimpleType.STRING).build();
  private static final CelRuntime.Program DURATION = program("duration(text)");
  private static final CelRuntime.Program TIMESTAMP = program("timestamp(text)");
  private static final CelRuntime.Program ZONE = program("timestamp('2026-01-01T00:00:00Z').getHours(text)");

  private TimeLiterals() {}

  private static CelRuntime.Program program(String text) {
    try {
      return Expression.RUNTIME.createProgram(COMPILER.compile(text).getAst());
    } catch (CelException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * @param settings values of the rule's settings, by their names in expressions; an empty text stands for an unset
   *     value and is no problem
   */
  static Stream<ExpressionProblem> problems(CelAbstractSyntaxTree checked, Map<String, Object> settings) {
    return CelNavigableAst.fromAst(checked).getRoot().allNodes()
        .filter(node -> node.getKind() == Kind.CALL && node.expr().call().args().size() == 1)
        .map(node -> node.expr().call())
        .flatMap(call -> Stream.ofNullable(problem(call, settings))
            .map(problem -> new ExpressionProblem(call.args().getFirst(), problem)));
  }

  private static @Nullable String problem(CelExpr.CelCall call, Map<String, Object> settings) {
    var text = ReferencedNames.constantText(call.args().getFirst(), settings);
    if (text == null || (text.isEmpty() && ReferencedNames.constantText(call.args().getFirst()) == null)) {
      return null;
    }
    var problem = call.function().equals("duration") && !isReadable(DURATION, text)
        ? "no duration; the units are h, m, s and ms, so 7 days are \"168h\""
        : call.function().equals("timestamp") && !isReadable(TIMESTAMP, text)
            ? "no time; a time is written \"2026-01-01T00:00:00Z\""
            : call.function().startsWith("get") && !isReadable(ZONE, text)
                ? "no time zone; a time zone is written \"Europe/Berlin\", \"UTC\" or \"+02:00\""
                : null;
    return problem == null ? null : "\"" + Template.bounded(text) + "\" is " + problem;
  }

  private static boolean isReadable(CelRuntime.Program program, String text) {
    try {
      program.eval(Map.of("text", text));
      return true;
    } catch (CelEvaluationException e) {
      return false;
    }
  }
}
