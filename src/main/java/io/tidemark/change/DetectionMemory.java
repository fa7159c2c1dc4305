package io.tidemark.change;

import io.tidemark.event.FacetMemory;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.TargetObservation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** A resource's memory at work: which target showed what, and when what was emitted. */
final class DetectionMemory {
  private final ResourceMemory memory;

  private DetectionMemory(ResourceMemory memory) {
    this.memory = memory;
  }

  static DetectionMemory nothing() {
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

  /** Place of a target in the list of those that showed the resource. */
  int place(String target) {
    int place = memory.getTargets().indexOf(target);
    if (place >= 0) {
      return place;
    }
    memory.getTargets().add(target);
    return memory.getTargets().size() - 1;
  }

  String informant(FacetMemory facet) {
    return memory.getTargets().get(facet.getInformant());
  }

  @Nullable
  FacetMemory facet(String name) {
    for (FacetMemory facet : memory.getFacets()) {
      if (facet.getFacet().equals(name)) {
        return facet;
      }
    }
    return null;
  }

  /** Remembers a facet that nothing was known of. */
  FacetMemory begin(String name, int informant, Instant observedAt, @Nullable Instant asOf) {
    FacetMemory facet =
        FacetMemory.newBuilder()
            .setFacet(name)
            .setInformant(informant)
            .setObservedAt(observedAt)
            .setAsOf(asOf)
            .setObservations(new ArrayList<>())
            .build();
    memory.getFacets().add(facet);
    return facet;
  }

  /** What the target last showed of the facet; null where it never did. */
  static @Nullable TargetObservation showing(FacetMemory facet, int target) {
    for (TargetObservation showing : facet.getObservations()) {
      if (showing.getTarget() == target) {
        return showing;
      }
    }
    return null;
  }
}
