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
 * The definition of an aggregate, which is a table derived from resources. Each resource is a member of groups, such
 * as the pools of one network, and the table has one row for each group. The definition says which figures (values)
 * of a member are stored, in which groups a member counts, and how a group's aggregate is computed. The results of
 * all methods depend on the arguments only, but {@link #fold} and {@link #withHistory} may alter their arguments.
 *
 * @param <M> record of the stored figures of one member
 * @param <A> record of the aggregate of one group; the caller sets its field {@code at}
 */
public abstract class Aggregation<M extends SpecificRecord, A extends SpecificRecord> {

  private final String name;
  private final Class<M> memberType;
  private final Class<A> aggregateType;
  private final List<Class<?>> recordTypes;

  /**
   * @param name name of the aggregate's store and topic, without the topic prefix
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

  /** Returns whether the aggregate is derived from the given record. */
  protected boolean reads(SpecificRecord record) {
    return recordTypes.contains(record.getClass());
  }

  /**
   * Folds a record of a member into the member's figures.
   *
   * @param known the figures before the record, which may be altered and returned; null if the member is new
   * @return the new figures; null to store no figures, so that the resource is a member of no group
   */
  protected abstract @Nullable M fold(@Nullable M known, SpecificRecord record);

  /** Returns the names of the groups in which a member counts. */
  protected abstract List<String> groups(M member);

  /** Returns whether a group stores the figures of a member together with their history. */
  protected boolean keepsHistory() {
    return false;
  }

  /**
   * Returns the figures {@code now} of a member, which may be altered, in the form that its group stores if {@link
   * #keepsHistory} is true. Continues the history in {@code before}, which is null if the member is new in the group.
   */
  protected M withHistory(String group, @Nullable M before, M now, Instant at) {
    return now;
  }

  /** Returns an empty summary, to which the caller adds the members of a group. */
  protected abstract Summary<M, A> summary(String group, Instant at);

  /**
   * The computation of a group's aggregate. Each computation begins with an empty summary, to which all members of
   * the group are added. Only a {@link RunningSummary} is used again by later computations.
   */
  interface Summary<M, A> {

    /** Adds the next member, evaluated as of the given time. Members are added in the order of their keys. */
    void add(String key, M member, Instant at);

    /**
     * Returns the aggregate of the added members, or null if these members have none. At least one member has been
     * added.
     *
     * @param members returns an added member by its key
     */
    @Nullable
    A aggregate(Instant at, Function<String, M> members);

    /**
     * Returns the time from which the aggregate may change without an update of a member. By default, it may change
     * at any time.
     */
    default Instant changesAt() {
      return Instant.MIN;
    }

    /** Returns a summary for a small group. It computes the aggregate from a list of all members. */
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
   * A summary of a group that may be large. The summary stays in memory after all members were added once, and is
   * then updated with the members that change. Its state depends only on the time and the current figures of the
   * members, not on earlier figures. So an application instance that takes over the group and adds all members
   * continues with exactly the state of the instance before it.
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
     * Returns the keys of up to {@code most} members whose contribution to the aggregate may have changed by the
     * given time without an update of the member. The summary then no longer lists these members as due. For each of
     * them, the caller calls {@link #replace} with the same figures as {@code before} and {@code after}.
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

  /** Returns for how long after the last update of a member the aggregate may still change with time alone. */
  protected Duration recomputedFor() {
    return Duration.ZERO;
  }

  /**
   * Returns whether the last aggregate of a group stays published after the group has lost all members, or has no
   * aggregate any more. Otherwise, a tombstone is published. In both cases, rules get a tombstone.
   */
  protected boolean outlivesMembers() {
    return false;
  }

  /**
   * Returns the time from which a member can be dropped if it does not change before that time. Returns null if the
   * member, as it is now, never expires.
   */
  protected @Nullable Instant expiresAt(M member) {
    return null;
  }

  /** {@code changed} is null if the change leaves the visibility as it was {@code before}. */
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
