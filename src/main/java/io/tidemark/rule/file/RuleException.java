package io.tidemark.rule.file;

import io.tidemark.yaml.YamlException.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** Thrown if rules cannot be used. Each line of the message names one problem and its position. */
public final class RuleException extends IllegalArgumentException {

  private final transient List<Problem> problems;

  RuleException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
