package io.tidemark.rule;

import io.tidemark.rule.RuleException.Problem;
import io.tidemark.yaml.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What was found wrong so far: reading goes on, so that all of it is told at once. */
final class Problems {

  private final List<Problem> found = new ArrayList<>();

  void add(Place place, String what) {
    found.add(new Problem(place, what));
  }

  int count() {
    return found.size();
  }

  void raise() {
    if (!found.isEmpty()) {
      found.sort(Comparator.comparing((Problem problem) -> problem.place().file())
          .thenComparing(problem -> problem.place().line())
          .thenComparing(problem -> problem.place().column()));
      throw new RuleException(found);
    }
  }
}
