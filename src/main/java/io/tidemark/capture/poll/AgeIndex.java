package io.tidemark.capture.poll;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * An index of targets, which chooses the target whose poll is worth most now. The value of a poll is the age of
 * unobserved changes that the poll saves compared with a later poll, summed over the resources that the target shows
 * and divided by the calls of the poll. For one resource, the value is {@code w (t²/2 - (1 - e^-x (1 + x)) / r²)},
 * with a weight w, a rate of changes r, a time t since the newest observation, and x = r t. Choosing by this value
 * keeps the weighted age of unobserved changes low. {@code docs/running/schedule.md} has the reasons.
 *
 * <p>The value is computed when the service's cache is refreshed for the target, because an earlier poll shows nothing
 * new. If a poll of another target then observes the same resources, the value falls. It is therefore computed again
 * when the target is about to be chosen. If a target with more resources will soon show a resource, the resource counts
 * only for the age that an earlier poll saves.
 *
 * <p>{@code max-age} is the longest accepted gap between two observations of a resource. To keep it, a target is
 * overdue from the last refresh of its cache that leaves time for the usual wait for a call, or already from the
 * first refresh at which less than about a tenth of the gap is left. So targets that reach the limit together can all
 * be polled.
 *
 * <p>Times are seconds of one clock that never goes back. Not safe for several threads.
 *
 * @param <T> type of the targets
 */
public final class AgeIndex<T extends AgeIndex.TargetRow> {

  /**
   * Worth of polling a resource that was never observed, in square seconds. A resource that was observed is worth less,
   * however overdue it is.
   */
  private static final double NEVER_OBSERVED = 1e18;
  /**
   * Worth of each second since the last observation of an overdue resource, which without a poll would be unobserved
   * for longer than accepted. Age alone is always worth less.
   */
  private static final double OVERDUE = 1e9;
  /**
   * Minimum part of the longest accepted gap, {@code GAP_TOLERANCE} included, that is left at the time from which a
   * refresh makes a resource overdue. Time must be left, because many resources may become overdue together.
   */
  private static final double OVERDUE_MARGIN = 0.1;
  /** Assumed time until the budget permits the next call, as a multiple of {@code interval}. */
  private static final double POLLS_AHEAD = 1.5;
  /** Maximum of the assumed time until the budget permits the next call, as a part of the longest accepted gap. */
  private static final double MOST_WAIT = 0.5;
  private static final double INTERVAL_GAIN = 0.1;
  /**
   * Part by which a gap may exceed the longest accepted gap, because the times of refreshes are known only to about a
   * second.
   */
  private static final double GAP_TOLERANCE = 0.01;
  /** Minimum probability with which a target must show an overdue resource to be polled because of that resource. */
  private static final double OVERDUE_PROBABILITY = 0.5;
  /**
   * Part of a target's earlier value. If the value has fallen below this part, the target is compared with the others
   * again.
   */
  private static final double SAME = 0.999;
  private static final double GAP_GAIN = 0.25;
  /**
   * A target is polled early or late in order to learn only if the usual time between two of its polls is less than
   * this many periods of its cache. Such polls learn the phase of the cache, which is the time of its refreshes, and
   * the kind of the cache.
   */
  private static final double SHARPEN_WITHIN = 6;
  /** Minimum time by which a poll comes early to learn the phase, as a part of the uncertainty of the phase. */
  private static final double LEAST_DITHER = 0.4;
  /** Maximum time by which a poll comes early to learn the phase, as a part of the uncertainty of the phase. */
  private static final double MOST_DITHER = 0.6;
  /** Minimum probability with which a target must show a resource for the resource to count for the target. */
  private static final double LEAST_PROBABILITY = 0.05;
  private static final double PROBABILITY_GAIN = 0.25;
  private static final int NOT_SHOWN = -1;

