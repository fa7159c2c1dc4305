package io.tidemark.capture.source;

import static java.util.Objects.requireNonNullElse;
import static java.util.stream.Collectors.toSet;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.poll.PollHealth;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.poll.Schedule.Shown;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The targets that a session polls: the configured targets, and the targets that commands and follow rules add. Also
 * tells the schedule which pools a complete snapshot of a target showed, which pools had a published change, and how
 * many trades these pools have in a day.
 */
final class SessionTargets {

  private final List<WatchedTarget> configured;
  private final AddedTargets added;
  private final Ledger ledger;
  private final CommittedTargets committed;
  private final Schedule schedule;
  private final Poller poller;
  private final PollHealth health;
  private final Consumer<List<WatchedTarget>> onChange;
  private List<WatchedTarget> polledToo = List.of();
  private boolean isReported;

  /** @param onChange receives all polled targets, once at first and then after each change */
  SessionTargets(
      List<WatchedTarget> configured,
      AddedTargets added,
      Ledger ledger,
      CommittedTargets committed,
      Schedule schedule,
      Poller poller,
      PollHealth health,
      Consumer<List<WatchedTarget>> onChange) {
    this.configured = configured;
    this.added = added;
    this.ledger = ledger;
    this.committed = committed;
    this.schedule = schedule;
    this.poller = poller;
    this.health = health;
    this.onChange = onChange;
  }

  /**
   * Starts and stops the polling of added targets, so that the polled ones are exactly {@link AddedTargets#watched}.
   * Also withdraws the commands of added targets some time after these are no longer watched because their time is
   * over.
   */
  void update(Instant now) {
    added.removeExpired(now).forEach(name -> ledger.withdraw(AddedTarget.KIND, name));
    var next = added.watched(now);
    if (isReported && next.equals(polledToo)) {
      return;
    }
    var before = names(polledToo);
    var after = names(next);
    before.stream().filter(name -> !after.contains(name)).forEach(name -> {
      poller.unwatch(name);
      health.unwatch(name);
    });
    var known = Set.copyOf(polledToo);
    next.stream().filter(each -> !known.contains(each)).forEach(each -> {
      var name = each.target().name();
      schedule.watch(each, committed.known(name));
      if (!isReported) { // at the start of the session
        committed.resumeRetry(name, schedule);
      }
      if (!before.contains(name)) {
        health.watch(name, requireNonNullElse(committed.observedAt(name), now));
      }
    });
    polledToo = next;
    isReported = true;
    onChange.accept(Stream.concat(configured.stream(), polledToo.stream()).toList());
  }

  private static Set<String> names(List<WatchedTarget> targets) {
    return targets.stream().map(each -> each.target().name()).collect(toSet());
  }

  /**
   * Appends the commands of follow rules for pools that entered a list. The commands are committed with the listings.
   */
  void follow(List<PoolListing> listings) {
    var now = Instant.now();
    listings.stream().flatMap(listing -> added.follow(listing, now).stream()).forEach(ledger::append);
  }

  /**
   * Sets the fields {@code retry} and {@code learned} in the next state of a target, as the schedule has them. If the
   * target is no longer scheduled, {@code learned} keeps the value that was committed last.
   */
  void putScheduleInto(TargetState state) {
    var learned = schedule.learned(state.getTarget());
    state.setLearned(learned.hasRemaining() ? learned : committed.learned(state.getTarget()));
    state.setRetry(schedule.retry(state.getTarget()));
  }

  /** Learns from the changes and states of a snapshot that the ledger appended. */
  void learn(ChangeSet outcome) {
    var state = outcome.targetState();
    if (!state.getComplete()) {
      return;
    }
    var published = outcome.updates().stream().filter(update -> update.change() != null).toList();
    var changed = published.stream().filter(SessionTargets::isPool).map(ResourceUpdate::key).collect(toSet());
    var other = !outcome.listings().isEmpty() || published.stream().anyMatch(update -> !isPool(update));
    schedule.learn(state.getTarget(), new Shown(state.getChanged() ? committed.pools(state) : null, changed, other));
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
