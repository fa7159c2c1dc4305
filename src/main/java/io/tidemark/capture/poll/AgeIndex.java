package io.tidemark.capture.poll;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;

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
 * <p>Times are seconds of one clock that never goes back. Targets are numbered from 0 in the order in which they are added,
 * resources likewise, except that a number becomes free when its resource is removed. Not safe for several threads.
 */
public final class AgeIndex {

  /** No target. */
  public static final int NONE = -1;

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

  private final List<TargetRow> targets = new ArrayList<>();
  private final List<ResourceRow> resources = new ArrayList<>();
  /** Numbers of resources that were removed, for others. */
  private final ArrayDeque<Integer> free = new ArrayDeque<>();
  /** The next refresh of each target, by its time. */
  private final TreeSet<KeyedTarget> refreshes = new TreeSet<>();
  /** Targets that are worth a poll, by what that is worth. */
  private final TreeSet<KeyedTarget> ready = new TreeSet<>();
  private final SplittableRandom dither = new SplittableRandom(1);
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
   * @param mostValuable the resource that is worth most; {@link #NONE} where none is worth anything
   * @param expectedAge seconds for which a change of that one is expected to be unobserved
   */
  public record PollWorth(
      double value, int unobserved, boolean neverObserved, boolean overdue, double longest, int mostValuable,
      double expectedAge) {}

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

  /** A target in one of the orders. */
  private record KeyedTarget(double key, int target) implements Comparable<KeyedTarget> {
    private static final Comparator<KeyedTarget> ORDER =
        Comparator.comparingDouble(KeyedTarget::key).thenComparingInt(KeyedTarget::target);

    @Override
    public int compareTo(KeyedTarget other) {
      return ORDER.compare(this, other);
    }
  }

  private static final class TargetRow {
    final RefreshPhase phase;
    final double longestGap;
    int calls;
    int[] shown = new int[1];
    double[] probability = new double[1];
    int size;
    /** Its keys in the two orders; NaN where it is in neither. */
    double refreshAt = Double.NaN;
    double readyValue = Double.NaN;
    /** When its cache was refreshed last, as far as refreshes were computed; NaN before the first time. */
    double tick = Double.NaN;
    double lastPoll = Double.NaN;
    /** Usual seconds between two polls; NaN before two. */
    double gap = Double.NaN;
    boolean polling;
    double asleepUntil = Double.NEGATIVE_INFINITY;

    TargetRow(double period, int calls, double longestGap) {
      this.phase = new RefreshPhase(period);
      this.calls = calls;
      this.longestGap = longestGap;
    }

    int find(int resource) {
      for (int k = 0; k < size; k++) {
        if (shown[k] == resource) {
          return k;
        }
      }
      return NONE;
    }
  }

  private static final class ResourceRow {
    double weight;
    final double typicalInterval;
    ChangeRate rate;
    /** Time of the newest snapshot that showed it; NaN where none did. */
    double observed = Double.NaN;
    /** Seconds between snapshots that were not learned from yet. */
    double unlearned;
    int[] targets = new int[1];
    int size;

    ResourceRow(double weight, double typicalInterval) {
      this.weight = weight;
      this.typicalInterval = typicalInterval;
      this.rate = new ChangeRate(1, typicalInterval);
    }
  }

  /** @param start the time of the first refreshes */
  public AgeIndex(double start) {
    now = start;
  }

  /**
   * Adds a resource.
   *
   * @param weight how much it matters, compared with 1
   * @param typicalInterval seconds between two changes of such a resource
   */
  public int addResource(double weight, double typicalInterval) {
    var row = new ResourceRow(weight, typicalInterval);
    var number = free.poll();
    if (number != null) {
      resources.set(number, row);
      return number;
    }
    resources.add(row);
    return resources.size() - 1;
  }

  /** Removes a resource that no target shows. Its number may be given to another. */
  public void removeResource(int resource) {
    if (isShown(resource)) {
      throw new IllegalStateException("a target shows resource " + resource);
    }
    free.add(resource);
  }

  /**
   * Adds a target, which shows nothing yet.
   *
   * @param period seconds between two refreshes of the service's cache
   * @param calls that a poll takes
   * @param longestGap seconds within which each resource that it shows is to be observed again: the last poll that does
   *     so comes before all that are worth something for their age
   */
  public int addTarget(double period, int calls, double longestGap) {
    targets.add(new TargetRow(period, calls, longestGap));
    var target = targets.size() - 1;
    putRefresh(target, now);
    return target;
  }

  /** The target shows the resource, with that probability; 0 or less: it does not show it any more. */
  public void show(int target, int resource, double probability) {
    var row = targets.get(target);
    var place = row.find(resource);
    if (probability < LEAST_PROBABILITY) {
      if (place != NONE) {
        hide(row, target, place);
      }
      return;
    }
    if (place == NONE) {
      place = row.size++;
      if (place == row.shown.length) {
        row.shown = Arrays.copyOf(row.shown, 2 * place);
        row.probability = Arrays.copyOf(row.probability, 2 * place);
      }
      row.shown[place] = resource;
      var of = resources.get(resource);
      if (of.size == of.targets.length) {
        of.targets = Arrays.copyOf(of.targets, 2 * of.size);
      }
      of.targets[of.size++] = target;
    }
    row.probability[place] = Math.min(1, probability);
  }

  private void hide(TargetRow row, int target, int place) {
    var of = resources.get(row.shown[place]);
    row.size--;
    row.shown[place] = row.shown[row.size];
    row.probability[place] = row.probability[row.size];
    for (int k = 0; k < of.size; k++) {
      if (of.targets[k] == target) {
        of.targets[k] = of.targets[--of.size];
        break;
      }
    }
  }

  /** Learns which resources an answer showed: those that it lacked, and that the target showed before, are less likely. */
  public void showed(int target, int[] shown) {
    var row = targets.get(target);
    var sorted = shown.clone();
    Arrays.sort(sorted);
    for (int k = row.size - 1; k >= 0; k--) {
      if (Arrays.binarySearch(sorted, row.shown[k]) < 0) {
        show(target, row.shown[k], (1 - PROBABILITY_GAIN) * row.probability[k]);
      }
    }
    for (var resource : shown) {
      var place = row.find(resource);
      show(target, resource,
          place == NONE ? 1 : row.probability[place] + PROBABILITY_GAIN * (1 - row.probability[place]));
    }
  }

  /** The resources that the target shows, as far as it is known. */
  public int[] shownBy(int target) {
    var row = targets.get(target);
    return Arrays.copyOf(row.shown, row.size);
  }

  /** The targets that show the resource, as far as it is known. */
  public int[] showing(int resource) {
    var row = resources.get(resource);
    return Arrays.copyOf(row.targets, row.size);
  }

  /** Whether any target shows the resource. */
  public boolean isShown(int resource) {
    return resources.get(resource).size > 0;
  }

  /** Time of the newest snapshot that showed the resource; NaN where none did. */
  public double observedAt(int resource) {
    return resources.get(resource).observed;
  }

  /** Changes how much a resource matters. */
  public void setWeight(int resource, double weight) {
    resources.get(resource).weight = weight;
  }

  public double weight(int resource) {
    return resources.get(resource).weight;
  }

  /** Changes how many calls a poll takes. */
  public void setCalls(int target, int calls) {
    targets.get(target).calls = Math.max(1, calls);
  }

  /** Takes a first estimate of a rate from a count in a window. */
  public void seedRate(int resource, double count, double windowSeconds) {
    var row = resources.get(resource);
    row.rate = ChangeRate.seeded(row.typicalInterval, count, windowSeconds);
  }

  public ChangeRate rate(int resource) {
    return resources.get(resource).rate;
  }

  /** Continues with what an earlier session learned of a resource and observed. */
  public void restoreResource(int resource, double observed, ChangeRate rate) {
    var row = resources.get(resource);
    row.rate = rate.isPlausible() ? rate : row.rate;
    row.observed = Double.isNaN(row.observed) ? observed : Math.max(observed, row.observed);
  }

  public Phase phase(int target) {
    var phase = targets.get(target).phase;
    return new Phase(phase.refreshedAt(), phase.uncertainty(), phase.kind());
  }

  /** Continues with what an earlier session learned of a target, and when that polled it. */
  public void restoreTarget(int target, double lastPoll, Phase phase) {
    var row = targets.get(target);
    row.lastPoll = lastPoll;
    if (!Double.isNaN(phase.refreshedAt())) {
      row.phase.restore(phase.refreshedAt(), phase.uncertainty(), phase.kind());
    }
    var polledAt = Math.min(lastPoll, now);
    putRefresh(target, Math.max(now, row.phase.isKnown()
        ? row.phase.nextUseful(polledAt, 0)
        : polledAt + row.phase.period()));
  }

  /** The target worth most now, which is being polled from now on; {@link #NONE} where none shows anything new. */
  public int next(double time) {
    now = Math.max(now, time);
    while (!refreshes.isEmpty() && refreshes.first().key() <= now) {
      refresh(refreshes.removeFirst().target());
    }
    while (!ready.isEmpty()) {
      var top = ready.last();
      var target = top.target();
      var value = value(target);
      withdraw(target);
      if (value > 0 && value < SAME * top.key()) {
        offer(target, value);
      } else if (value > 0) {
        targets.get(target).polling = true;
        if (!Double.isNaN(chosenAt)) {
          interval += INTERVAL_GAIN * (now - chosenAt - interval);
        }
        chosenAt = now;
        return target;
      }
    }
    return NONE;
  }

  /** When a target may be worth a poll that is not now; at most as given. */
  public double nextRefresh(double most) {
    return refreshes.isEmpty() ? most : Math.min(most, refreshes.first().key());
  }

  /**
   * A poll of the target was answered: whatever the target shows is observed, as it was at the last refresh before the
   * answer. The target may be chosen again.
   *
   * @param age of the answer in whole seconds; NaN where it is not known
   * @return the time of what was observed
   */
  public double answered(int target, double sent, double received, double age) {
    var row = targets.get(target);
    var observed = row.phase.answered(sent, received, age);
    for (int k = 0; k < row.size; k++) {
      observe(row.shown[k], observed);
    }
    if (!Double.isNaN(row.lastPoll)) {
      var gap = sent - row.lastPoll;
      row.gap = Double.isNaN(row.gap) ? gap : row.gap + GAP_GAIN * (gap - row.gap);
    }
    row.lastPoll = sent;
    row.polling = false;
    reschedule(target);
    return observed;
  }

  /** A resource is observed as it was then. */
  public void observe(int resource, double at) {
    var row = resources.get(resource);
    if (Double.isNaN(row.observed)) {
      row.observed = at;
    } else if (at > row.observed) {
      row.unlearned += at - row.observed;
      row.observed = at;
    }
  }

  /** Learns whether a resource changed since the last time that this was called for it. */
  public void learn(int target, int resource, boolean changed) {
    var row = resources.get(resource);
    row.rate = row.rate.observed(row.unlearned, changed, targets.get(target).phase.period(), row.typicalInterval);
    row.unlearned = 0;
  }

  /** The poll failed for no reason of the target: it is as much worth as before. */
  public void requeue(int target) {
    targets.get(target).polling = false;
    putRefresh(target, now);
  }

  /** The target, which is not being polled any more, is not polled before then; infinity: never again. */
  public void sleep(int target, double until) {
    var row = targets.get(target);
    row.polling = false;
    row.asleepUntil = until;
    withdraw(target);
    reschedule(target);
  }

  /** Why the target would be polled now. */
  public PollWorth worth(int target) {
    var row = targets.get(target);
    var tick = tick(row);
    var unobserved = 0;
    var never = false;
    var overdue = false;
    var longest = 0.0;
    var mostValuable = NONE;
    var most = 0.0;
    var accepted = acceptedGap(row);
    for (int k = 0; k < row.size; k++) {
      var gap = tick - resources.get(row.shown[k]).observed;
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
      var worth = worth(target, row, k, tick);
      if (worth > most) {
        most = worth;
        mostValuable = row.shown[k];
      }
    }
    return new PollWorth(value(target), unobserved, never, overdue, longest, mostValuable,
        mostValuable == NONE ? 0 : expectedAge(mostValuable, tick));
  }

  /** Refreshes of targets that were computed. */
  public long refreshes() {
    return refreshed;
  }

  private double expectedAge(int resource, double tick) {
    var row = resources.get(resource);
    var gap = tick - row.observed;
    var rate = row.rate.perSecond();
    return Double.isNaN(gap) ? 0 : gap + Math.expm1(-rate * gap) / rate;
  }

  private void reschedule(int target) {
    var row = targets.get(target);
    var sharpen = row.gap < SHARPEN_WITHIN * row.phase.period();
    var after = Double.isNaN(row.lastPoll) ? now : row.lastPoll;
    var next = row.phase.nextUseful(after, sharpen ? dither.nextDouble(LEAST_DITHER, MOST_DITHER) : 0);
    putRefresh(target, Math.max(next, row.asleepUntil));
  }

  private void refresh(int target) {
    var row = targets.get(target);
    refreshed++;
    var period = row.phase.period();
    row.tick = row.refreshAt;
    row.tick += Math.max(0, Math.floor((now - row.tick) / period)) * period;
    putRefresh(target, row.tick + period);
    if (!row.polling) {
      var value = value(target);
      if (value > 0) {
        offer(target, value);
      }
    }
  }

  /** Sets the target's only next refresh. */
  private void putRefresh(int target, double time) {
    var row = targets.get(target);
    refreshes.remove(new KeyedTarget(row.refreshAt, target));
    row.refreshAt = time;
    refreshes.add(new KeyedTarget(time, target));
  }

  /** The target may be polled for what that is worth. */
  private void offer(int target, double value) {
    withdraw(target);
    targets.get(target).readyValue = value;
    ready.add(new KeyedTarget(value, target));
  }

  private void withdraw(int target) {
    var row = targets.get(target);
    ready.remove(new KeyedTarget(row.readyValue, target));
    row.readyValue = Double.NaN;
  }

  private double value(int target) {
    var row = targets.get(target);
    var tick = tick(row);
    var sum = 0.0;
    for (int k = 0; k < row.size; k++) {
      sum += worth(target, row, k, tick);
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
    for (int k = 0; k < row.size; k++) {
      var gap = tick - resources.get(row.shown[k]).observed;
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
  private double worth(int target, TargetRow row, int place, double tick) {
    var resource = resources.get(row.shown[place]);
    var weight = resource.weight * row.probability[place];
    if (Double.isNaN(resource.observed)) {
      return weight * NEVER_OBSERVED;
    }
    var gap = tick - resource.observed;
    if (gap <= 0) {
      return 0;
    }
    var rate = resource.rate.perSecond();
    var worth = index(rate, gap);
    if (resource.size > 1) {
      var sooner = shownSoon(target, row, resource) - tick;
      if (sooner < Double.POSITIVE_INFINITY) {
        worth = Math.min(worth, Math.max(0, cost(rate, gap + sooner) - cost(rate, gap) - cost(rate, sooner)));
      }
    }
    return weight * worth;
  }

  /** When a target that shows more resources is expected to be polled; infinity where none is. */
  private double shownSoon(int target, TargetRow row, ResourceRow resource) {
    var soonest = Double.POSITIVE_INFINITY;
    for (int k = 0; k < resource.size; k++) {
      var number = resource.targets[k];
      var other = targets.get(number);
      if (number != target && other.size > row.size && !Double.isNaN(other.gap) && other.asleepUntil <= now) {
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
