package io.tidemark.tape;

import io.tidemark.event.Refusal;
import io.tidemark.event.TargetState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** How much of the interface a tape tells of: a check of little proves little. */
record Coverage(Tape tape) {

  Set<String> operations() {
    var operations = new TreeSet<String>();
    looks().forEach(each -> operations.add(each.getOperation()));
    return operations;
  }

  /** Observations that were not believed, being older than what was known. */
  long refused() {
    return looks().flatMap(each -> each.getRefusals().stream())
        .filter(each -> each.getReason().equals("older"))
        .mapToLong(Refusal::getCount)
        .sum();
  }

  /** Attributes of the table that no change of the tape shows. */
  Set<String> attributesNeverShown() {
    var shown = new HashSet<String>();
    changes().forEach(change -> change.facets().forEach((facet, each) -> each.after().keySet()
        .forEach(name -> shown.add(change.resource() + "." + facet + "." + name))));
    var never = new TreeSet<String>();
    for (String resource : Facets.resources()) {
      Facets.of(resource).stream()
          .map(each -> resource + "." + each.facet() + "." + each.name())
          .filter(name -> !shown.contains(name) && !name.equals("ranking.order.entries"))
          .forEach(never::add);
    }
    return never;
  }

  List<Change> changes() {
    return tape.topics().resources().stream()
        .flatMap(each -> tape.in(each.changes()).map(entry -> new Change(each.resource(), entry)))
        .toList();
  }

  private Stream<TargetState> looks() {
    return tape.in(tape.topics().targetState()).map(entry -> (TargetState) entry.value());
  }
}
