package io.tidemark.stream.aggregate;

import io.tidemark.event.Visibility;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The definition of an aggregate over resources: the figures it needs of each member, the groups a member counts in, and
 * the aggregate of a group. All methods are pure.
 *
 * @param <M> figures of a member
 * @param <A> the aggregate; its field {@code at} is set by the caller
 */
public abstract class Aggregation<M extends SpecificRecord, A extends SpecificRecord> {

  private final String name;
  private final Class<M> memberType;
  private final Class<A> aggregateType;
  private final List<Class<?>> recordTypes;

  /**
   * @param name of its topic, without prefix, and of its store
   * @param recordTypes the records that it reads
   */
  Aggregation(String name, Class<M> memberType, Class<A> aggregateType, Class<?>... recordTypes) {
    this.name = name;
    this.memberType = memberType;
    this.aggregateType = aggregateType;
    this.recordTypes = Arrays.asList(recordTypes);
  }

  public final String name() {
    return name;
  }

  final Class<M> memberType() {
    return memberType;
  }

  final Class<A> aggregateType() {
    return aggregateType;
  }

  /** Whether a record concerns it. */
  protected boolean reads(SpecificRecord record) {
    return recordTypes.contains(record.getClass());
  }

  /**
   * Figures of a member after a record of it.
   *
   * @param known before it, may be altered and returned; null where the member is new
   * @return null where the member counts in no group
   */
  protected abstract @Nullable M fold(@Nullable M known, SpecificRecord record);

  /** The groups that a member counts in. */
  protected abstract List<String> groups(M member);

  /** The figures of a member as its group stores them: with their history, where the aggregate needs one. */
  protected M withHistory(String group, @Nullable M before, M now, Instant at) {
    return now;
  }

  /**
   * The aggregate of a group.
   *
   * @param members at least one, in the order of their keys; to be read once and before this returns: a network has more
   *     pools than fit in memory, most of them not visible
   */
  protected abstract A aggregate(String group, Stream<M> members, Instant at);

  /** Whether a member whose resource is removed still counts. */
  protected boolean keepsRemoved() {
    return false;
  }

  /** How long after the last update of a member time alone may change the aggregate. */
  protected Duration recomputedFor() {
    return Duration.ZERO;
  }

  /** Whether the last aggregate of a group stays, without a tombstone, when the group has no members any more. */
  protected boolean outlivesMembers() {
    return false;
  }

  /** Whether a member can be dropped at a time. */
  protected boolean isExpired(M member, Instant at) {
    return false;
  }

  /** Whether a resource is visible after a change. */
  static boolean isVisible(@Nullable Visibility changed, boolean before) {
    return changed == null ? before : changed.getVisible();
  }

  static double orZero(@Nullable Double number) {
    return number == null ? 0 : number;
  }

  static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }
}
