package io.tidemark.eventlog;

import io.tidemark.eventlog.ExpectedStates.Step;
import io.tidemark.eventlog.ObservedResource.Ref;
import io.tidemark.eventlog.RecordedChange.FacetChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The law that nothing is invented and nothing is missing: the changes of each snapshot are exactly the attributes
 * whose values in its bodies differ from what was known.
 */
final class BodyLaw {
  static final String INVENTED = "nothing is invented";
  static final String MISSING = "nothing is missing";

  /** Facets that no body contains; they have rules of their own. */
  private static final Set<String> DERIVED = Set.of("token.pool_price", "platform.nft");

  private final boolean everything;
  private final Consumer<Violation> violations;
  private final ExpectedStates expected = new ExpectedStates();
  private final PoolPriceRule poolPrices;

  /**
   * Creates the law for all snapshots of an event log.
   *
   * @param everything whether every difference must be published at once; otherwise it may be withheld
   */
  BodyLaw(boolean everything, Consumer<Violation> violations) {
    this.everything = everything;
    this.violations = violations;
    this.poolPrices = new PoolPriceRule(expected, violations);
  }

  /** Adds a snapshot and compares it with the changes that name it as their origin. */
  void take(SnapshotRecord snapshot, List<RecordedChange> changes) {
    Map<Ref, Step> steps = expected.take(snapshot);
    var recorded = new HashMap<Ref, RecordedChange>();
    for (RecordedChange change : changes) {
      if (everything && recorded.put(change.ref(), change) != null) {
        violations.accept(change.violation(INVENTED, "change", "one of a snapshot", "another of " + snapshot.name()));
      }
      Step step = steps.get(change.ref());
      if (step == null) {
        unseen(change);
      } else {
        hold(step, change);
      }
    }
    if (everything) {
      steps.values().stream().filter(step -> !recorded.containsKey(step.observation().ref()))
          .forEach(step -> silent(step, snapshot));
    }
    changes.forEach(poolPrices::check);
    changes.forEach(expected::noteChange);
  }

  /** Notes that the states of a kind of resources were rebuilt from their changes. */
  void rebuild(String resource) {
    expected.rebuild(resource);
  }

  /** Checks a change of a resource that its snapshot does not show: it may hold only withheld or derived values. */
  private void unseen(RecordedChange change) {
    for (String facet : changed(change)) {
      if (!DERIVED.contains(change.resource() + "." + facet) && !heldBack(change, facet)) {
        violations.accept(change.violation(INVENTED, facet, "nothing: " + change.snapshot() + " does not show it",
            change.facets().get(facet)));
      }
    }
  }

  private boolean heldBack(RecordedChange change, String facet) {
    ExpectedResource known = expected.find(change.ref());
    FacetChange recorded = change.facets().get(facet);
    return !everything && known != null && recorded != null && known.value(facet).equals(recorded.after());
  }

  private void hold(Step step, RecordedChange change) {
    step.observation().identity().forEach((field, value) -> {
      if (!value.equals(change.part(field))) {
        violations.accept(change.violation(INVENTED, field, value, change.part(field)));
      }
    });
    if (!Objects.equals(step.asOf(), change.origin().getAsOf())) {
      violations.accept(change.violation(INVENTED, "origin.as_of", step.asOf(), change.origin().getAsOf()));
    }
    Map<String, FacetChange> facets = change.facets();
    var names = new TreeSet<>(facets.keySet());
    names.addAll(step.known().names());
    for (String name : names) {
      FacetChange facet = facets.get(name);
      if (DERIVED.contains(change.resource() + "." + name)) {
        continue;
      }
      if (facet == null) {
        unsaid(step, change, name);
      } else {
        hold(step, change, name, facet);
      }
    }
  }

  private void hold(Step step, RecordedChange change, String name, FacetChange facet) {
    Map<String, Object> expected = step.known().value(name);
    if (step.open().containsKey(name) && !facet.after().equals(expected)) {
      step.open().get(name).run();
      expected = step.known().value(name);
    }
    if (!facet.after().equals(expected)) {
      differing(facet.after(), expected).forEach((attribute, pair) -> violations
          .accept(change.violation(INVENTED, name + "." + attribute, pair.get(0), pair.get(1))));
      step.known().put(name, facet.after());
    }
  }

  /** Returns the attributes that differ, each with the expected and the found value. */
  private static Map<String, List<Object>> differing(Map<String, Object> found, Map<String, Object> expected) {
    var differing = new HashMap<String, List<Object>>();
    var names = new TreeSet<>(found.keySet());
    names.addAll(expected.keySet());
    for (String name : names) {
      Object wanted = expected.getOrDefault(name, "null");
      Object is = found.getOrDefault(name, "null");
      if (!wanted.equals(is)) {
        differing.put(name, List.of(wanted, is));
      }
    }
    return differing;
  }

  private void unsaid(Step step, RecordedChange change, String name) {
    Map<String, Object> before = step.before().getOrDefault(name, Map.of());
    Map<String, Object> after = step.known().value(name);
    if (!everything || before.equals(after)) {
      return;
    }
    Runnable undo = step.open().get(name);
    if (undo == null) {
      violations.accept(change.violation(MISSING, name, after, "no change of it"));
    } else {
      undo.run();
    }
  }

  /** Checks a resource that a snapshot shows and that has no recorded change. */
  private void silent(Step step, SnapshotRecord snapshot) {
    for (String name : List.copyOf(step.known().names())) {
      Map<String, Object> before = step.before().getOrDefault(name, Map.of());
      Map<String, Object> after = step.known().value(name);
      if (before.equals(after) || DERIVED.contains(step.observation().resource() + "." + name)) {
        continue;
      }
      Runnable undo = step.open().get(name);
      if (undo == null) {
        report(step, snapshot, name, differing(before, after));
      } else {
        undo.run();
      }
    }
    if (step.first()) {
      report(step, snapshot, "first observation", "no change");
    }
  }

  private void report(Step step, SnapshotRecord snapshot, String where, @Nullable Object found) {
    violations.accept(new Violation(MISSING, step.observation().resource(), step.observation().key(), 0, where,
        "a change by " + snapshot.name(), found + " unsaid"));
  }

  private static List<String> changed(RecordedChange change) {
    var changed = new ArrayList<String>();
    change.facets().forEach((name, facet) -> {
      if (!facet.before().equals(facet.after())) {
        changed.add(name);
      }
    });
    return changed;
  }
}
