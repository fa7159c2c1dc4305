package io.tidemark.capture.source;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toSet;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.poll.Schedule.Shown;
import io.tidemark.event.PoolState;
import io.tidemark.event.TargetState;
import org.jspecify.annotations.Nullable;

/**
 * Tells the schedule which pools a complete snapshot showed, which pools had a published change, and how many trades
 * these pools have in a day.
 */
final class ScheduleLearning {

  private final Schedule schedule;
  private final CommittedTargets targets;

  ScheduleLearning(Schedule schedule, CommittedTargets targets) {
    this.schedule = schedule;
    this.targets = targets;
  }

  /**
   * Sets two fields in the next state of a target: the target's retry, and what the schedule has learned about the
   * target. If the target is no longer scheduled, the learned field keeps its committed value.
   */
  void addTo(TargetState state) {
    var learned = schedule.learned(state.getTarget());
    state.setLearned(learned.hasRemaining() ? learned : targets.learned(state.getTarget()));
    state.setRetry(schedule.retry(state.getTarget()));
  }

  /** Learns from the changes and states of a snapshot that the ledger appended. */
  void learn(ChangeSet outcome) {
    var state = outcome.targetState();
    if (!state.getComplete()) {
      return;
    }
    var published = outcome.updates().stream().filter(update -> update.change() != null).toList();
    var changed = published.stream().filter(ScheduleLearning::isPool).map(ResourceUpdate::key).collect(toSet());
    var other = !outcome.listings().isEmpty() || published.stream().anyMatch(update -> !isPool(update));
    schedule.learn(state.getTarget(), new Shown(state.getChanged() ? targets.pools(state) : null, changed, other));
    published.forEach(update -> {
      if (update.state() instanceof PoolState pool) {
        schedule.seed(update.key(), tradesOfADay(pool));
      }
    });
  }

  private static boolean isPool(ResourceUpdate update) {
    return update.resource().equals(CommittedTargets.POOL);
  }

  private static @Nullable Long tradesOfADay(PoolState pool) {
    var activity = pool.getKnown().getActivity();
    var windows = activity == null ? null : activity.getTransactions();
    var trades = windows == null ? null : windows.getH24();
    return trades == null ? null : requireNonNullElse(trades.getBuys(), 0L) + requireNonNullElse(trades.getSells(), 0L);
  }
}
