package io.tidemark.change;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The resources that one sweep touches, each once. */
final class Drafts implements Names {
  private final States states;
  private final Map<String, Draft> drafts = new LinkedHashMap<>();

  Drafts(States states) {
    this.states = states;
  }

  /** The draft of a resource; a new one where nothing is known of it. */
  Draft open(Kind kind, String key, IndexedRecord identity) {
    Draft known = find(kind, key);
    return known != null ? known : begin(kind, key, Draft.first(kind, key, identity));
  }

  /** The draft of a resource that is known; null where it is not. */
  @Nullable
  Draft find(Kind kind, String key) {
    Draft open = drafts.get(kind.name() + " " + key);
    if (open != null) {
      return open;
    }
    SpecificRecord state = states.find(kind.name(), key);
    return state == null ? null : begin(kind, key, Draft.of(kind, key, state));
  }

  private Draft begin(Kind kind, String key, Draft draft) {
    drafts.put(kind.name() + " " + key, draft);
    return draft;
  }

  Collection<Draft> all() {
    return drafts.values();
  }

  /** What is remembered of a resource, without opening it; null where nothing is known of it. */
  @Nullable
  Remembered memory(Kind kind, String key) {
    Draft open = drafts.get(kind.name() + " " + key);
    if (open != null) {
      return open.memory;
    }
    SpecificRecord state = states.find(kind.name(), key);
    return state == null ? null : StateRecord.memory(state);
  }

  @Override
  public @Nullable IndexedRecord known(Kind kind, String key) {
    Draft open = drafts.get(kind.name() + " " + key);
    if (open != null) {
      return open.known;
    }
    SpecificRecord state = states.find(kind.name(), key);
    return state == null ? null : StateRecord.known(state);
  }
}
