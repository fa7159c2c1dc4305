package io.tidemark.capture.change;

import io.tidemark.event.FacetMemory;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.ResourceMemoryCodec;
import io.tidemark.event.TargetObservation;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The values that detection remembers about a resource between snapshots. They are read from the bytes {@code memory}
 * of the resource's state. The informant of a facet is the target whose value of the facet counts as known.
 */
final class DetectionMemory {
  /**
   * Maximum number of targets whose observations of a resource are remembered. A further target that shows the
   * resource adds values that are not known yet. If it shows other values than the known ones, it is remembered in
   * place of a target that no longer shows the resource. It becomes informant of a facet if the facet's informant no
   * longer shows the resource.
   */
  static final int MOST_TARGETS = 16;

  private final ResourceMemory memory;

  private DetectionMemory(ResourceMemory memory) {
    this.memory = memory;
  }

  static DetectionMemory empty() {
    return new DetectionMemory(
        ResourceMemory.newBuilder().setTargets(new ArrayList<>()).setFacets(new ArrayList<>()).build());
  }

  static DetectionMemory of(ByteBuffer bytes) {
    return new DetectionMemory(ResourceMemoryCodec.read(bytes));
  }

  ResourceMemory values() {
    return memory;
  }

  /** Returns the names of the remembered targets that showed the resource, at most {@link #MOST_TARGETS}. */
  List<String> targets() {
    return memory.getTargets();
  }

  /** Returns whether the resource is visible and not removed. */
  boolean isVisible() {
    return memory.getVisible() && memory.getRemoved() == null;
  }

  /**
   * Returns whether the maximum number of targets is remembered, so that further targets may have shown the resource
   * too.
   */
  boolean isFull() {
    return memory.getTargets().size() >= MOST_TARGETS;
  }

  /** Returns the index of a remembered target, or a negative number if the target is not remembered. */
  int indexOf(String target) {
    return memory.getTargets().indexOf(target);
  }

  /** Remembers a target and returns its index, or returns a negative number if there is no room for the target. */
  int admit(String target) {
    var index = indexOf(target);
    if (index >= 0 || isFull()) {
      return index;
    }
    memory.getTargets().add(target);
    return memory.getTargets().size() - 1;
  }

  /**
   * Replaces a remembered target and its observations with another target, and returns the index of the new target.
   *
   * @param other name of the remembered target that is replaced; it must not be the informant of any facet
   */
  int replace(String other, String target) {
    var index = indexOf(other);
    memory.getFacets().forEach(facet -> facet.setObservations(new ArrayList<>(
        facet.getObservations().stream().filter(each -> each.getTarget() != index).toList())));
    memory.getTargets().set(index, target);
    return index;
  }

  /** Returns the remembered targets that are not the informant of any facet. */
  List<String> replaceable() {
    return IntStream.range(0, memory.getTargets().size())
        .filter(index -> memory.getFacets().stream().noneMatch(facet -> facet.getInformant() == index))
        .mapToObj(memory.getTargets()::get)
        .toList();
  }

  /** Returns the name of the target that is a facet's informant, or null if detection itself derives the facet. */
  @Nullable
  String informant(FacetMemory facet) {
    return facet.getInformant() < 0 ? null : memory.getTargets().get(facet.getInformant());
  }

  List<FacetMemory> informedBy(String target) {
    var index = indexOf(target);
    return index < 0
        ? List.of()
        : memory.getFacets().stream().filter(facet -> facet.getInformant() == index).toList();
  }

  @Nullable
  FacetMemory facet(String name) {
    for (var facet : memory.getFacets()) {
      if (facet.getFacet().equals(name)) {
        return facet;
      }
    }
    return null;
  }

  /**
   * Adds a facet about which nothing is remembered yet.
   *
   * @param informant index of the informant; negative if detection itself derives the facet
   */
  FacetMemory addFacet(String name, int informant, Instant observedAt, @Nullable Instant asOf) {
    var facet = FacetMemory.newBuilder()
        .setFacet(name).setInformant(informant).setObservedAt(observedAt).setAsOf(asOf)
        .setObservations(new ArrayList<>()).build();
    memory.getFacets().add(facet);
    return facet;
  }

  /** Returns the time at which a facet was last published, or null if the facet was never published. */
  @Nullable
  Instant publishedAt(String name) {
    var facet = facet(name);
    return facet == null ? null : facet.getPublishedAt();
  }

  void markPublished(String name, Instant at) {
    var facet = facet(name);
    if (facet != null) {
      facet.setPublishedAt(at);
      facet.setPublishedObservedAt(null);
    }
  }

  /** Returns the last observation of a facet by a target, or null if none is remembered. */
  static @Nullable TargetObservation observation(FacetMemory facet, int target) {
    for (var observation : facet.getObservations()) {
      if (observation.getTarget() == target) {
        return observation;
      }
    }
    return null;
  }

  /** @param digest fingerprint of the observation */
  static void setObservation(FacetMemory facet, int target, long digest) {
    var last = observation(facet, target);
    if (last == null) {
      facet.getObservations().add(new TargetObservation(target, digest));
    } else {
      last.setDigest(digest);
    }
  }
}
