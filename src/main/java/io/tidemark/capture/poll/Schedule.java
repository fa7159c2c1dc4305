package io.tidemark.capture.poll;

import io.tidemark.capture.poll.AgeIndex.CacheKind;
import io.tidemark.capture.poll.AgeIndex.Phase;
import io.tidemark.capture.poll.AgeIndex.PollWorth;
import io.tidemark.capture.poll.AgeIndex.ResourceRow;
import io.tidemark.capture.poll.AgeIndex.TargetRow;
import io.tidemark.capture.poll.WatchList.WatchedHistory;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.TargetRetry;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import io.tidemark.market.Target;
import io.tidemark.market.WireValue;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of a source. It chooses the target to poll next by the {@link AgeIndex}, and learns from the snapshots
 * of the polls. The resources of a target are the pools that it shows and the target itself, which stands for
 * everything else that it shows. The days of a coin's history are one target. Its next poll fetches the missing day
 * that {@link CoinDays} puts first. A target is not chosen again while it is being polled.
 *
 * <p>If an observation by an earlier session lies in the future, it counts as made now, and the refresh that was
 * learned from it is forgotten. So polling goes on even if the clock was set back by hours.
 */
public final class Schedule {

  /** Pause after the first failure. Each further failure in a row doubles the pause. */
  static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  /** Pause after the first answer that looks final. Each further failure in a row doubles the pause. */
  static final Duration FIRST_CONFIRMATION = Duration.ofMinutes(1);
  /**
   * Longest pause after an answer that looks final. The pause exceeds this limit if the retries of all targets would
   * otherwise take more than a hundredth of the budget.
   */
  static final Duration LONGEST_CONFIRMATION = Duration.ofHours(6);
  private static final double CONFIRMATIONS = 0.01;
  /** Minimum number of failures in a row after which a target is chosen as if it had been observed. */
  private static final int MIN_FAILURES_TO_QUEUE = 3;
  private static final int MOST_DOUBLINGS = 20;
  private static final double NO_LIMIT = Double.POSITIVE_INFINITY;
  /** Weight of a coin's history, which can wait. */
  private static final double HISTORY_WEIGHT = 0.25;
  private static final double DAY = Duration.ofDays(1).toSeconds();
  /** Assumed seconds between two published changes of a pool, before the pool's rate is learned. */
  static final double POOL_INTERVAL = 300;
  private static final ChangeRate NOTHING_LEARNED = new ChangeRate(1, POOL_INTERVAL);
  /**
   * Maximum seconds between the readings of two clocks for the readings to count as simultaneous. If none of {@code
   * CLOCK_READINGS} attempts is as fast, the fastest attempt counts.
   */
  private static final double CLOCKS_TOGETHER = 1e-4;
  private static final int CLOCK_READINGS = 5;
  private static final byte LEARNED_VERSION = 1;
  private static final int LEARNED_PHASE = 1 + 8 + 4 + 1;
  private static final int LEARNED_HEAD = LEARNED_PHASE + 8;
  private static final int LEARNED_POOL = 4 + 8;

  private final AgeIndex<ScheduledTarget> index = new AgeIndex<>(0);
  private final PollClock time;
  private final Instant start;
  private final long startNanos;
  private final double longestGap;
  /** The periodic targets by name. */
  private final Map<String, ScheduledTarget> rows = new HashMap<>();
  /** The pools that the periodic targets show, by key. */
  private final Map<String, ResourceRow> pools = new HashMap<>();
  /**
   * Retries of failed polls, by the name of the target. A retry ends when a poll observes the whole target or gets an
   * unreadable answer. Each day of a history has its own retry.
   */
  private final Map<String, TargetRetry> retries = new HashMap<>();
  /** The targets whose newest poll failed while all keys were out. */
  private final Set<ScheduledTarget> failedWhileKeysOut = new HashSet<>();

