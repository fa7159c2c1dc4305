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
 * The definition of an aggregate over resources: the figures that are needed of each member, the groups in which a
 * member counts, and the aggregate of a group. All methods are pure.
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
   * @param name name of the aggregate's store, and of the aggregate's topic without prefix
   * @param recordTypes types of the records from which the aggregate is derived
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

  /** Returns whether the aggregate is derived from a record. */
  protected boolean reads(SpecificRecord record) {
    return recordTypes.contains(record.getClass());
  }

  /**
   * Returns the figures of a member after one of its records.
   *
   * @param known the figures before the record, which may be altered and returned; null if the member is new
   * @return the new figures; null if the member counts in no group
   */
  protected abstract @Nullable M fold(@Nullable M known, SpecificRecord record);

  /** Returns the groups in which a member counts. */
  protected abstract List<String> groups(M member);

  /** Returns whether a group stores the figures of a member together with their history. */
  protected boolean keepsHistory() {
    return false;
  }

  /** Returns the figures of a member as its group stores them, with their history if the aggregate needs one. */
  protected M withHistory(String group, @Nullable M before, M now, Instant at) {
    return now;
  }

  /** Returns an empty summary of a group, to which the members are then added. */
  protected abstract Summary<M, A> summary(String group, Instant at);

  /** The computation of a group's aggregate. It begins without members, and all members are added each time. */
  interface Summary<M, A> {

    /** Adds the next member as of a time. Members are added in the order of their keys. */
    void add(String key, M member, Instant at);

    /**
     * Returns the aggregate of all added members, of which there is at least one.
     *
     * @param members the added members, by key
     */
    A aggregate(Instant at, Function<String, M> members);

    /** Returns the time from which the aggregate may change without an update of a member. */
    default Instant changesAt() {
      return Instant.MIN;
    }

    /** Returns a summary for small groups, which is computed from the list of their members. */
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
   * A summary of a group that may be large. The summary stays in memory, and only the members that changed are read.
   * It depends only on the current members, not on earlier ones. So an instance that begins by adding all members
   * continues with exactly the state in which another instance ended.
   */
  interface RunningSummary<M, A> extends Summary<M, A> {

    /**
     * Replaces the figures of a member as of a time. {@code before} is null if the member is added, and {@code after}
     * is null if the member is removed.
     */
    void replace(String key, @Nullable M before, @Nullable M after, Instant at);

    @Override
    default void add(String key, M member, Instant at) {
      replace(key, null, member, at);
    }

    /**
     * Removes and returns the keys of the next members whose contribution changes with time alone. For each of these
     * members, the caller calls {@link #replace} with the same figures as {@code before} and {@code after}.
     */
    default List<String> removeDue(Instant at, int most) {
      return List.of();
    }

    @Override
    default Instant changesAt() {
      return Instant.MAX;
    }
  }

  /** Returns whether a member still counts after its resource is removed. */
  protected boolean keepsRemoved() {
    return false;
  }

  /** Returns how long time alone may change the aggregate, counted from the last update of a member. */
  protected Duration recomputedFor() {
    return Duration.ZERO;
  }

  /** Returns whether the last aggregate of a group stays, without a tombstone, after the group has lost all members. */
  protected boolean outlivesMembers() {
    return false;
  }

  /**
   * Returns the time from which a member can be dropped if it does not change before, or null if it cannot be dropped.
   */
  protected @Nullable Instant expiresAt(M member) {
    return null;
  }

  /** Returns whether a resource is visible after a change. */
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