  /** All targets, ordered by {@code refreshAt}. */
  private final TreeSet<T> refreshes =
      new TreeSet<>(Comparator.<T>comparingDouble(each -> each.refreshAt).thenComparingInt(each -> each.number));
  /**
   * Targets that are worth a poll and are not being polled, ordered by {@code readyValue}. The last one is worth
   * most.
   */
  private final TreeSet<T> ready =
      new TreeSet<>(Comparator.<T>comparingDouble(each -> each.readyValue).thenComparingInt(each -> each.number));
  private final SplittableRandom dither = new SplittableRandom(1);
  private int added;
  private double now;
  /** Time at which a target was last chosen; NaN before the first time. */
  private double chosenAt = Double.NaN;
  /** Usual seconds between the choice of one target and the choice of the next. */
  private double interval;
  private long refreshed;

  /**
   * The value of a poll and the reasons for it.
   *
   * @param value value of the poll, divided by the number of its calls
   * @param unobserved number of resources that the target shows and that were last observed in an older state than a
   *     poll would show now, or never
   * @param neverObserved whether any unobserved resource was never observed at all
   * @param overdue whether any unobserved resource would, without this poll, stay unobserved for longer than accepted
   * @param longest seconds between the last observation of the resource that has been unobserved for longest and the
   *     state that a poll would show now. Resources that were never observed do not count; 0 if no other resource is
   *     unobserved
   * @param mostValuable the resource that is worth most; null if no resource is worth anything
   * @param expectedAge expected age, in seconds, of the oldest unobserved change of {@code mostValuable}; 0 if this
   *     resource is null or was never observed
   */
  public record PollWorth(
      double value, int unobserved, boolean neverObserved, boolean overdue, double longest,
      @Nullable ResourceRow mostValuable, double expectedAge) {}

  /**
   * The learned refresh times and kind of the service's cache for one target.
   *
   * @param refreshedAt latest possible time of one refresh; NaN if no refresh is known
   * @param uncertainty seconds by which this refresh may have been earlier than {@code refreshedAt}
   * @param kind how the cache is refreshed
   */
  public record Phase(double refreshedAt, double uncertainty, CacheKind kind) {}

  /** The way in which a cache is refreshed. */
  public enum CacheKind {
    /** Not known yet. */
    UNKNOWN,
    /** Refreshed by the first request after expiry. */
    ON_REQUEST,
    /** The cache is refreshed on a schedule, whether or not requests arrive. */
    ON_SCHEDULE
  }

  /** A target and the resources that it shows. */
  public static class TargetRow {
    final RefreshPhase phase;
    final double longestGap;
    double weight;
    int calls;
    /** Position in the order in which the targets were added, from 0. */
    int number;
    ResourceRow[] shown = {};
    double[] probability = {};
    /**
     * Time at which the value of a poll is next computed: the next refresh of the cache that shows something new, but
     * not before {@code asleepUntil}. Sort key in {@code refreshes}, which changes only while the target is not in
     * that set; NaN until it is first set.
     */
    double refreshAt = Double.NaN;
    /**
     * Value of a poll when it was last computed. Sort key in {@code ready}, which changes only while the target is
     * not in that set; NaN outside of the set.
     */
    double readyValue = Double.NaN;
    /** Computed time of the newest refresh of the target's cache; NaN before the first refresh. */
    double tick = Double.NaN;
    double lastPoll = Double.NaN;
    /**
     * Usual seconds between two polls of the target; NaN until two of its polls, also of earlier sessions, are known.
     */
    double gap = Double.NaN;
    /** Time of a failed poll that counts as an observation, see {@link AgeIndex#failed}; NaN if there is none. */
    double failedAt = Double.NaN;
    boolean polling;
    boolean removed;
    double asleepUntil = Double.NEGATIVE_INFINITY;

    /**
     * Creates a target that shows nothing yet.
     *
     * @param weight importance of the target, relative to the default weight 1. The value of a poll depends only on
     *     the weights of the resources, which the caller sets
     * @param period seconds between two refreshes of the service's cache
     * @param calls number of calls that a poll takes, until a poll takes another number
     * @param longestGap maximum seconds between two observations of each resource that the target shows; infinity for
     *     no limit. A poll that is the last chance to keep the limit takes precedence over polls that only reduce age
     */
    public TargetRow(double weight, double period, int calls, double longestGap) {
      this.weight = weight;
      this.phase = new RefreshPhase(period);
      this.calls = calls;
      this.longestGap = longestGap;
    }

    public int number() {
      return number;
    }

