package io.tidemark.change;

import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/** States in memory: what the ledger keeps, without Kafka. Holds every change it was given. */
final class Known implements States {
  final Map<String, SpecificRecord> states = new HashMap<>();
  final Map<String, TargetState> targets = new HashMap<>();
  final Map<String, TreeMap<Integer, TargetMembers>> members = new HashMap<>();
  final List<SpecificRecord> changes = new ArrayList<>();

  Outcome apply(Outcome outcome) {
    targets.put(outcome.target().getTarget(), outcome.target());
    outcome.members().forEach(
        page -> members.computeIfAbsent(page.getTarget(), any -> new TreeMap<>()).put(page.getPage(), page));
    outcome.entries().forEach(this::apply);
    return outcome;
  }

  void apply(Entry entry) {
    states.put(entry.resource() + " " + entry.key(), entry.state());
    if (entry.change() != null) {
      changes.add(entry.change());
    }
  }

  @Override
  public SpecificRecord find(String resource, String key) {
    return states.get(resource + " " + key);
  }

  @Override
  public TargetState target(String name) {
    return targets.get(name);
  }

  @Override
  public List<TargetMembers> members(String target) {
    return List.copyOf(members.getOrDefault(target, new TreeMap<>()).values());
  }
}
