package io.tidemark.change;

import io.tidemark.event.TargetState;
import io.tidemark.market.Failure;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Detects what differs between two snapshots of a target: a pure function from what is known and a snapshot. */
public final class ChangeDetector {
  private final PublishDecision decision;
  private final ExpiryDetector expiries;
  private final Instant watchingSince;

  /**
   * A detector for one source.
   *
   * @param settings when a change of a facet is published
   * @param retention of changes: a resource's first change in each half of it is a key frame
   * @param evictAfter how long after its last observation a resource is evicted
   * @param watchingSince when watching of the source began, ever
   * @param startedAt when this session of the source began to poll
   */
  public ChangeDetector(
      PublishSettings settings, Duration retention, Duration evictAfter, Instant watchingSince, Instant startedAt) {
    this.decision = new PublishDecision(settings, retention.dividedBy(2));
    this.expiries = new ExpiryDetector(decision, evictAfter, startedAt);
    this.watchingSince = watchingSince;
  }

  /** What a snapshot changes. A body that cannot be read becomes a dead letter, never an error. */
  public ChangeSet detect(Snapshot snapshot, KnownStates states) {
    var before = states.targetState(snapshot.target().name());
    var context = new SnapshotContext(snapshot, before, watchingSince, states);
    if (context.isUnchanged()) {
      return context.unchanged();
    }
    if (context.isOlder()) {
      return context.rejected();
    }
    var detection = new SnapshotDetection(context, decision);
    return snapshot.failure() instanceof Failure.NotFound && snapshot.pages().isEmpty()
        ? detection.notFound()
        : detection.detect();
  }

  /** When something of a resource is due without a snapshot; null where nothing is while the resource is visible. */
  public @Nullable Instant nextDeadline(String resource, SpecificRecord state, KnownStates states, Instant now) {
    return expiries.nextDeadline(draft(resource, state), new ResourceVisibility(states, now));
  }

  /**
   * What is due of a resource by now: withheld values are published, with the snapshot that observed them as origin, or
   * the resource is not visible any more, or it is evicted. Null where nothing is due.
   */
  public @Nullable ResourceUpdate onDeadline(String resource, SpecificRecord state, KnownStates states, Instant now) {
    return expiries.onDeadline(draft(resource, state), new ResourceVisibility(states, now));
  }

  /** When a target that is not polled any more shows nothing. */
  public Instant staleAt(TargetState target) {
    return ResourceVisibility.staleAt(target);
  }

  /** Keys of the resources that a target shows, each with the name of its kind. */
  public Map<String, String> resourcesOf(TargetState target, KnownStates states) {
    return new ResourceVisibility(states, target.getObservedAt()).shownBy(target);
  }

  private static ResourceDraft draft(String resource, SpecificRecord state) {
    var kind = ResourceKind.named(resource);
    return ResourceDraft.of(kind, kind.key(kind.states().known(state)), state);
  }
}