  /** A target that is due, and the reason why it is due. */
  public record DueTarget(Target target, PollReason reason, ScheduledTarget row) {}

  /** Causes for which a target is due, by their names in metrics. */
  public enum PollCause implements WireValue {
    /** The target, or a resource that it shows, was never observed. */
    NEVER_OBSERVED,
    /**
     * Without this poll, the target or a resource that it shows would be unobserved for longer than {@code max-age}.
     */
    OVERDUE,
    /** A day of a coin's history is missing. */
    HISTORY,
    /** The expected age of unobserved changes makes a poll of the target worth more than a poll of any other target. */
    AGE
  }

  /**
   * The reason why a target is due. {@link #toString} describes the reason for people.
   *
   * @param mostValuable the resource that contributes most to the value of the poll, in words
   */
  public record PollReason(PollCause cause, PollWorth values, String mostValuable) {
    @Override
    public String toString() {
      return ("value %.3g; %d of its resources unobserved for up to %.0f s; most valuable: %s, with changes of an"
          + " expected age of %.0f s")
          .formatted(values.value(), values.unobserved(), values.longest(), mostValuable, values.expectedAge());
    }
  }

  /**
   * The knowledge that earlier sessions left about a target.
   *
   * @param observedAt time of the last complete snapshot of the target
   * @param pools keys of the pools that the target shows
   * @param lastPage number of the last page of a list that had rows; 0 if not known
   * @param learned what an earlier schedule learned about the target, as encoded by {@link Schedule#learned}; empty if
   *     it learned nothing
   */
  public record KnownTarget(Instant observedAt, Collection<String> pools, int lastPage, ByteBuffer learned) {}

  /**
   * The content of a snapshot of a target, compared with the content known before.
   *
   * @param pools keys of the pools that the target shows now; null if they are the same as before
   * @param changed keys of the pools that changed
   * @param otherChange whether anything else of the target changed
   */
  public record Shown(@Nullable Collection<String> pools, Set<String> changed, boolean otherChange) {}

  /** A target of the index: either a target that is polled periodically, or all days of a history. */
  public static final class ScheduledTarget extends TargetRow {
    private final @Nullable Target target;
    private final @Nullable CoinDays days;
    /** The resource that is the target itself; null while a target that asks for a single pool shows this pool. */
    private @Nullable ResourceRow own;
    /** Time of the answer to the newest poll that observed the target; null before the first such poll. */
    private @Nullable Instant answeredAt;
    /**
     * Number of failed polls of a history's days minus the number of its answered polls, but at least 0; 0 for other
     * targets.
     */
    private int failures;
    /** Number of polls that failed while all keys were out, since a key was last usable. */
    private int failuresWhileKeysOut;
    /** Whether the service limited the rate of a poll since its last answer. */
    private boolean isRateLimited;
    /** Number of the last page that had rows in the last complete poll of a list; 0 before the first such poll. */
    private int lastPage;

    private ScheduledTarget(WatchedTarget watched, double longestGap) {
      super(watched.weight(), seconds(watched.period()), watched.target().pages(), longestGap);
      this.target = watched.target();
      this.days = null;
    }

    private ScheduledTarget(CoinDays days, double spacing) {
      super(HISTORY_WEIGHT, spacing, 1, NO_LIMIT);
      this.target = null;
      this.days = days;
    }

    private double typicalInterval() {
      return target == null ? phase.period() : Schedule.typicalInterval(target.query().operation());
    }
  }

  /**
   * @param known returns what earlier sessions know about the target with a given name, or null if they know nothing.
   *     Because of this knowledge, a restarted source polls no target before the target is due
   */
  public Schedule(WatchList watched, Function<String, @Nullable KnownTarget> known, PollClock time) {
    this.time = time;
    this.start = time.now();
    this.startNanos = time.nanos().getAsLong();
    var maxAge = watched.maxAge();
    this.longestGap = maxAge == null ? NO_LIMIT : seconds(maxAge);
    watched.targets().forEach(each -> add(each, known.apply(each.target().name())));
    watched.histories().forEach(each -> add(each, known));
  }