    int find(ResourceRow resource) {
      for (int k = 0; k < shown.length; k++) {
        if (shown[k] == resource) {
          return k;
        }
      }
      return NOT_SHOWN;
    }

    /** Returns the resources that the target shows, as far as they are known. */
    List<ResourceRow> shown() {
      return List.of(shown);
    }
  }

  /** A resource and the targets that show it. */
  public static final class ResourceRow {
    final @Nullable String name;
    final double typicalInterval;
    double weight;
    /**
     * Number of changes that were counted within {@code seconds}. The rate of changes is this number divided by those
     * seconds.
     */
    private double changes = 1;
    private double seconds;
    /**
     * Time of the newest state in which the resource was observed, not of the answer; NaN if it was never observed.
     */
    double observed = Double.NaN;
    /** Seconds between observations that do not count in the rate yet. */
    private double unlearned;
    private TargetRow[] targets = {};

    /**
     * Creates a resource that no target shows yet.
     *
     * @param name name of the resource; null if it needs none
     * @param weight importance of the resource, relative to the default weight 1
     * @param typicalInterval typical seconds between two changes of a resource of this kind
     */
    public ResourceRow(@Nullable String name, double weight, double typicalInterval) {
      this.name = name;
      this.weight = weight;
      this.typicalInterval = typicalInterval;
      this.seconds = typicalInterval;
    }

    public ChangeRate rate() {
      return new ChangeRate(changes, seconds);
    }

    private void setRate(ChangeRate rate) {
      changes = rate.changes();
      seconds = rate.seconds();
    }

    private double changesPerSecond() {
      return changes / seconds;
    }

    /** Replaces the rate with an estimate from the number of changes in a window of time. */
    public void seedRate(double count, double windowSeconds) {
      setRate(ChangeRate.seeded(typicalInterval, count, windowSeconds));
    }

    /**
     * Restores the rate that an earlier session learned, and the time at which it last observed the resource. Ignores
     * an implausible rate, and keeps the time of a later observation.
     */
    public void restore(double at, ChangeRate rate) {
      if (rate.isPlausible()) {
        setRate(rate);
      }
      observed = Double.isNaN(observed) ? at : Math.max(at, observed);
    }

    /** Records an observation of the state that the resource had at the given time. */
    void observe(double at) {
      if (Double.isNaN(observed)) {
        observed = at;
      } else if (at > observed) {
        unlearned += at - observed;
        observed = at;
      }
    }

    boolean isShown() {
      return targets.length > 0;
    }

    /** Returns the largest weight of the targets that show the resource, or 0 if no target shows it. */
    double largestWeight() {
      return Arrays.stream(targets).mapToDouble(target -> target.weight).max().orElse(0);
    }
  }

  /**
   * @param start present time. The first refresh of a target's cache is assumed to be at the time that is current
   *     when the target is added
   */
  public AgeIndex(double start) {
    now = start;
  }

  /** Adds a target and returns it. */
  public T add(T target) {
    target.number = added++;
    putRefresh(target, now);
    return target;
  }

  /** Removes a target, even while it is being polled. A removed target shows nothing and is not polled again. */
  public void remove(T target) {
    target.shown().forEach(resource -> show(target, resource, 0));
    withdraw(target);
    refreshes.remove(target);
    target.removed = true;
  }

  /**
   * Sets the probability with which a poll of the target shows the resource. If the probability is below {@code
   * LEAST_PROBABILITY}, removes the resource from the target.
   */
  public void show(TargetRow target, ResourceRow resource, double probability) {
    var place = target.find(resource);
    if (probability < LEAST_PROBABILITY) {
      if (place != NOT_SHOWN) {
        hide(target, place);
      }
      return;
    }
    if (place == NOT_SHOWN) {
      place = target.shown.length;
      target.shown = Arrays.copyOf(target.shown, place + 1);
      target.shown[place] = resource;
      target.probability = Arrays.copyOf(target.probability, place + 1);
      resource.targets = Arrays.copyOf(resource.targets, resource.targets.length + 1);
      resource.targets[resource.targets.length - 1] = target;
    }
    target.probability[place] = Math.min(1, probability);
  }

