package io.tidemark.change;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The resources that one sweep touches, each once. */
final class ResourceDrafts implements KnownResources {
  private final KnownStates states;
  private final Map<String, ResourceDraft> drafts = new LinkedHashMap<>();

  ResourceDrafts(KnownStates states) {
    this.states = states;
  }

  /** The draft of a resource; a new one where nothing is known of it. */
  ResourceDraft open(ResourceKind kind, String key, IndexedRecord identity) {
    ResourceDraft known = find(kind, key);
    return known != null ? known : begin(kind, key, ResourceDraft.first(kind, key, identity));
  }

  /** The draft of a resource that is known; null where it is not. */
  @Nullable
  ResourceDraft find(ResourceKind kind, String key) {
    ResourceDraft open = drafts.get(kind.name() + " " + key);
    if (open != null) {
      return open;
    }
    SpecificRecord state = states.find(kind.name(), key);
    return state == null ? null : begin(kind, key, ResourceDraft.of(kind, key, state));
  }

  private ResourceDraft begin(ResourceKind kind, String key, ResourceDraft draft) {
    drafts.put(kind.name() + " " + key, draft);
    return draft;
  }

  Collection<ResourceDraft> all() {
    return drafts.values();
  }

  /** What is remembered of a resource, without opening it; null where nothing is known of it. */
  @Nullable
  DetectionMemory memory(ResourceKind kind, String key) {
    ResourceDraft open = drafts.get(kind.name() + " " + key);
    if (open != null) {
      return open.memory;
    }
    SpecificRecord state = states.find(kind.name(), key);
    return state == null ? null : StateFields.memory(state);
  }

  @Override
  public @Nullable IndexedRecord known(ResourceKind kind, String key) {
    ResourceDraft open = drafts.get(kind.name() + " " + key);
    if (open != null) {
      return open.known;
    }
    SpecificRecord state = states.find(kind.name(), key);
    return state == null ? null : StateFields.known(state);
  }
}
