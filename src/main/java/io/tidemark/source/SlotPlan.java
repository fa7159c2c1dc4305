package io.tidemark.source;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who ought to own which slot: whoever does already, if that is fair, else whoever has least to do. */
final class SlotPlan {

  private final Map<String, Set<Integer>> eligible;
  private final Map<String, Integer> loads = new HashMap<>();
  private final Map<Integer, String> plan = new TreeMap<>();

  private SlotPlan(Map<String, Set<Integer>> canWork) {
    this.eligible = canWork;
  }

  /**
   * A plan that is the same wherever it is made.
   *
   * @param canWork by member, the slots it can work
   * @param owners by slot, the member that owns it now
   */
  static Map<Integer, String> of(Map<String, Set<Integer>> canWork, Map<Integer, String> owners) {
    var slots = new TreeSet<Integer>();
    canWork.values().forEach(slots::addAll);
    var plan = new SlotPlan(canWork);
    slots.forEach(slot -> plan.retain(slot, owners.get(slot)));
    slots.forEach(plan::assignUnowned);
    new TreeMap<>(plan.plan).forEach(plan::balance);
    return plan.plan;
  }

  private void retain(int slot, @Nullable String owner) {
    if (owner != null && eligible.getOrDefault(owner, Set.of()).contains(slot)) {
      assign(slot, owner);
    }
  }

  private void assignUnowned(int slot) {
    if (!plan.containsKey(slot)) {
      assign(slot, candidates(slot).getFirst());
    }
  }

  /** Moves a slot where that makes the two involved more alike; a difference of one is fair. */
  private void balance(int slot, String owner) {
    var idlest = candidates(slot).getFirst();
    if (load(owner) - load(idlest) > 1) {
      loads.merge(owner, -1, Integer::sum);
      assign(slot, idlest);
    }
  }

  private void assign(int slot, String member) {
    plan.put(slot, member);
    loads.merge(member, 1, Integer::sum);
  }

  /** Those with least to do first. */
  private List<String> candidates(int slot) {
    return eligible.entrySet().stream()
        .filter(each -> each.getValue().contains(slot))
        .map(Map.Entry::getKey)
        .sorted(Comparator.comparing(this::load).thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  private int load(String member) {
    return loads.getOrDefault(member, 0);
  }
}
