package io.tidemark.change;

import io.tidemark.event.FacetMemory;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.TargetObservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What detection remembers of a resource between snapshots, read from the opaque bytes of its state. */
final class DetectionMemory {
  private final ResourceMemory memory;

  private DetectionMemory(ResourceMemory memory) {
    this.memory = memory;
  }

  static DetectionMemory empty() {
    return new DetectionMemory(
        ResourceMemory.newBuilder().setTargets(new ArrayList<>()).setFacets(new ArrayList<>()).build());
  }

  static DetectionMemory of(ByteBuffer bytes) {
    try {
      return new DetectionMemory(ResourceMemory.getDecoder().decode(bytes.duplicate()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ByteBuffer bytes() {
    try {
      return ResourceMemory.getEncoder().encode(memory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ResourceMemory values() {
    return memory;
  }

  /** Names of the targets that ever showed the resource. */
  List<String> targets() {
    return memory.getTargets();
  }

  /** Whether a target shows the resource, and no complete answer lacks it. */
  boolean isVisible() {
    return memory.getVisible() && memory.getRemoved() == null;
  }

  /** Index of a target among those that showed the resource; adds the target where it is new. */
  int indexOf(String target) {
    var index = memory.getTargets().indexOf(target);
    if (index < 0) {
      memory.getTargets().add(target);
    }
    return index < 0 ? memory.getTargets().size() - 1 : index;
  }

  /** Name of the target whose value of a facet stands. */
  String informant(FacetMemory facet) {
    return memory.getTargets().get(facet.getInformant());
  }

  @Nullable
  FacetMemory facet(String name) {
    return memory.getFacets().stream().filter(facet -> facet.getFacet().equals(name)).findFirst().orElse(null);
  }

  /** Adds a facet of which nothing is remembered yet. */
  FacetMemory addFacet(String name, int informant, Instant observedAt, @Nullable Instant asOf) {
    var facet = FacetMemory.newBuilder()
        .setFacet(name).setInformant(informant).setObservedAt(observedAt).setAsOf(asOf)
        .setObservations(new ArrayList<>()).build();
    memory.getFacets().add(facet);
    return facet;
  }

  /** When a facet was last published; null where it never was. */
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

  /** What a target last showed of a facet; null where it never showed it. */
  static @Nullable TargetObservation observation(FacetMemory facet, int target) {
    return facet.getObservations().stream().filter(each -> each.getTarget() == target).findFirst().orElse(null);
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
