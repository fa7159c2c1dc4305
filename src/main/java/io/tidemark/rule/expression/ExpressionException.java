package io.tidemark.rule.expression;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown if an expression or a template cannot be compiled. The message names each issue with its line and column. */
public final class ExpressionException extends IllegalArgumentException {

  private final transient List<Issue> issues;

  /**
   * One problem in the text of an expression or a template.
   *
   * @param line line in the text, from 1
   * @param column column in the line, from 1
   * @param problem description of the problem and, if possible, of what was probably meant
   */
  public record Issue(int line, int column, String problem) {
    @Override
    public String toString() {
      return "line %d, column %d: %s".formatted(line, column, problem);
    }
  }

  ExpressionException(int line, int column, String problem) {
    this(List.of(new Issue(line, column, problem)));
  }

  /** @param issues at least one issue, in the order of the issues' positions in the text */
  ExpressionException(List<Issue> issues) {
    super(issues.stream().map(Issue::toString).collect(Collectors.joining("\n")));
    this.issues = List.copyOf(issues);
  }

  public List<Issue> issues() {
    return issues;
  }
}
