package io.tidemark.rule.file;

import io.tidemark.yaml.FilePosition;
import java.util.List;
import java.util.stream.Collectors;

/** Rules that cannot be used: all that is wrong with them, each with its place. */
public final class RuleException extends IllegalArgumentException {

  private final transient List<Problem> problems;

  /** What is wrong, where, and where possible what was probably meant. */
  public record Problem(FilePosition position, String what) {
    @Override
    public String toString() {
      return position + ": " + what;
    }
  }

  RuleException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** In the order of the text. */
  public List<Problem> problems() {
    return problems;
  }
}
