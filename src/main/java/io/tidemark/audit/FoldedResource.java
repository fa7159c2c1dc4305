package io.tidemark.audit;

import io.tidemark.audit.ResourceChecker.NewestState;
import io.tidemark.event.Origin;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fold of the changes of one resource: the hash of each facet, and which change set it. */
final class FoldedResource {

  private static final long UNKNOWN = -1;

  private final long[] hashes;
  private final long[] setAt;
  private final int[] informants;
  private final long[] asOf;
  private final long[] hashesBefore;
  private long generation;
  private long revision;
  private long offset;
  private boolean complete;
  private long settledGeneration;
  private long settledRevision;
  private @Nullable String removed;

  /** Of a ranking: its members; null while they are unknown. */
  @Nullable
  List<String> order;

  /** Of a ranking: the target of its newest snapshot. */
  @Nullable
  String target;

  FoldedResource(int facets) {
    hashes = new long[facets];
    setAt = new long[facets];
    informants = new int[facets];
    asOf = new long[facets];
    hashesBefore = new long[facets];
    Arrays.fill(setAt, UNKNOWN);
    Arrays.fill(asOf, UNKNOWN);
  }

  /** Starts a generation, without any facet. */
  void begin(long at) {
    Arrays.fill(hashes, ValueHash.NULL);
    Arrays.fill(setAt, at);
    Arrays.fill(asOf, UNKNOWN);
    order = List.of();
    complete = true;
  }

  void set(int facet, long hash, long at) {
    hashes[facet] = hash;
    setAt[facet] = at;
  }

  /** Notes from which value, by which target, as of when by the service's own time, a facet changed. */
  void setInformant(int facet, Origin origin, long hashBefore) {
    informants[facet] = origin.getTarget().hashCode();
    asOf[facet] = origin.getAsOf() == null ? UNKNOWN : origin.getAsOf().toEpochMilli();
    hashesBefore[facet] = hashBefore;
  }

  /** Whether a change takes back the last one of a facet, which another target showed as of almost the same time. */
  boolean isFlip(int facet, Origin origin, long hash, Duration tolerance) {
    return asOf[facet] != UNKNOWN
        && origin.getAsOf() != null
        && hashesBefore[facet] == hash
        && informants[facet] != origin.getTarget().hashCode()
        && Math.abs(origin.getAsOf().toEpochMilli() - asOf[facet]) <= tolerance.toMillis();
  }

  /** Whether a change in range set the facet. */
  boolean isKnown(int facet) {
    return setAt[facet] != UNKNOWN;
  }

  long hash(int facet) {
    return hashes[facet];
  }

  /** The offset of the change that set the facet. */
  long setAt(int facet) {
    return setAt[facet];
  }

  /** @param settled whether the state of this change was committed before states were read */
  void end(AuditedChange change, boolean settled) {
    generation = change.generation();
    revision = change.revision();
    offset = change.record().offset();
    removed = change.removed();
    complete = complete || change.isKeyFrame();
    if (settled) {
      settledGeneration = generation;
      settledRevision = revision;
    }
  }

  long generation() {
    return generation;
  }

  long revision() {
    return revision;
  }

  /** The offset of the newest change. */
  long offset() {
    return offset;
  }

  /** Whether all facets are known: a key frame is in range. */
  boolean isComplete() {
    return complete;
  }

  /** The reason of the removal by the newest change; null where it is none. */
  @Nullable
  String removed() {
    return removed;
  }

  boolean isEvicted() {
    return "evicted".equals(removed);
  }

  /** Whether its newest change came after states were read. */
  boolean hasChangedMeanwhile() {
    return generation != settledGeneration || revision != settledRevision;
  }

  /** Whether a state is older than the settled changes. */
  boolean isAheadOf(NewestState state) {
    return state.isBefore(settledGeneration, settledRevision);
  }
}