  /**
   * Adds a target to poll from now on, in place of a target with the same name. If at most the weight differs, keeps
   * what this schedule has learned about the target. Otherwise begins with what is known about it.
   *
   * @param known what was committed about the target; null if nothing was
   */
  public synchronized void watch(WatchedTarget watched, @Nullable KnownTarget known) {
    var row = rows.get(watched.target().name());
    if (row != null && watched.target().equals(row.target) && row.phase.period() == seconds(watched.period())) {
      row.weight = watched.weight();
      row.shown().forEach(resource -> resource.weight = resource.largestWeight());
    } else {
      unwatch(watched.target().name());
      add(watched, known);
    }
  }

  /** Stops polling a target. Forgets the pools that no other target shows. */
  public synchronized void unwatch(String target) {
    var row = rows.remove(target);
    if (row == null) {
      return;
    }
    retries.remove(target);
    var shown = row.shown();
    index.remove(row);
    for (var resource : shown) {
      if (resource.isShown()) {
        resource.weight = resource.largestWeight();
      } else if (resource.name != null) {
        pools.remove(resource.name);
      }
    }
  }

  private void add(WatchedTarget watched, @Nullable KnownTarget known) {
    var row = index.add(new ScheduledTarget(watched, longestGap));
    rows.put(watched.target().name(), row);
    showItself(row);
    if (known != null) {
      row.lastPage = known.lastPage();
      var observed = Math.min(now(), at(known.observedAt()));
      show(row, known.pools());
      var older = row.shown().stream().filter(resource -> !(resource.observed > observed)).collect(Collectors.toSet());
      row.shown().forEach(resource -> resource.restore(observed, resource.rate()));
      index.restore(row, observed, new Phase(Double.NaN, 0, CacheKind.UNKNOWN));
      restore(row, observed, known, older);
    }
  }

  private void add(WatchedHistory watched, Function<String, @Nullable KnownTarget> known) {
    var days = new CoinDays(watched, name -> {
      var day = known.apply(name);
      return day == null ? null : day.observedAt();
    }, time.now());
    var spacing = seconds(watched.spacing());
    var own = showItself(index.add(new ScheduledTarget(days, spacing)));
    own.restore(-spacing, own.rate());
  }

  /** Treats the target as one of the resources that it shows, observed at the time of the target's last poll. */
  private ResourceRow showItself(ScheduledTarget row) {
    var own = new ResourceRow(null, row.weight, row.typicalInterval());
    own.observed = row.lastPoll;
    index.show(row, own, 1);
    row.own = own;
    return own;
  }

  /**
   * Returns the assumed seconds between two published changes of the content of a target other than pools, before any
   * rate is learned.
   */
  static double typicalInterval(Operation operation) {
    return switch (operation) {
      case DERIVATIVES_EXCHANGE -> 30;
      case DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS, TOKEN_POOLS, COIN_TICKERS -> 60;
      case TOKEN, POOL, GLOBAL -> POOL_INTERVAL;
      case TREASURY -> 3600;
      case ASSET_PLATFORMS, COIN_HISTORY -> DAY;
    };
  }

  /**
   * Returns the target whose poll is worth most now, or null if no target is worth a poll. Targets that are being
   * polled or that pause do not count.
   */
  synchronized @Nullable DueTarget next() {
    for (var row = index.next(now()); row != null; row = index.next(now())) {
      var target = row.days == null ? withoutRefusedPages(row.target) : row.days.next(time.now());
      if (target != null) {
        return new DueTarget(target, reason(row, target), row);
      }
      sleepUntilNextDay(row);
    }
    return null;
  }

