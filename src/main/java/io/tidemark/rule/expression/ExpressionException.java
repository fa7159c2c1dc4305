package io.tidemark.rule.expression;

import java.util.List;
import java.util.stream.Collectors;

/** A condition that cannot be used: all that is wrong with it, where, and where possible what was probably meant. */
public final class ExpressionException extends IllegalArgumentException {

  private final transient List<Issue> issues;

  /**
   * One thing that is wrong.
   *
   * @param line of the condition's text, from 1
   * @param column in that line, from 1
   * @param problem what is wrong, without the place
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

  /** @param slips at least one, in the order of the text */
  ExpressionException(List<Issue> slips) {
    super(slips.stream().map(Issue::toString).collect(Collectors.joining("\n")));
    this.issues = List.copyOf(slips);
  }

  /** What is wrong, in the order of the text. */
  public List<Issue> issues() {
    return issues;
  }
}
