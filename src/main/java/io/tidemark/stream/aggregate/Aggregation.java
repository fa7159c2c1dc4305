package io.tidemark.stream.aggregate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate over resources: which figures of each it needs, in which groups they count, and what follows for a
 * group. All of it is pure; when it is done is seen to elsewhere.
 *
 * @param <M> figures of a member
 * @param <A> the aggregate; it has a field {@code at}, which is not its business
 */
public interface Aggregation<M extends SpecificRecord, A extends SpecificRecord> {

  /** Name of its topic, without prefix, and of its store. */
  String name();

  Class<M> memberType();

  Class<A> aggregateType();

  boolean reads(SpecificRecord change);

  /**
   * Figures of a member after a change.
   *
   * @param known before it, to be altered at will; null where it is not known
   * @return null where it counts nowhere
   */
  @Nullable
  M fold(@Nullable M known, SpecificRecord change);

  /** Where a member counts. */
  List<String> groups(M member);

  /** How a member is remembered in a group: as it is, unless it has a history. */
  default M withHistory(String group, @Nullable M before, M now, Instant at) {
    return now;
  }

  /**
   * The aggregate of a group; null where there is nothing to say.
   *
   * @param members in the order of their keys, to be read once and before this returns: a network has more pools than
   *     should be in memory at once, most of them out of sight
   */
  @Nullable
  A aggregate(String group, Stream<M> members, Instant at);

  /** How long an aggregate goes on changing after the last news of a member: by time alone. */
  default Duration recomputedFor() {
    return Duration.ZERO;
  }

  /** Whether the last aggregate of a group goes on standing when the group has no members any more: it was of a time. */
  default boolean outlivesMembers() {
    return false;
  }

  /** Whether a member can be forgotten. */
  default boolean isExpired(M member, Instant at) {
    return false;
  }
}
