package io.tidemark.rule.file;

import io.tidemark.yaml.FilePosition;
import io.tidemark.yaml.YamlException;
import io.tidemark.yaml.YamlException.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Collects the problems of rules while reading continues, so that one message names all problems. */
final class RuleProblems {

  private final List<Problem> problems = new ArrayList<>();

  void add(FilePosition position, String path, String text) {
    problems.add(new Problem(position, path, text));
  }

  void addAll(Collection<Problem> others) {
    problems.addAll(others);
  }

  /**
   * Runs a step of reading and returns its result. If the step throws a {@link YamlException}, adds its problem and
   * returns null.
   */
  <T> @Nullable T attempt(Supplier<? extends @Nullable T> step) {
    try {
      return step.get();
    } catch (YamlException e) {
      problems.add(e.problem());
      return null;
    }
  }

  /** Runs a step of reading. If the step throws a {@link YamlException}, adds its problem. */
  void collect(Runnable step) {
    attempt(() -> {
      step.run();
      return null;
    });
  }

  List<Problem> all() {
    return problems;
  }

  /** Throws a {@link RuleException} with the added problems, ordered by file and position, if any were added. */
  void throwIfAny() {
    if (!problems.isEmpty()) {
      problems.sort(Comparator.comparing((Problem problem) -> problem.position().file())
          .thenComparingInt(problem -> problem.position().line())
          .thenComparingInt(problem -> problem.position().column()));
      throw new RuleException(problems);
    }
  }
}
