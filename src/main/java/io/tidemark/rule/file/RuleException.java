package io.tidemark.rule.file;

import io.tidemark.yaml.YamlException.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown if rules cannot be used. The message names every problem with its position, one a line. */
public final class RuleException extends IllegalArgumentException {

  private final transient List<Problem> problems;

  RuleException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** Returns the problems in the order of the files. */
  public List<Problem> problems() {
    return problems;
  }
}
