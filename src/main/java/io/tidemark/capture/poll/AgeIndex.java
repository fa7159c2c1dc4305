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
 * Chooses the target whose poll is worth most now. A poll is worth, summed over the resources that the target shows, the
 * age of unobserved changes that it removes compared with a later poll: {@code w (t²/2 - (1 - e^-x (1 + x)) / r²)} for a
 * weight w, a rate of changes r, a time t since the newest observation, and x = r t. That is the index of the problem of
 * the least weighted age of unobserved changes, for which {@code docs/running/schedule.md} has the reasons.
 *
 * <p>The value is computed when the service's cache is refreshed for the target, because nothing is new before. What
 * another target showed since lowers it, which is noticed when the target comes up. A resource that a larger target will
 * show soon counts for the difference only.
 *
 * <p>Times are seconds of one clock that never goes back. Not safe for several threads.
 *
 * @param <T> what is known of a target
 */
public final class AgeIndex<T extends AgeIndex.TargetRow> {

  /** Worth of a resource that was never observed, in square seconds: more than any that was, however overdue. */
  private static final double NEVER_OBSERVED = 1e18;
  /** Worth of a second of a gap that would become longer than is accepted: more than age can be worth. */
  private static final double OVERDUE = 1e9;
  /** A resource is overdue at the latest when all but this part of the longest accepted gap has passed: many become due. */
  private static final double OVERDUE_MARGIN = 0.1;
  /** How long a call is waited for, in usual times between two polls, and at most in parts of the longest gap. */
  private static final double POLLS_AHEAD = 1.5;
  private static final double MOST_WAIT = 0.5;
  private static final double INTERVAL_GAIN = 0.1;
  /** A gap that is longer by so small a part is no longer one: refreshes are known to about a second. */
  private static final double GAP_TOLERANCE = 0.01;
  /** A list that shows a resource less often is not polled because that is overdue. */
  private static final double OVERDUE_PROBABILITY = 0.5;
  /** A value that fell by less is not compared again. */
  private static final double SAME = 0.999;
  private static final double GAP_GAIN = 0.25;
  /** A target that is polled less often than after so many refreshes is not polled early to learn its phase. */
  private static final double SHARPEN_WITHIN = 6;
  /** A poll that learns the phase comes these parts of what is uncertain early. */
  private static final double LEAST_DITHER = 0.4;
  private static final double MOST_DITHER = 0.6;
  /** A resource that a list shows less often than so is not counted with it. */
  private static final double LEAST_PROBABILITY = 0.05;
  private static final double PROBABILITY_GAIN = 0.25;
  private static final int NOT_SHOWN = -1;

  /** All targets, by the time of their next refresh. */
  private final TreeSet<T> refreshes =
      new TreeSet<>(Comparator.<T>comparingDouble(each -> each.refreshAt).thenComparingInt(each -> each.number));
  /** Targets that are worth a poll, by what that is worth. */
  private final TreeSet<T> ready =
      new TreeSet<>(Comparator.<T>comparingDouble(each -> each.readyValue).thenComparingInt(each -> each.number));
  private final SplittableRandom dither = new SplittableRandom(1);
  private int added;
  private double now;
  /** When a target was chosen last, and the usual seconds between two choices. */
  private double chosenAt = Double.NaN;
  private double interval;
  private long refreshed;

  /**
   * Why a target is polled.
   *
   * @param value of the poll, for each of its calls
   * @param unobserved resources that the target shows and nobody observed since its cache was refreshed before
   * @param neverObserved whether any of these was never observed
   * @param overdue whether any of the others would not be observed for longer than is accepted
   * @param longest seconds since the oldest of these was observed
   * @param mostValuable the resource that is worth most; null where none is worth anything
   * @param expectedAge seconds for which a change of that one is expected to be unobserved
   */
  public record PollWorth(
      double value, int unobserved, boolean neverObserved, boolean overdue, double longest,
      @Nullable ResourceRow mostValuable, double expectedAge) {}

  /**
   * What was learned of a target's cache.
   *
   * @param refreshedAt time of one refresh; NaN where none is known
   * @param uncertainty seconds within which that is known
   * @param kind how it is refreshed
   */
  public record Phase(double refreshedAt, double uncertainty, CacheKind kind) {}

  /** How a cache is refreshed. */
  public enum CacheKind {
    /** Not known yet. */
    UNKNOWN,
    /** By the first request after expiry. */
    ON_REQUEST,
    /** On a schedule, whoever asks. */
    ON_SCHEDULE
  }

