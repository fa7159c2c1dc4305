package io.tidemark.eventlog;

import io.tidemark.event.Rejection;
import io.tidemark.event.TargetState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The part of the interface that an event log covers. It must be large for a check to be meaningful. */
record InterfaceCoverage(EventLog eventLog) {

  Set<String> operations() {
    var operations = new TreeSet<String>();
    snapshots().forEach(each -> operations.add(each.getOperation()));
    return operations;
  }

  /** Returns the number of observations that were rejected because they were older than what was known. */
  long refused() {
    return snapshots().flatMap(each -> each.getRejections().stream())
        .filter(each -> each.getReason().equals("older"))
        .mapToLong(Rejection::getCount)
        .sum();
  }

  /** Returns the attributes of the table that no change in the event log contains. */
  Set<String> attributesNeverObserved() {
    var observed = new HashSet<String>();
    changes().forEach(change -> change.facets().forEach((facet, each) -> each.after().keySet()
        .forEach(name -> observed.add(change.resource() + "." + facet + "." + name))));
    var never = new TreeSet<String>();
    for (String resource : FacetTable.resources()) {
      FacetTable.of(resource).stream()
          .map(each -> resource + "." + each.facet() + "." + each.name())
          .filter(name -> !observed.contains(name) && !name.equals("ranking.order.entries"))
          .forEach(never::add);
    }
    return never;
  }

  List<RecordedChange> changes() {
    return eventLog.topics().resources().stream()
        .flatMap(each -> eventLog.in(each.changes()).map(entry -> new RecordedChange(each.resource(), entry)))
        .toList();
  }

  private Stream<TargetState> snapshots() {
    return eventLog.in(eventLog.topics().targetState()).map(entry -> (TargetState) entry.value());
  }
}