  /**
   * Returns the target to poll. If a page of a list failed, returns the list with only the pages before the failed
   * page, until that page is retried.
   */
  private @Nullable Target withoutRefusedPages(@Nullable Target list) {
    var retry = list == null ? null : retries.get(list.name());
    return list == null || retry == null || retry.getPages() == null || !time.now().isBefore(retry.getNextAt())
        ? list
        : new Target(list.source(), list.name(), list.query(), retry.getPages());
  }

  private PollReason reason(ScheduledTarget row, Target target) {
    var values = index.worth(row);
    var pool = values.mostValuable() == null ? null : values.mostValuable().name;
    return new PollReason(cause(row, values), values, pool == null ? target.name() : "pool " + pool);
  }

  private PollCause cause(ScheduledTarget row, PollWorth values) {
    if (row.days != null) {
      return PollCause.HISTORY;
    }
    if (values.neverObserved()) {
      return PollCause.NEVER_OBSERVED;
    }
    return values.overdue() ? PollCause.OVERDUE : PollCause.AGE;
  }

  /** Returns the time until a target may become worth a poll, or the given time if that is shorter. */
  synchronized Duration untilNext(Duration most) {
    var now = now();
    var wait = index.nextRefresh(now + seconds(most)) - now;
    return Duration.ofNanos((long) (Math.max(0, wait) * 1e9));
  }

  /** Records a poll that observed the target with the given pages, in the given number of calls. */
  synchronized void observed(DueTarget due, Instant startedAt, List<Answer<?>> pages, int calls) {
    var row = due.row();
    row.isRateLimited = false;
    if (!row.removed && (row.target == null || due.target().pages() == row.target.pages())) {
      retries.remove(due.target().name());
    }
    if (row.days != null) {
      row.failures = Math.max(0, row.failures - 1); // an answered day says nothing about the refused days
      row.days.observed(time.now());
      row.calls = 1;
      index.answered(row, at(startedAt), now(), Double.NaN);
      row.shown().forEach(day -> index.learn(row, day, true));
      sleepUntilNextDay(row);
      return;
    }
    row.answeredAt = pages.isEmpty() ? time.now() : pages.getLast().receivedAt();
    var age = pages.isEmpty() ? null : pages.getFirst().age();
    if (age == null) {
      answered(row, startedAt, time.now(), null, calls);
    } else {
      answered(row, pages.getFirst().sentAt(), pages.getFirst().receivedAt(), age, calls);
    }
  }

  /** Returns the number of the last page of a list that had rows in its last complete poll, or 0 if not known. */
  synchronized int lastPage(DueTarget due) {
    return due.row().lastPage;
  }

  /**
   * Records the number of the last page that had rows in a complete poll. If that is the last page that was polled, the
   * list may be longer, so a larger number is kept.
   */
  synchronized void recordLastPage(DueTarget due, int page) {
    var row = due.row();
    row.lastPage = page < due.target().pages() ? page : Math.max(page, row.lastPage);
  }

  /** Records a poll that observed the target, given only the time of the poll and the age of its answer. */
  synchronized void observed(DueTarget due, Instant sent, Duration age, int calls) {
    var row = due.row();
    if (row.days != null) {
      observed(due, sent, List.of(), calls);
    } else {
      answered(row, sent, sent, age, calls);
    }
  }

  private void answered(ScheduledTarget row, Instant sent, Instant received, @Nullable Duration age, int calls) {
    row.calls = Math.max(1, calls);
    var setBack = Math.max(0, at(received) - now()); // by so much the clock was set back after the answer
    index.answered(row, at(sent) - setBack, at(received) - setBack, age == null ? Double.NaN : seconds(age));
  }