  /** A target, and which resources it shows. */
  public static class TargetRow {
    final RefreshPhase phase;
    final double longestGap;
    double weight;
    int calls;
    /** In the order in which the targets were added, from 0. */
    int number;
    ResourceRow[] shown = {};
    double[] probability = {};
    /** Its keys in the two orders, which change only while it is in neither; NaN where it is in neither. */
    double refreshAt = Double.NaN;
    double readyValue = Double.NaN;
    /** When its cache was refreshed last, as far as refreshes were computed; NaN before the first time. */
    double tick = Double.NaN;
    double lastPoll = Double.NaN;
    /** Usual seconds between two polls; NaN before two. */
    double gap = Double.NaN;
    boolean polling;
    boolean removed;
    double asleepUntil = Double.NEGATIVE_INFINITY;

    /**
     * A target that shows nothing yet.
     *
     * @param weight how much it matters, compared with 1
     * @param period seconds between two refreshes of the service's cache
     * @param calls that a poll takes
     * @param longestGap seconds within which each resource that it shows is to be observed again: the last poll that does
     *     so comes before all that are worth something for their age
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

    /** The resources that it shows, as far as it is known. */
    List<ResourceRow> shown() {
      return List.of(shown);
    }
  }

  /** A resource, and which targets show it. */
  public static final class ResourceRow {
    final @Nullable String name;
    final double typicalInterval;
    double weight;
    /** The rate of its changes: what was counted, and in how many seconds. */
    private double changes = 1;
    private double seconds;
    /** Time of the newest snapshot that showed it; NaN where none did. */
    double observed = Double.NaN;
    /** Seconds between snapshots that were not learned from yet. */
    private double unlearned;
    private TargetRow[] targets = {};

    /**
     * A resource that no target shows yet.
     *
     * @param name null where it needs none
     * @param weight how much it matters, compared with 1
     * @param typicalInterval seconds between two changes of such a resource
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

    /** Takes a first estimate of the rate from a count in a window. */
    public void seedRate(double count, double windowSeconds) {
      setRate(ChangeRate.seeded(typicalInterval, count, windowSeconds));
    }

    /** Continues with what an earlier session learned and observed. */
    public void restore(double at, ChangeRate rate) {
      if (rate.isPlausible()) {
        setRate(rate);
      }
      observed = Double.isNaN(observed) ? at : Math.max(at, observed);
    }

    /** It is observed as it was then. */
    void observe(double at) {
      if (Double.isNaN(observed)) {
        observed = at;
      } else if (at > observed) {
        unlearned += at - observed;
        observed = at;
      }
    }

    /** Whether any target shows it. */
    boolean isShown() {
      return targets.length > 0;
    }

    /** The largest weight of the targets that show it. */
    double largestWeight() {
      return Arrays.stream(targets).mapToDouble(target -> target.weight).max().orElse(0);
    }
  }

  /** @param start the time of the first refreshes */
  public AgeIndex(double start) {
    now = start;
  }

  /** Adds a target and returns it. */
  public T add(T target) {
    target.number = added++;
    putRefresh(target, now);
    return target;
  }

  /** Removes a target: it shows nothing and is not polled any more, also if it is being polled. */
  public void remove(T target) {
    target.shown().forEach(resource -> show(target, resource, 0));
    withdraw(target);
    refreshes.remove(target);
    target.removed = true;
  }

  /** The target shows the resource, with that probability; 0 or less: it does not show it any more. */
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

  /** The last one takes the place. */
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

  /** Learns which resources an answer showed: those that it lacked, and that the target showed before, are less likely. */
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

  /** Continues with what an earlier session learned of a target, and when that polled it. */
  public void restore(T target, double lastPoll, Phase phase) {
    target.lastPoll = lastPoll;
    if (!Double.isNaN(phase.refreshedAt())) {
      target.phase.restore(phase.refreshedAt(), phase.uncertainty(), phase.kind());
    }
    var polledAt = Math.min(lastPoll, now);
    putRefresh(target, Math.max(now, target.phase.isKnown()
        ? target.phase.nextUseful(polledAt, 0)
        : polledAt + target.phase.period()));
  }

  /** The target worth most now, which is being polled from now on; null where none shows anything new. */
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

  /** When a target may be worth a poll that is not now; at most as given. */
  public double nextRefresh(double most) {
    return refreshes.isEmpty() ? most : Math.min(most, refreshes.first().refreshAt);
  }

  /**
   * A poll of the target was answered: whatever the target shows is observed, as it was at the last refresh before the
   * answer. The target may be chosen again.
   *
   * @param age of the answer in whole seconds; NaN where it is not known
   * @return the time of what was observed
   */
  public double answered(T target, double sent, double received, double age) {
    var observed = target.phase.answered(sent, received, age);
    for (var resource : target.shown) {
      resource.observe(observed);
    }
    if (!Double.isNaN(target.lastPoll)) {
      var gap = sent - target.lastPoll;
      target.gap = Double.isNaN(target.gap) ? gap : target.gap + GAP_GAIN * (gap - target.gap);
    }
    target.lastPoll = sent;
    target.polling = false;
    reschedule(target);
    return observed;
  }

