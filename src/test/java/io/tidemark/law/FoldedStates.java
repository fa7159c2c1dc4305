package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.ChangeSet;
import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.change.KnownStates;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/** What a source knows, and beside it what someone knows who only has the changes: the fold. */
final class FoldedStates implements KnownStates {
  private final Map<String, SpecificRecord> states = new TreeMap<>();
  private final Map<String, TargetState> targets = new HashMap<>();
  private final Map<String, TreeMap<Integer, TargetMembers>> members = new HashMap<>();
  private final Map<String, Map<String, Map<String, Object>>> folded = new HashMap<>();
  private final Map<String, Long> revisions = new HashMap<>();

  /** Takes all of it in; answers the changes. */
  List<ReceivedChange> take(ChangeSet outcome) {
    targets.put(outcome.targetState().getTarget(), SerializedCopy.again(outcome.targetState()));
    for (TargetMembers page : outcome.members()) {
      members.computeIfAbsent(page.getTarget(), any -> new TreeMap<>()).put(page.getPage(), page);
    }
    outcome.updates().forEach(this::put);
    return outcome.updates().stream().filter(entry -> entry.change() != null).map(ReceivedChange::of).map(this::fold)
        .toList();
  }

  /** The same of one entry that no sweep brought. */
  ReceivedChange take(ResourceUpdate entry) {
    put(entry);
    return fold(ReceivedChange.of(entry));
  }

  private void put(ResourceUpdate entry) {
    states.put(name(entry.resource(), entry.key()), SerializedCopy.again(entry.state()));
  }

  private ReceivedChange fold(ReceivedChange changed) {
    String name = name(changed.resource(), changed.key());
    assertThat(changed.revision()).as("revision of " + changed).isEqualTo(revisions.merge(name, 1L, Long::sum));
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

  /** Holds all that was emitted against all that is known, less what is held back. */
  void assertFoldIsState() {
    for (Map.Entry<String, SpecificRecord> state : states.entrySet()) {
      IndexedRecord known = (IndexedRecord) Attributes.get(state.getValue(), "known");
      for (Schema.Field field : known.getSchema().getFields()) {
        if (Attributes.notNull(field.schema()).getType() == Schema.Type.RECORD && !field.name().equals("order")) {
          assertThat(folded.getOrDefault(state.getKey(), Map.of()).getOrDefault(field.name(), Map.of()))
              .as("fold of %s of %s", field.name(), state.getKey())
              .isEqualTo(said(state.getValue(), field.name()));
        }
      }
    }
  }

  /** A facet as it was last emitted, by the state. */
  private static Map<String, Object> said(SpecificRecord state, String facet) {
    var said = (IndexedRecord) Attributes.get(state, "withheld");
    boolean held = said != null && ((List<?>) Attributes.get(said, "facets")).contains(facet);
    var resource = (IndexedRecord) (held ? Attributes.get(said, "values") : Attributes.get(state, "known"));
    return Attributes.of((IndexedRecord) Attributes.get(resource, facet));
  }

  /** What is known of a resource. */
  IndexedRecord known(String resource, String key) {
    return (IndexedRecord) Attributes.get(find(resource, key), "known");
  }

  Map<String, Object> known(String resource, String key, String facet) {
    return Attributes.of((IndexedRecord) Attributes.get(known(resource, key), facet));
  }

  /** Keys of all resources of a kind. */
  List<String> keys(String resource) {
    return states.keySet().stream()
        .filter(name -> name.startsWith(resource + " "))
        .map(name -> name.substring(resource.length() + 1))
        .toList();
  }

  /** All that is known, to be compared. */
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

  private static String name(String resource, String key) {
    return resource + " " + key;
  }
}