  /**
   * Records a poll with an unreadable answer, after the given number of calls. The poll counts as if its answer were
   * readable, because the next regular poll comes soon enough. But a day of a history is put aside for a time.
   */
  synchronized void unreadable(DueTarget due, Instant startedAt, int calls) {
    var row = due.row();
    row.isRateLimited = false;
    if (!row.removed) {
      retries.remove(due.target().name());
    }
    row.calls = Math.max(1, calls);
    index.answered(row, at(startedAt), now(), Double.NaN);
    if (row.days != null) {
      row.failures = Math.max(0, row.failures - 1);
      row.days.unreadable(time.now());
      sleepUntilNextDay(row);
    }
  }

  /**
   * Returns how many targets were observed by a poll that was answered after the given time. The days of histories do
   * not count.
   */
  synchronized long answeredAfter(Instant at) {
    return rows.values().stream().filter(row -> row.answeredAt != null && row.answeredAt.isAfter(at)).count();
  }

  /** Returns whether a target that was due is no longer watched, or was replaced since. */
  synchronized boolean isRemoved(DueTarget due) {
    return due.row().removed;
  }

  /** Makes the target due again at once, after its poll failed for a reason that has nothing to do with the target. */
  synchronized void requeue(DueTarget due) {
    index.requeue(due.row());
  }

  /** Lets no poll of a target that was due begin before the given pause is over. */
  synchronized void postpone(DueTarget due, Duration pause) {
    index.sleep(due.row(), now() + seconds(pause));
  }

  /**
   * Records a poll that failed because the service limited its rate. Returns whether this happened to the target
   * before, without an answer since. The target must then pause and let others be polled, because the service may limit
   * this target alone.
   */
  synchronized boolean rateLimitedAgain(DueTarget due) {
    var again = due.row().isRateLimited;
    due.row().isRateLimited = true;
    return again;
  }

  /**
   * Records a failed poll and returns its retry. The target is polled again after a pause that doubles with every
   * failure in a row, up to a limit. If a page of a list failed and the failure looks final, the next poll asks for the
   * whole list again. If it fails, too, only the pages before that page are polled until the retry. For a history, the
   * retry is that of the day. The pause of the history itself depends on the number of failures, and ends at the latest
   * when a new day becomes available.
   *
   * <p>From the third failure in a row on, the target is chosen after its pause as if the failed poll had observed it.
   * If the failure looks final and the target was observed before, the pause alone keeps the calls few.
   *
   * @param pages pages that were answered before the failure
   * @param calls calls of the poll, retries included
   * @param callsPerSecond calls a second that the budget allows permanently
   * @param allKeysOut whether all keys were already out when the poll failed. Such a failure says nothing about the
   *     target. It lengthens the pause of the target, so that another target is the next to try a key. {@link
   *     #endKeyPauses} ends that pause
   */
  synchronized TargetRetry failed(DueTarget due, Instant startedAt, List<Answer<?>> pages, Failure failure, int calls,
      double callsPerSecond, boolean allKeysOut) {
    var row = due.row();
    var name = due.target().name();
    if (allKeysOut) {
      row.failuresWhileKeysOut++;
      failedWhileKeysOut.add(row);
    }
    var before = retries.get(name);
    var failures = before == null ? 1 : before.getFailures() + (allKeysOut ? 0 : 1);
    // endKeyPauses ends the pause of a target, but not that of a single day
    var whileKeysOut = row.days == null ? row.failuresWhileKeysOut : 0;
    var pause = pause(name, failures + whileKeysOut, failure.looksFinal(), callsPerSecond, retries.size());
    var cut = failure.looksFinal() && !pages.isEmpty();
    var again = before != null && before.getLooksFinal();
    var retry = new TargetRetry(failures, cut && !again ? time.now() : time.now().plus(pause),
        String.valueOf(failure.getMessage()), failure.looksFinal(),
        cut && again ? Integer.valueOf(pages.size()) : null);
    if (!row.removed) {
      retries.put(name, retry);
    }
    if (row.days != null) {
      var isNewest = row.days.isNewest(time.now());
      if (failure.looksFinal()) {
        row.days.putAside(retry.getNextAt(), failure instanceof Failure.NotInPlan, time.now());
      }
      retries.remove(row.days.leftLast(time.now()));
      var untilNewDay = Duration.between(time.now(), CoinDays.newDayAt(time.now()));
      row.failures += allKeysOut ? 0 : 1;
      var rest =
          pause(name, Math.max(1, row.failures + row.failuresWhileKeysOut), failure.looksFinal(), callsPerSecond, 1);
      // a second longer than the pause of the newest day, so that its retry is due
      pause = isNewest && pause.compareTo(rest) < 0 ? pause.plusSeconds(1) : rest;
      pause = pause.compareTo(untilNewDay) < 0 ? pause : untilNewDay;
    }
    if (cut) {
      answered(row, startedAt, time.now(), null, pages.size());
    } else if (isQueued(row, row.days == null ? failures : row.failures, failure.looksFinal())) {
      index.failed(row, now(), now() + seconds(pause), calls);
    } else {
      index.sleep(row, now() + seconds(pause));
    }
    return retry;
  }