  /** The target's last resource moves to the given place. */
  private static void hide(TargetRow target, int place) {
    var of = target.shown[place];
    var last = target.shown.length - 1;
    target.shown[place] = target.shown[last];
    target.shown = Arrays.copyOf(target.shown, last);
    target.probability[place] = target.probability[last];
    target.probability = Arrays.copyOf(target.probability, last);
    var lastOf = of.targets.length - 1;
    of.targets[List.of(of.targets).indexOf(target)] = of.targets[lastOf];
    of.targets = Arrays.copyOf(of.targets, lastOf);
  }

  /**
   * Learns which resources an answer showed. Lowers the probability of each resource that the target showed before
   * but not in this answer, and raises the probability of the others. A resource that is new to the target gets the
   * probability 1.
   */
  public void showed(TargetRow target, Collection<ResourceRow> shown) {
    var kept = new HashSet<>(shown);
    for (int k = target.shown.length - 1; k >= 0; k--) {
      if (!kept.contains(target.shown[k])) {
        show(target, target.shown[k], (1 - PROBABILITY_GAIN) * target.probability[k]);
      }
    }
    for (var resource : shown) {
      var place = target.find(resource);
      show(target, resource,
          place == NOT_SHOWN ? 1 : target.probability[place] + PROBABILITY_GAIN * (1 - target.probability[place]));
    }
  }

  public Phase phase(TargetRow target) {
    return new Phase(target.phase.refreshedAt(), target.phase.uncertainty(), target.phase.kind());
  }

  /**
   * Restores what an earlier session learned about a target's cache, and the time at which that session last polled the
   * target.
   */
  public void restore(T target, double lastPoll, Phase phase) {
    target.lastPoll = lastPoll;
    target.phase.restore(phase.refreshedAt(), phase.uncertainty(), phase.kind());
    var polledAt = Math.min(lastPoll, now);
    putRefresh(target, Math.max(now, target.phase.isKnown()
        ? target.phase.nextUseful(polledAt, 0)
        : polledAt + target.phase.period()));
  }

  /**
   * Returns the target whose poll is worth most, and marks it as being polled. Returns null if no target is worth a
   * poll. Targets that are being polled or that sleep do not count.
   */
  public @Nullable T next(double time) {
    now = Math.max(now, time);
    while (!refreshes.isEmpty() && refreshes.first().refreshAt <= now) {
      refresh(refreshes.first());
    }
    while (!ready.isEmpty()) {
      var target = ready.last();
      var before = target.readyValue;
      var value = value(target);
      withdraw(target);
      if (value > 0 && value < SAME * before) {
        offer(target, value);
      } else if (value > 0) {
        target.polling = true;
        if (!Double.isNaN(chosenAt)) {
          interval += INTERVAL_GAIN * (now - chosenAt - interval);
        }
        chosenAt = now;
        return target;
      }
    }
    return null;
  }

  /** Returns the next time at which a target may become worth a poll, or the given time if that is earlier. */
  public double nextRefresh(double most) {
    return refreshes.isEmpty() ? most : Math.min(most, refreshes.first().refreshAt);
  }

  /**
   * Records the answer to a poll of the target. Afterwards, the target may be chosen again, and every resource that the
   * target shows counts as observed in the state that the resource had at the last refresh before the answer. If the
   * clock was set back during the poll, {@code sent} may be later than {@code received}.
   *
   * @param age age of the answer in whole seconds; NaN if it is unknown
   * @return latest possible time of the state that was observed
   */
  public double answered(T target, double sent, double received, double age) {
    var observed = target.phase.answered(sent, received, age);
    for (var resource : target.shown) {
      resource.observe(observed);
    }
    var polled = Math.min(sent, received);
    if (!Double.isNaN(target.lastPoll)) {
      var gap = polled - target.lastPoll;
      target.gap = Double.isNaN(target.gap) ? gap : target.gap + GAP_GAIN * (gap - target.gap);
    }
    target.lastPoll = polled;
    target.failedAt = Double.NaN;
    target.polling = false;
    reschedule(target);
    return observed;
  }

