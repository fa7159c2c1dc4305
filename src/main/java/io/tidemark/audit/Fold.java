package io.tidemark.audit;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes of one resource, folded: of each facet its fingerprint, and which change said it last. */
final class Fold {

  private static final long UNKNOWN = -1;

  private final long[] prints;
  private final long[] saidAt;
  private long life;
  private long revision;
  private long offset;
  private boolean whole;
  private long settledLife;
  private long settledRevision;
  private @Nullable String left;

  /** Of a list: what is in it; null while that is not known. */
  @Nullable
  List<String> order;

  /** Of a list: the target that its order was seen at. */
  @Nullable
  String target;

  Fold(int facets) {
    prints = new long[facets];
    saidAt = new long[facets];
    Arrays.fill(saidAt, UNKNOWN);
  }

  /** A life begins: nothing was said of any facet. */
  void begin(long offset) {
    Arrays.fill(prints, Fingerprint.NULL);
    Arrays.fill(saidAt, offset);
    order = List.of();
    whole = true;
  }

  void say(int facet, long print, long offset) {
    prints[facet] = print;
    saidAt[facet] = offset;
  }

  /** Whether what was said last of a facet is in range. */
  boolean knows(int facet) {
    return saidAt[facet] != UNKNOWN;
  }

  long print(int facet) {
    return prints[facet];
  }

  /** Offset of the change that said a facet last. */
  long saidAt(int facet) {
    return saidAt[facet];
  }

  /** @param settled whether its state was to be seen when states were read */
  void end(Change change, boolean settled) {
    life = change.life();
    revision = change.revision();
    offset = change.row().offset();
    left = change.left();
    whole = whole || change.isFrame();
    if (settled) {
      settledLife = life;
      settledRevision = revision;
    }
  }

  long life() {
    return life;
  }

  long revision() {
    return revision;
  }

  /** Offset of the newest change. */
  long offset() {
    return offset;
  }

  /** Whether all facets are known: a key frame is in range. */
  boolean whole() {
    return whole;
  }

  /** Why it left with its newest change; null where it did not. */
  @Nullable
  String left() {
    return left;
  }

  boolean forgotten() {
    return "forgotten".equals(left);
  }

  /** Whether there is a change that was not settled when states were read. */
  boolean moved() {
    return life != settledLife || revision != settledRevision;
  }

  /** Whether a state is older than what was settled before it was read. */
  boolean isBehind(Mark state) {
    return state.before(settledLife, settledRevision);
  }
}
