package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.KnownStates;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/** The states of a source and, beside them, the fold of its changes as a consumer computes it. */
final class FoldedStates implements KnownStates {
  private final Map<String, SpecificRecord> states = new TreeMap<>();
  private final Map<String, TargetState> targets = new HashMap<>();
  private final Map<String, TreeMap<Integer, TargetMembers>> members = new HashMap<>();
  private final Map<String, Map<String, Map<String, Object>>> folded = new HashMap<>();
  private final Map<String, Long> revisions = new HashMap<>();

  /** Applies a change set and returns its changes. */
  List<ReceivedChange> take(ChangeSet changeSet) {
    targets.put(changeSet.targetState().getTarget(), SerializedCopy.again(changeSet.targetState()));
    for (TargetMembers page : changeSet.members()) {
      members.computeIfAbsent(page.getTarget(), any -> new TreeMap<>()).put(page.getPage(), page);
    }
    changeSet.updates().forEach(this::put);
    return changeSet.updates().stream().filter(update -> update.change() != null).map(ReceivedChange::of)
        .map(this::fold)
        .toList();
  }

  /** Applies one update that comes from no snapshot and returns its change. */
  ReceivedChange take(ResourceUpdate update) {
    put(update);
    return fold(ReceivedChange.of(update));
  }

  private void put(ResourceUpdate update) {
    states.put(name(update.resource(), update.key()), SerializedCopy.again(update.state()));
  }

  private ReceivedChange fold(ReceivedChange changed) {
    String name = name(changed.resource(), changed.key());
    assertThat(changed.revision()).as("revision of %s", changed).isEqualTo(revisions.merge(name, 1L, Long::sum));
    for (Schema.Field field : changed.change().getSchema().getFields()) {
      if (changed.change().get(field.pos()) instanceof IndexedRecord part
          && part.getSchema().getField("after") != null) {
        fold(folded.computeIfAbsent(name, any -> new HashMap<>()), field.name(), changed);
      }
    }
    return changed;
  }

  private static void fold(Map<String, Map<String, Object>> facets, String facet, ReceivedChange changed) {
    assertThat(changed.before(facet)).as("before of %s in %s", facet, changed)
        .isEqualTo(facets.getOrDefault(facet, Map.of()));
    facets.put(facet, changed.after(facet));
  }

  /** Asserts that the fold of the changes equals the known states without the withheld values. */
  void assertFoldIsState() {
    for (Map.Entry<String, SpecificRecord> state : states.entrySet()) {
      IndexedRecord known = (IndexedRecord) Attributes.get(state.getValue(), "known");
      for (Schema.Field field : known.getSchema().getFields()) {
        if (Attributes.notNull(field.schema()).getType() == Schema.Type.RECORD && !field.name().equals("order")) {
          assertThat(folded.getOrDefault(state.getKey(), Map.of()).getOrDefault(field.name(), Map.of()))
              .as("fold of %s of %s", field.name(), state.getKey())
              .isEqualTo(published(state.getValue(), field.name()));
        }
      }
    }
  }

  /** Returns the last published values of a facet, read from the state. */
  private static Map<String, Object> published(SpecificRecord state, String facet) {
    var withheld = (IndexedRecord) Attributes.get(state, "withheld");
    boolean isWithheld = withheld != null && ((List<?>) Attributes.get(withheld, "facets")).contains(facet);
    var resource = (IndexedRecord) (isWithheld ? Attributes.get(withheld, "values") : Attributes.get(state, "known"));
    return Attributes.of((IndexedRecord) Attributes.get(resource, facet));
  }

  /** Returns what is known of a resource. */
  IndexedRecord known(String resource, String key) {
    return (IndexedRecord) Attributes.get(find(resource, key), "known");
  }

  Map<String, Object> known(String resource, String key, String facet) {
    return Attributes.of((IndexedRecord) Attributes.get(known(resource, key), facet));
  }

  /** Returns the keys of all resources of a kind. */
  List<String> keys(String resource) {
    return states.keySet().stream()
        .filter(name -> name.startsWith(resource + " "))
        .map(name -> name.substring(resource.length() + 1))
        .toList();
  }

  /** Returns a copy of all states, for comparison. */
  Map<String, SpecificRecord> states() {
    return Map.copyOf(states);
  }

  @Override
  public SpecificRecord find(String resource, String key) {
    return states.get(name(resource, key));
  }

  @Override
  public TargetState targetState(String name) {
    return targets.get(name);
  }

  @Override
  public List<TargetMembers> members(String target) {
    return List.copyOf(members.getOrDefault(target, new TreeMap<>()).values());
  }

  @Override
  public Set<String> targetsWithMember(String key) {
    return members.keySet().stream()
        .filter(target -> members.get(target).values().stream().anyMatch(page -> page.getMembers().contains(key)))
        .collect(Collectors.toSet());
  }

  private static String name(String resource, String key) {
    return resource + " " + key;
  }
}
