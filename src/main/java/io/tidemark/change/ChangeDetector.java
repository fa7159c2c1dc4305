package io.tidemark.change;

import io.tidemark.event.TargetState;
import io.tidemark.market.Failure;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What differs between two looks: a pure function from what is known and a sweep to what is new. */
public final class ChangeDetector {
  private final PublishDecision emission;
  private final ExpiryDetector timers;
  private final Instant watchingSince;

  /**
   * Detection for one source.
   *
   * @param worth what is worth an event
   * @param retention how long changes are kept: a resource's first change in each half of it carries all facets
   * @param forgetAfter how long after it was last seen a resource is forgotten
   * @param watchingSince when watching of the source began, ever
   * @param startedAt since when this life of the source looks
   */
  public ChangeDetector(PublishSettings worth, Duration retention, Duration forgetAfter, Instant watchingSince,
      Instant startedAt) {
    this.emission = new PublishDecision(worth, retention.dividedBy(2));
    this.timers = new ExpiryDetector(emission, forgetAfter, startedAt);
    this.watchingSince = watchingSince;
  }

  /** What a sweep comes to, given what is known. A body that cannot be read becomes a dead letter, never an error. */
  public ChangeSet detect(Snapshot snapshot, KnownStates states) {
    SnapshotContext look =
        new SnapshotContext(
            snapshot.target(),
            states.targetState(snapshot.target().name()),
            snapshot.observedAt(),
            watchingSince,
            states);
    TargetProgress target = new TargetProgress(look, snapshot);
    if (target.unchanged()) {
      return target.unchangedState();
    }
    if (target.older()) {
      return target.rejected();
    }
    if (snapshot.failure() instanceof Failure.NotFound && snapshot.pages().isEmpty()) {
      return SnapshotDetection.notFound(look, emission);
    }
    return new SnapshotDetection(look, target, emission).outcome();
  }

  /** When something of a resource is due that no sweep need bring; null where nothing is. */
  public @Nullable Instant nextDeadline(String resource, SpecificRecord state, KnownStates states, Instant now) {
    return timers.next(draft(resource, state), states, now);
  }

  /**
   * What of a resource is due by now: values held back, with the look that saw them as origin; that it is out of sight;
   * that it is forgotten. Null where nothing is.
   */
  public @Nullable ResourceUpdate onDeadline(String resource, SpecificRecord state, KnownStates states, Instant now) {
    return timers.expire(draft(resource, state), states, now);
  }

  /** When a target that is not looked at any more shows nothing. */
  public Instant staleAt(TargetState target) {
    return ResourceVisibility.staleAt(target);
  }

  /** Keys of the resources that a target shows, each with its resource's name. */
  public Map<String, String> resourcesOf(TargetState target, KnownStates states) {
    return ResourceVisibility.shownBy(target, states);
  }

  private static ResourceDraft draft(String resource, SpecificRecord state) {
    ResourceKind kind = ResourceKind.named(resource);
    return ResourceDraft.of(kind, kind.key(StateFields.known(state)), state);
  }

  /** Names of the facets of a resource, in the order of the schema. */
  public static List<String> facets(String resource) {
    return ResourceKind.named(resource).facets().stream().map(FacetRow::name).toList();
  }
}