  /**
   * Updates the rate of a resource, given whether the resource changed since this method was last called for the
   * resource.
   */
  public void learn(TargetRow target, ResourceRow resource, boolean changed) {
    resource.setRate(
        resource.rate().observed(resource.unlearned, changed, target.phase.period(), resource.typicalInterval));
    resource.unlearned = 0;
  }

  /** Makes the target due again at once, after its poll failed for a reason that has nothing to do with the target. */
  public void requeue(T target) {
    target.polling = false;
    putRefresh(target, now);
  }

  /** Ends the poll of the target, and lets no further poll of the target begin before the given time. */
  public void sleep(T target, double until) {
    target.polling = false;
    target.asleepUntil = until;
    withdraw(target);
    reschedule(target);
  }

  /**
   * Ends the poll of a target that keeps failing, and lets no further poll of the target begin before the given time.
   * Until the target is observed, the failed poll counts as an observation of all that the target shows. Otherwise the
   * value of the next poll would grow without limit, and the target would take all calls of a small plan.
   *
   * @param calls number of calls that the poll took, retries included
   */
  public void failed(T target, double at, double until, int calls) {
    target.failedAt = at;
    target.calls = Math.max(1, calls);
    sleep(target, until);
  }

  /** Returns what a poll of the target would be worth now, and why. */
  public PollWorth worth(TargetRow row) {
    var tick = tick(row);
    var unobserved = 0;
    var never = false;
    var overdue = false;
    var longest = 0.0;
    ResourceRow mostValuable = null;
    var most = 0.0;
    var accepted = acceptedGap(row);
    for (int k = 0; k < row.shown.length; k++) {
      var gap = tick - row.shown[k].observed;
      if (gap <= 0) {
        continue;
      }
      unobserved++;
      overdue |= isOverdue(row, k, tick, accepted);
      if (Double.isNaN(gap)) {
        never = true;
      } else {
        longest = Math.max(longest, gap);
      }
      var worth = worth(row, k, tick);
      if (worth > most) {
        most = worth;
        mostValuable = row.shown[k];
      }
    }
    return new PollWorth(value(row), unobserved, never, overdue, longest, mostValuable,
        mostValuable == null ? 0 : expectedAge(mostValuable, tick));
  }

  /**
   * Returns how often this index has handled refreshes of a target's cache, for all targets together. Refreshes that
   * passed between two calls of {@link #next} count once.
   */
  public long refreshes() {
    return refreshed;
  }

  private static double expectedAge(ResourceRow resource, double tick) {
    var gap = tick - resource.observed;
    var rate = resource.changesPerSecond();
    return Double.isNaN(gap) ? 0 : gap + Math.expm1(-rate * gap) / rate;
  }

  private void reschedule(T target) {
    var sharpen = target.gap < SHARPEN_WITHIN * target.phase.period();
    var after = Double.isNaN(target.lastPoll) ? now : target.lastPoll;
    var next = target.phase.nextUseful(after, sharpen ? dither.nextDouble(LEAST_DITHER, MOST_DITHER) : 0);
    putRefresh(target, Math.max(next, target.asleepUntil));
  }

  private void refresh(T target) {
    refreshed++;
    var period = target.phase.period();
    target.tick = target.refreshAt;
    target.tick += Math.max(0, Math.floor((now - target.tick) / period)) * period;
    putRefresh(target, target.tick + period);
    if (!target.polling) {
      var value = value(target);
      if (value > 0) {
        offer(target, value);
      }
    }
  }

  /** Replaces the time of the target's next refresh, unless the target was removed. */
  private void putRefresh(T target, double time) {
    if (!target.removed) {
      refreshes.remove(target);
      target.refreshAt = time;
      refreshes.add(target);
    }
  }

  /** Adds the target, with the value of its poll, to the targets that may be polled. */
  private void offer(T target, double value) {
    withdraw(target);
    target.readyValue = value;
    ready.add(target);
  }

  private void withdraw(T target) {
    ready.remove(target);
    target.readyValue = Double.NaN;
  }