  /** Returns whether a failing target is chosen after its pause as if the failed poll had observed it. */
  private static boolean isQueued(ScheduledTarget row, int failures, boolean looksFinal) {
    var wasObserved = row.days != null || !Double.isNaN(row.lastPoll);
    return failures >= MIN_FAILURES_TO_QUEUE && !(looksFinal && wasObserved);
  }

  /**
   * Returns the pause before a retry, with jitter so that targets are not all retried together.
   *
   * @param retried number of targets that are retried, which share a hundredth of the budget if answers look final
   */
  private static Duration pause(
      String target, int failures, boolean looksFinal, double callsPerSecond, int retried) {
    var affordable = Duration.ofSeconds((long) Math.min(DAY * 31, retried / (CONFIRMATIONS * callsPerSecond)));
    var longest = !looksFinal ? LONGEST_PAUSE
        : affordable.compareTo(LONGEST_CONFIRMATION) > 0 ? affordable : LONGEST_CONFIRMATION;
    var doubled = (looksFinal ? FIRST_CONFIRMATION : FIRST_PAUSE)
        .multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    var pause = doubled.compareTo(longest) < 0 ? doubled : longest;
    return pause.plusMillis(pause.toMillis() / 4 * Math.floorMod(target.hashCode() * 31 + failures, 1000) / 1000);
  }

  /** Ends the pauses of the targets whose polls failed while all keys were out, because a key is usable again. */
  synchronized void endKeyPauses() {
    for (var row : failedWhileKeysOut) {
      row.failuresWhileKeysOut = 0;
      if (!row.removed && !row.polling) {
        index.sleep(row, now());
      }
    }
    failedWhileKeysOut.clear();
  }

  /**
   * Continues the retry of a target from an earlier session, but not its pause, because a restart may have removed the
   * cause of the failure. Does nothing if the target is not polled periodically.
   */
  public synchronized void resumeRetry(String target, TargetRetry retry) {
    var row = rows.get(target);
    if (row != null) {
      retries.put(target, TargetRetry.newBuilder(retry).setNextAt(time.now()).build());
      if (isQueued(row, retry.getFailures(), retry.getLooksFinal())) {
        index.failed(row, now(), now(), row.calls);
      }
    }
  }

  /** Takes over the retry of a target, with its pause, from the schedule that began it. */
  synchronized void continueRetry(String target, TargetRetry retry) {
    retries.put(target, retry);
    var row = Objects.requireNonNull(rows.get(target));
    if (retry.getPages() == null && isQueued(row, retry.getFailures(), retry.getLooksFinal())) {
      index.failed(row, now(), at(retry.getNextAt()), 1);
    } else if (retry.getPages() == null) {
      index.sleep(row, at(retry.getNextAt()));
    }
  }

  /** Returns the reason and the time of a target's retry, or null if no retry is pending. */
  public synchronized @Nullable TargetRetry retry(String target) {
    return retries.get(target);
  }

