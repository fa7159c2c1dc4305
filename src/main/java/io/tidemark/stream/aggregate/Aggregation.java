package io.tidemark.stream.aggregate;

import io.tidemark.event.Visibility;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
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

  /** Whether a group stores figures of a member together with their history. */
  protected boolean keepsHistory() {
    return false;
  }

  /** The figures of a member as its group stores them: with their history, where the aggregate needs one. */
  protected M withHistory(String group, @Nullable M before, M now, Instant at) {
    return now;
  }

  /** The aggregate of a group without members, to which they are added. */
  protected abstract Summary<M, A> summary(String group, Instant at);

  /** The aggregate of a group in the making: all members are added, each time that it is made. */
  interface Summary<M, A> {

    /** Adds the next member, in the order of their keys, as it is at a time. */
    void add(String key, M member, Instant at);

    /**
     * The aggregate of all members added, at least one.
     *
     * @param members those added, by key
     */
    A aggregate(Instant at, Function<String, M> members);

    /** From when on another aggregate may follow without an update of a member. */
    default Instant changesAt() {
      return Instant.MIN;
    }

    /** A summary of groups that are small: it is made of the list of their members. */
    static <M, A> Summary<M, A> ofAll(Function<List<M>, A> aggregate) {
      var all = new ArrayList<M>();
      return new Summary<>() {
        @Override
        public void add(String key, M member, Instant at) {
          all.add(member);
        }

        @Override
        public A aggregate(Instant at, Function<String, M> members) {
          return aggregate.apply(all);
        }
      };
    }
  }

  /**
   * A summary of a group that may be large: it stays in memory, and only the members that changed are read. It comes to
   * the same whatever came before it, so that an instance that begins with all members goes on as another ended.
   */
  interface RunningSummary<M, A> extends Summary<M, A> {

    /** Replaces the figures of a member at a time; null before for one that is added, after for one that is removed. */
    void replace(String key, @Nullable M before, @Nullable M after, Instant at);

    @Override
    default void add(String key, M member, Instant at) {
      replace(key, null, member, at);
    }

    /** Removes and returns the next members, by key, to be replaced by themselves as time alone changes what they count. */
    default List<String> removeDue(Instant at, int most) {
      return List.of();
    }

    @Override
    default Instant changesAt() {
      return Instant.MAX;
    }
  }

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

  /** From when on a member can be dropped, unless it changes; null where it cannot. */
  protected @Nullable Instant expiresAt(M member) {
    return null;
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
