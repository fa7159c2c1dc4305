package io.tidemark.capture.change;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The drafts of one detection, backed by the known states. There is one draft for each resource that was opened or
 * found, but none for a resource that was only read.
 */
final class ResourceDrafts {
  private final KnownStates states;
  private final Map<Id, ResourceDraft> drafts = new LinkedHashMap<>();

  private record Id(ResourceKind kind, String key) {}

  ResourceDrafts(KnownStates states) {
    this.states = states;
  }

  /** Returns the draft of a resource, or a new draft if the resource has neither a draft nor a known state. */
  ResourceDraft open(ResourceKind kind, String key, IndexedRecord resource) {
    var known = find(kind, key);
    return known != null ? known : add(ResourceDraft.create(kind, key, resource));
  }

  /** Returns the draft of a resource, or null if the resource has neither a draft nor a known state. */
  @Nullable
  ResourceDraft find(ResourceKind kind, String key) {
    var open = findDraft(kind, key);
    if (open != null) {
      return open;
    }
    var state = states.find(kind.resource(), key);
    return state == null ? null : add(ResourceDraft.of(kind, key, state));
  }

  /** Returns the draft of a resource, or null if the resource has no draft. */
  @Nullable
  ResourceDraft findDraft(ResourceKind kind, String key) {
    return drafts.get(new Id(kind, key));
  }

  private ResourceDraft add(ResourceDraft draft) {
    drafts.put(new Id(draft.kind(), draft.key()), draft);
    return draft;
  }

  Collection<ResourceDraft> all() {
    return drafts.values();
  }

  /**
   * Returns the known values of a resource without opening a draft, or null if the resource has neither a draft nor a
   * known state.
   */
  @Nullable
  IndexedRecord known(ResourceKind kind, String key) {
    var open = findDraft(kind, key);
    if (open != null) {
      return open.known();
    }
    var state = states.find(kind.resource(), key);
    return state == null ? null : kind.states().known(state);
  }

  boolean isVisible(ResourceKind kind, String key) {
    var open = findDraft(kind, key);
    if (open != null) {
      return open.memory().isVisible();
    }
    var state = states.find(kind.resource(), key);
    return state != null && DetectionMemory.of(kind.states().memory(state)).isVisible();
  }
}