  private void sleepUntilNextDay(ScheduledTarget row) {
    var nextDay = Objects.requireNonNull(row.days).nextDayAt();
    if (nextDay.isAfter(time.now())) {
      index.sleep(row, at(nextDay));
    }
  }

  /**
   * Learns which pools the target shows and how often its resources change, from the content of a snapshot of the
   * target.
   */
  public synchronized void learn(String target, Shown shown) {
    var row = rows.get(target);
    if (row == null) {
      return;
    }
    if (shown.pools() != null) {
      show(row, shown.pools());
    }
    for (var resource : row.shown()) {
      index.learn(row, resource,
          resource.name == null ? shown.otherChange() : shown.changed().contains(resource.name));
    }
  }

  /**
   * Estimates how often a pool changes from the number of trades in a day that an answer gives for the pool. Does
   * nothing if the pool's rate has been learned or estimated before.
   */
  public synchronized void seed(String pool, @Nullable Long tradesOfADay) {
    var resource = pools.get(pool);
    if (resource != null && tradesOfADay != null && resource.rate().equals(NOTHING_LEARNED)) {
      resource.seedRate(tradesOfADay, DAY);
    }
  }

  /**
   * Learns the pools that a snapshot of the target shows. A pool that is missing from it stays with a lower
   * probability until this is too low. A pool that no target shows is forgotten.
   */
  private void show(ScheduledTarget row, Collection<String> keys) {
    var before = row.shown();
    var isOnePool = row.target != null && row.target.query().operation() == Operation.POOL && !keys.isEmpty();
    var shown = new ArrayList<ResourceRow>(keys.size() + 1);
    for (var key : keys) {
      var resource = pools.computeIfAbsent(key, added -> new ResourceRow(added, 0, POOL_INTERVAL));
      shown.add(resource);
      resource.weight = Math.max(row.weight, resource.weight);
      if (row.own != null && !Double.isNaN(row.own.observed)) {
        resource.observe(row.own.observed);
      }
    }
    if (!isOnePool) {
      shown.add(row.own == null ? showItself(row) : row.own);
    } else if (row.own != null) {
      index.show(row, row.own, 0);
      row.own = null;
    }
    index.showed(row, shown);
    for (var resource : before) {
      if (resource.name != null && !resource.isShown()) {
        pools.remove(resource.name);
      }
    }
  }

  /**
   * The knowledge of the schedule about a target.
   *
   * @param pools number of pools that the target shows
   * @param rates changes per second of each resource that the target shows
   */
  public record LearnedTarget(int pools, List<Double> rates) {

    /** Returns the changes per hour of all resources together. */
    public double changesPerHour() {
      return 3600 * rates.stream().mapToDouble(Double::doubleValue).sum();
    }

    /**
     * Returns how many resources are expected to have changed between two polls, given the seconds between them, or
     * NaN if these are infinite.
     */
    double expectedChanges(double gap) {
      return Double.isInfinite(gap) ? Double.NaN : rates.stream().mapToDouble(rate -> -Math.expm1(-rate * gap)).sum();
    }
  }

  /** Returns what the schedule has learned about a target. An unknown target has no pools and no rates. */
  synchronized LearnedTarget learnedOf(String target) {
    var row = rows.get(target);
    var shown = row == null ? List.<ResourceRow>of() : row.shown();
    return new LearnedTarget((int) shown.stream().filter(each -> each.name != null).count(),
        shown.stream().map(each -> each.rate().perSecond()).toList());
  }

