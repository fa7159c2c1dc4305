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

/** The values of a resource that detection remembers between snapshots, read from the opaque bytes of its state. */
final class DetectionMemory {
  /**
   * Maximum number of targets whose observations of a resource are remembered. A further target that shows it adds
   * unknown values, and replaces a target that no longer shows it, or becomes informant if the informant no longer
   * does.
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

  ByteBuffer bytes() {
    return ResourceMemoryCodec.write(memory);
  }

  ResourceMemory values() {
    return memory;
  }

  /** Returns the names of the targets that showed the resource, as far as they are remembered. */
  List<String> targets() {
    return memory.getTargets();
  }

  /** Returns whether a target shows the resource and no complete answer lacks it. */
  boolean isVisible() {
    return memory.getVisible() && memory.getRemoved() == null;
  }

  /** Returns whether the resource may have been shown by targets that are not remembered. */
  boolean isFull() {
    return memory.getTargets().size() >= MOST_TARGETS;
  }

  /** Returns the index of a target among the remembered ones, negative if it is not remembered. */
  int indexOf(String target) {
    return memory.getTargets().indexOf(target);
  }

  /** Remembers a target if there is room, and returns its index, negative if there is none. */
  int admit(String target) {
    var index = indexOf(target);
    if (index >= 0 || isFull()) {
      return index;
    }
    memory.getTargets().add(target);
    return memory.getTargets().size() - 1;
  }

  /** Remembers a target instead of another that is not the informant of any facet, and returns its index. */
  int replace(String other, String target) {
    var index = indexOf(other);
    forget(index);
    memory.getTargets().set(index, target);
    return index;
  }

  /** Returns the remembered targets that are not the informant of any facet. */
  List<String> replaceable() {
    return IntStream.range(0, memory.getTargets().size())
        .filter(index -> !isInformant(index))
        .mapToObj(memory.getTargets()::get)
        .toList();
  }

  private boolean isInformant(int index) {
    return memory.getFacets().stream().anyMatch(facet -> facet.getInformant() == index);
  }

  private void forget(int index) {
    memory.getFacets().forEach(facet -> facet.setObservations(new ArrayList<>(
        facet.getObservations().stream().filter(each -> each.getTarget() != index).toList())));
  }

  /** Returns the name of a facet's informant, the target whose value counts, or null if detection derives the facet. */
  @Nullable
  String informant(FacetMemory facet) {
    return facet.getInformant() < 0 ? null : memory.getTargets().get(facet.getInformant());
  }

  /** Returns the facets whose informant is a target. */
  List<FacetMemory> informedBy(String target) {
    var index = memory.getTargets().indexOf(target);
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

  /** Adds a facet of which nothing is remembered yet. */
  FacetMemory addFacet(String name, int informant, Instant observedAt, @Nullable Instant asOf) {
    var facet = FacetMemory.newBuilder()
        .setFacet(name).setInformant(informant).setObservedAt(observedAt).setAsOf(asOf)
        .setObservations(new ArrayList<>()).build();
    memory.getFacets().add(facet);
    return facet;
  }

  /** Returns when a facet was last published, or null if it never was. */
  @Nullable
  Instant publishedAt(String name) {
    var facet = facet(name);
    return facet == null ? null : facet.getPublishedAt();
  }

  /** Notes that the known value of a facet is published. */
  void markPublished(String name, Instant at) {
    var facet = facet(name);
    if (facet != null) {
      facet.setPublishedAt(at);
      facet.setPublishedObservedAt(null);
    }
  }

  /** Returns what a target last showed of a facet, or null if it never showed the facet. */
  static @Nullable TargetObservation observation(FacetMemory facet, int target) {
    for (var observation : facet.getObservations()) {
      if (observation.getTarget() == target) {
        return observation;
      }
    }
    return null;
  }

  /** Remembers what a target shows of a facet now. */
  static void setObservation(FacetMemory facet, int target, long digest) {
    var last = observation(facet, target);
    if (last == null) {
      facet.getObservations().add(new TargetObservation(target, digest));
    } else {
      last.setDigest(digest);
    }
  }
}