  private double value(TargetRow row) {
    var tick = tick(row);
    var accepted = acceptedGap(row);
    var worth = 0.0;
    var overdue = 0.0;
    for (int k = 0; k < row.shown.length; k++) {
      worth += worth(row, k, tick);
      overdue += isOverdue(row, k, tick, accepted) ? OVERDUE * gap(row, k, tick) : 0;
    }
    var late = row.phase.isRefreshedByRequests() ? 0 : Math.clamp((now - tick) / row.phase.period(), 0, 0.99);
    return (worth * (1 - late) + overdue) / row.calls;
  }

  /**
   * Returns the longest time since the observation of a resource after which the target's poll can still wait for
   * another refresh of the cache and for a call. Leaves at least {@code OVERDUE_MARGIN}. Returns NaN if there is no
   * limit.
   */
  private double acceptedGap(TargetRow row) {
    var wait = Math.min(POLLS_AHEAD * interval, MOST_WAIT * row.longestGap);
    var ahead = Math.max(row.phase.period() + wait, OVERDUE_MARGIN * row.longestGap);
    return (1 + GAP_TOLERANCE) * row.longestGap - ahead;
  }

  private static boolean isOverdue(TargetRow row, int place, double tick, double accepted) {
    var gap = gap(row, place, tick);
    return gap > 0 && gap > accepted && row.probability[place] >= OVERDUE_PROBABILITY;
  }

  /**
   * Returns the seconds from the newest observation of a resource, or from the failed poll that counts as one, to the
   * state that a poll would show now; NaN if the resource was never observed.
   */
  private static double gap(TargetRow row, int place, double tick) {
    var observed = row.shown[place].observed;
    return tick - (row.failedAt > observed || Double.isNaN(observed) ? row.failedAt : observed);
  }

  /**
   * Returns the time of the state that a poll would show now: {@code now} if requests refresh the cache or no refresh
   * has been computed yet, and otherwise the newest computed refresh.
   */
  private double tick(TargetRow row) {
    return row.phase.isRefreshedByRequests() ? now : Double.isNaN(row.tick) ? now : row.tick;
  }

  /** Returns what one resource adds to the value of a poll of its target, whether or not the resource is overdue. */
  private double worth(TargetRow row, int place, double tick) {
    var resource = row.shown[place];
    var weight = resource.weight * row.probability[place];
    var gap = gap(row, place, tick);
    if (Double.isNaN(gap)) {
      return weight * NEVER_OBSERVED;
    }
    if (gap <= 0) {
      return 0;
    }
    var rate = resource.changesPerSecond();
    var worth = index(rate, gap);
    if (resource.targets.length > 1) {
      var sooner = shownSoon(row, resource) - tick;
      if (sooner < Double.POSITIVE_INFINITY) {
        worth = Math.min(worth, Math.max(0, cost(rate, gap + sooner) - cost(rate, gap) - cost(rate, sooner)));
      }
    }
    return weight * worth;
  }

  /**
   * Returns the earliest time at which another target, which also shows the resource but has more resources than this
   * target, is expected to be polled. Targets that sleep or keep failing, or whose usual gap is not known, do not count.
   * Returns infinity if there is no such target.
   */
  private double shownSoon(TargetRow row, ResourceRow resource) {
    var soonest = Double.POSITIVE_INFINITY;
    for (var other : resource.targets) {
      if (other != row && other.shown.length > row.shown.length && !Double.isNaN(other.gap)
          && other.asleepUntil <= now && Double.isNaN(other.failedAt)) {
        var expected = other.lastPoll + other.gap;
        soonest = Math.min(soonest, expected > now ? expected : Math.max(now, other.refreshAt));
      }
    }
    return soonest;
  }

  /**
   * Returns the worth, in square seconds, of a poll for a resource of weight 1 whose last observation was the given
   * number of seconds ago.
   */
  private static double index(double rate, double gap) {
    var x = rate * gap;
    if (x < 1e-3) {
      return rate * gap * gap * gap / 3;
    }
    return gap * gap / 2 - (1 - Math.exp(-x) * (1 + x)) / (rate * rate);
  }

  /** Returns the expected integral, over a gap, of the age of the oldest unobserved change. */
  private static double cost(double rate, double gap) {
    var x = rate * gap;
    if (x < 1e-3) {
      return rate * gap * gap * gap / 6;
    }
    return gap * gap / 2 - gap / rate - Math.expm1(-x) / (rate * rate);
  }
}