  /** Learns whether a resource changed since the last time that this was called for it. */
  public void learn(TargetRow target, ResourceRow resource, boolean changed) {
    resource.setRate(
        resource.rate().observed(resource.unlearned, changed, target.phase.period(), resource.typicalInterval));
    resource.unlearned = 0;
  }

  /** The poll failed for no reason of the target: it is as much worth as before. */
  public void requeue(T target) {
    target.polling = false;
    putRefresh(target, now);
  }

  /** The target, which is not being polled any more, is not polled before then. */
  public void sleep(T target, double until) {
    target.polling = false;
    target.asleepUntil = until;
    withdraw(target);
    reschedule(target);
  }

  /** Why the target would be polled now. */
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
      overdue |= isOverdue(row, k, gap, accepted);
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

  /** Refreshes of targets that were computed. */
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

  /** Sets the target's only next refresh; none if it was removed. */
  private void putRefresh(T target, double time) {
    if (!target.removed) {
      refreshes.remove(target);
      target.refreshAt = time;
      refreshes.add(target);
    }
  }

  /** The target may be polled for what that is worth. */
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
    var sum = 0.0;
    for (int k = 0; k < row.shown.length; k++) {
      sum += worth(row, k, tick);
    }
    var late = row.phase.isRefreshedByRequests() ? 0 : Math.clamp((now - tick) / row.phase.period(), 0, 0.99);
    return (sum * (1 - late) + overdue(row, tick)) / row.calls;
  }

  /** What a poll is worth because resources would not be observed for too long, the oldest most. */
  private double overdue(TargetRow row, double tick) {
    if (row.longestGap == Double.POSITIVE_INFINITY) {
      return 0;
    }
    var accepted = acceptedGap(row);
    var sum = 0.0;
    for (int k = 0; k < row.shown.length; k++) {
      var gap = tick - row.shown[k].observed;
      sum += isOverdue(row, k, gap, accepted) ? OVERDUE * gap : 0;
    }
    return sum;
  }

  /** The longest gap after which the target can still wait for another refresh of its cache, and for a call. */
  private double acceptedGap(TargetRow row) {
    var wait = Math.min(POLLS_AHEAD * interval, MOST_WAIT * row.longestGap);
    var ahead = Math.max(row.phase.period() + wait, OVERDUE_MARGIN * row.longestGap);
    return (1 + GAP_TOLERANCE) * row.longestGap - ahead;
  }

  private static boolean isOverdue(TargetRow row, int place, double gap, double accepted) {
    return gap > 0 && gap > accepted && row.probability[place] >= OVERDUE_PROBABILITY;
  }

  /** The time of what a poll would show now. */
  private double tick(TargetRow row) {
    return row.phase.isRefreshedByRequests() ? now : Double.isNaN(row.tick) ? now : row.tick;
  }

  /** What a poll of the target is worth for one of its resources. */
  private double worth(TargetRow row, int place, double tick) {
    var resource = row.shown[place];
    var weight = resource.weight * row.probability[place];
    if (Double.isNaN(resource.observed)) {
      return weight * NEVER_OBSERVED;
    }
    var gap = tick - resource.observed;
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

  /** When a target that shows more resources is expected to be polled; infinity where none is. */
  private double shownSoon(TargetRow row, ResourceRow resource) {
    var soonest = Double.POSITIVE_INFINITY;
    for (var other : resource.targets) {
      if (other != row && other.shown.length > row.shown.length && !Double.isNaN(other.gap)
          && other.asleepUntil <= now) {
        var expected = other.lastPoll + other.gap;
        soonest = Math.min(soonest, expected > now ? expected : Math.max(now, other.refreshAt));
      }
    }
    return soonest;
  }

  /** How much a poll now is worth compared with the price of a call, for a resource of weight 1. */
  private static double index(double rate, double gap) {
    var x = rate * gap;
    if (x < 1e-3) {
      return rate * gap * gap * gap / 3;
    }
    return gap * gap / 2 - (1 - Math.exp(-x) * (1 + x)) / (rate * rate);
  }

  /** Expected integral over a gap of the age of the oldest unobserved change. */
  private static double cost(double rate, double gap) {
    var x = rate * gap;
    if (x < 1e-3) {
      return rate * gap * gap * gap / 6;
    }
    return gap * gap / 2 - gap / rate - Math.expm1(-x) / (rate * rate);
  }
}
