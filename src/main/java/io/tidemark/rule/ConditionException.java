package io.tidemark.rule;

/** A condition that cannot be used: what is wrong with it, where, and where possible what was probably meant. */
public final class ConditionException extends IllegalArgumentException {

  private final int line;
  private final int column;
  private final String problem;

  ConditionException(int line, int column, String problem) {
    super("line %d, column %d: %s".formatted(line, column, problem));
    this.line = line;
    this.column = column;
    this.problem = problem;
  }

  /** The line of the condition's text, from 1. */
  public int line() {
    return line;
  }

  /** What is wrong, without the place. */
  public String problem() {
    return problem;
  }

  /** The column in that line, from 1. */
  public int column() {
    return column;
  }
}