  /**
   * Returns what was learned about a target, encoded for later sessions: the phase of its cache, the change rate of the
   * target itself, and the change rates of its pools. Returns an empty buffer if the target is unknown.
   */
  public synchronized ByteBuffer learned(String target) {
    var row = rows.get(target);
    if (row == null) {
      return ByteBuffer.allocate(0);
    }
    var phase = index.phase(row);
    var out = ByteBuffer.allocate(LEARNED_HEAD + LEARNED_POOL * row.shown().size());
    out.put(LEARNED_VERSION).putDouble(phase.refreshedAt() + epoch()).putFloat((float) phase.uncertainty());
    out.put(code(phase.kind()));
    put(row.own == null ? new ChangeRate(1, row.typicalInterval()) : row.own.rate(), out);
    for (var resource : row.shown()) {
      if (resource.name != null) {
        put(resource.rate(), out.putInt(resource.name.hashCode()));
      }
    }
    return out.flip();
  }

  /** @param older resources that no other target has observed since; only the rates of these are restored */
  private void restore(ScheduledTarget row, double observed, KnownTarget known, Set<ResourceRow> older) {
    var learned = decodePhase(known.learned());
    if (learned == null) {
      return;
    }
    var refreshed = learned.refreshedAt() - epoch();
    index.restore(row, observed,
        new Phase(refreshed > now() ? Double.NaN : refreshed, learned.uncertainty(), learned.kind()));
    var in = known.learned().duplicate();
    in.position(in.position() + LEARNED_PHASE);
    var own = rate(in);
    var rates = new HashMap<Integer, ChangeRate>();
    while (in.remaining() >= LEARNED_POOL) {
      rates.put(in.getInt(), rate(in));
    }
    for (var resource : older) {
      var rate = resource.name == null ? own : rates.get(resource.name.hashCode());
      if (rate != null) {
        resource.restore(observed, rate);
      }
    }
  }

  /**
   * Decodes the refresh times and kind of a target's cache from the bytes that {@link #learned} returned. The times are
   * unix times in seconds. Returns null if the bytes contain nothing that this version can read.
   */
  public static @Nullable Phase decodePhase(ByteBuffer learned) {
    var in = learned.duplicate();
    return in.remaining() < LEARNED_HEAD || in.get() != LEARNED_VERSION
        ? null
        : new Phase(in.getDouble(), in.getFloat(), kind(in.get()));
  }

  private static byte code(CacheKind kind) {
    return switch (kind) {
      case UNKNOWN -> 0;
      case ON_REQUEST -> 1;
      case ON_SCHEDULE -> 2;
    };
  }

  private static CacheKind kind(byte code) {
    return switch (code) {
      case 1 -> CacheKind.ON_REQUEST;
      case 2 -> CacheKind.ON_SCHEDULE;
      default -> CacheKind.UNKNOWN;
    };
  }

  private static void put(ChangeRate rate, ByteBuffer out) {
    out.putFloat((float) rate.changes()).putFloat((float) rate.seconds());
  }

  private static ChangeRate rate(ByteBuffer in) {
    return new ChangeRate(in.getFloat(), in.getFloat());
  }

  /** Returns the seconds on the clock of the index, which is monotonic and starts at 0. */
  private double now() {
    return (time.nanos().getAsLong() - startNanos) / 1e9;
  }

  private double at(Instant instant) {
    return seconds(Duration.between(start, instant)) - ahead();
  }

  /** Returns the unix time, in seconds, at which the clock of the index started. */
  private double epoch() {
    return seconds(Duration.between(Instant.EPOCH, start)) + ahead();
  }

  /**
   * Returns by how many seconds the wall clock was set forward since the start. Reads both clocks several times if the
   * thread was suspended between the two readings.
   */
  private double ahead() {
    var ahead = 0.0;
    var shortest = Double.POSITIVE_INFINITY;
    for (int k = 0; k < CLOCK_READINGS && shortest > CLOCKS_TOGETHER; k++) {
      var before = now();
      var wall = seconds(Duration.between(start, time.now()));
      var after = now();
      if (after - before < shortest) {
        shortest = after - before;
        ahead = wall - (before + after) / 2;
      }
    }
    return ahead;
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
