package io.tidemark.rule.file;

import io.tidemark.rule.file.RuleException.Problem;
import io.tidemark.yaml.FilePosition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What was found wrong so far: reading goes on, so that all of it is told at once. */
final class Problems {

  private final List<Problem> found = new ArrayList<>();

  void add(FilePosition place, String what) {
    found.add(new Problem(place, what));
  }

  int count() {
    return found.size();
  }

  void raise() {
    if (!found.isEmpty()) {
      found.sort(Comparator.comparing((Problem problem) -> problem.position().file())
          .thenComparing(problem -> problem.position().line())
          .thenComparing(problem -> problem.position().column()));
      throw new RuleException(found);
    }
  }
}
