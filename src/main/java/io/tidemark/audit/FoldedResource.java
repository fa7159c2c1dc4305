package io.tidemark.audit;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes of one resource, folded: of each facet its fingerprint, and which change said it last. */
final class FoldedResource {

  private static final long UNKNOWN = -1;

  private final long[] hashes;
  private final long[] lastChangedAt;
  private long generation;
  private long revision;
  private long offset;
  private boolean complete;
  private long settledGeneration;
  private long settledRevision;
  private @Nullable String removed;

  /** Of a list: what is in it; null while that is not known. */
  @Nullable
  List<String> order;

  /** Of a list: the target that its order was seen at. */
  @Nullable
  String target;

  FoldedResource(int facets) {
    hashes = new long[facets];
    lastChangedAt = new long[facets];
    Arrays.fill(lastChangedAt, UNKNOWN);
  }

  /** A life begins: nothing was said of any facet. */
  void begin(long offset) {
    Arrays.fill(hashes, ValueHash.NULL);
    Arrays.fill(lastChangedAt, offset);
    order = List.of();
    complete = true;
  }

  void set(int facet, long hash, long offset) {
    hashes[facet] = hash;
    lastChangedAt[facet] = offset;
  }

  /** Whether what was said last of a facet is in range. */
  boolean knows(int facet) {
    return lastChangedAt[facet] != UNKNOWN;
  }

  long hash(int facet) {
    return hashes[facet];
  }

  /** Offset of the change that said a facet last. */
  long lastChangedAt(int facet) {
    return lastChangedAt[facet];
  }

  /** @param settled whether its state was to be seen when states were read */
  void end(AuditedChange change, boolean settled) {
    generation = change.generation();
    revision = change.revision();
    offset = change.row().offset();
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

  /** Offset of the newest change. */
  long offset() {
    return offset;
  }

  /** Whether all facets are known: a key frame is in range. */
  boolean complete() {
    return complete;
  }

  /** Why it left with its newest change; null where it did not. */
  @Nullable
  String removed() {
    return removed;
  }

  boolean evicted() {
    return "evicted".equals(removed);
  }

  /** Whether there is a change that was not settled when states were read. */
  boolean moved() {
    return generation != settledGeneration || revision != settledRevision;
  }

  /** Whether a state is older than what was settled before it was read. */
  boolean isBehind(NewestState state) {
    return state.before(settledGeneration, settledRevision);
  }
}
