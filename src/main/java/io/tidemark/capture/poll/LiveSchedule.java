package io.tidemark.capture.poll;

import io.tidemark.capture.poll.MonthlyBudget.BillingMonth;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.capture.poll.Schedule.KnownTarget;
import io.tidemark.capture.poll.Schedule.LearnedTarget;
import io.tidemark.event.Budget;
import io.tidemark.event.KeyUsage;
import io.tidemark.event.TargetRetry;
import io.tidemark.market.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A forecast of the next polls of a running source. It continues, in virtual time, from the targets and the budget
 * that the source's owner committed.
 *
 * @param targets in the order in which they are polled next; targets that are not polled within the forecast come
 *     last
 */
public record LiveSchedule(List<LiveTarget> targets) {

  /** Maximum time that the forecast covers. It covers less if the source makes very many polls. */
  public static final Duration LENGTH = Duration.ofDays(1);
  private static final int MOST_POLLS = 50_000;

  /**
   * The forecast for one target.
   *
   * @param observedAt time at which the target was last observed; null if it never was
   * @param nextPoll time from now until the next poll; null if the forecast has no poll
   * @param reason reason for the next poll; null if the forecast has no poll
   * @param polls mean number of polls per day within the forecast
   * @param learned what the schedule learned about the target
   * @param changesPerCall expected number of changed resources that one call observes; NaN if the forecast has no
   *     poll
   * @param retry why a poll of the target failed, and when the failed part is polled again; null if no retry is
   *     pending
   */
  public record LiveTarget(String name, @Nullable Instant observedAt, @Nullable Duration nextPoll,
      @Nullable String reason, double polls, LearnedTarget learned, double changesPerCall,
      @Nullable TargetRetry retry) {}

  /**
   * Forecasts the polls from now on.
   *
   * @param retries retries of the targets whose newest poll failed, by target name
   */
  public static LiveSchedule of(
      WatchList watched, PlanLimits limits, @Nullable Budget before, Function<String, @Nullable KnownTarget> known,
      Map<String, TargetRetry> retries, Instant now) {
    var budget = new VirtualBudget(limits, before, before == null ? watched.callsPerRound() : 0, now, LENGTH);
    var schedule = new Schedule(watched, known, budget.clock());
    watched.targets().stream().map(each -> each.target().name()).filter(retries::containsKey)
        .forEach(name -> schedule.continueRetry(name, Objects.requireNonNull(retries.get(name))));
    var polls = new HashMap<String, Integer>();
    var first = new HashMap<String, Duration>();
    var reasons = new HashMap<String, String>();
    var made = 0;
    for (var due = budget.next(schedule); due != null && made < MOST_POLLS; due = budget.next(schedule)) {
      made++;
      var name = due.target().name();
      polls.merge(name, 1, Integer::sum);
      first.putIfAbsent(name, budget.elapsed());
      reasons.putIfAbsent(name, due.reason().toString());
      var retry = schedule.retry(name);
      if (retry != null && retry.getLooksFinal() && retry.getPages() == null) {
        schedule.failed(due, budget.now(), List.of(), new Failure.BadRequest(retry.getReason()), 1,
            limits.sustainedPerMinute() / 60, false);
      } else {
        schedule.observed(due, budget.now(), List.of(), due.target().pages());
      }
    }
    var days = Math.max(1, budget.elapsed().toMillis()) / (double) Duration.ofDays(1).toMillis();
    return new LiveSchedule(watched.targets().stream().map(each -> {
      var name = each.target().name();
      var knownTarget = known.apply(name);
      var perDay = polls.getOrDefault(name, 0) / days;
      var learned = schedule.learnedOf(name);
      return new LiveTarget(name, knownTarget == null ? null : knownTarget.observedAt(), first.get(name),
          reasons.get(name),
          perDay, learned, learned.expectedChanges(Duration.ofDays(1).toSeconds() / perDay) / each.target().pages(),
          retries.get(name));
    }).sorted((one, other) -> compare(one.nextPoll(), other.nextPoll())).toList());
  }

  /**
   * Returns a committed budget as it counts at a time. In a later month than the committed one, only the calls that are
   * configured as spent by others count, no key is used up, and the service has not reported on any key.
   */
  public static Budget budgetAt(Instant now, Budget committed, PlanLimits limits) {
    if (now.isBefore(BillingMonth.of(committed.getMonth(), limits.billingDay()).end())) {
      return committed;
    }
    var keys = committed.getKeys().stream()
        .map(usage -> KeyUsage.newBuilder(usage).setReserved(spent(usage, limits)).setSpent(0).setBoth(0).setOthers(0)
            .setReport(null)
            .setStatus(KeyStatus.of(usage.getStatus()) == KeyStatus.USED_UP ? KeyStatus.USED.wire() : usage.getStatus())
            .build())
        .toList();
    return Budget.newBuilder(committed).setReserved(limits.spent()).setSpent(0).setBoth(0).setKeys(keys).build();
  }

  private static long spent(KeyUsage usage, PlanLimits limits) {
    return limits.keys().stream().filter(key -> key.name().equals(usage.getKey()))
        .mapToLong(key -> limits.part(key, limits.spent())).sum();
  }

  private static int compare(@Nullable Duration one, @Nullable Duration other) {
    return one == null || other == null ? Boolean.compare(one == null, other == null) : one.compareTo(other);
  }
}
