package io.tidemark.capture.source;

import static java.util.Objects.requireNonNullElse;

import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.poll.PollHealth;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.PoolListing;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The targets that a session polls: the configured targets, and the targets that commands and follow rules add. */
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
   * Also withdraws the commands of added targets that are no longer watched because their time is over.
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
      if (!before.contains(name)) {
        health.watch(name, requireNonNullElse(committed.observedAt(name), now));
      }
    });
    polledToo = next;
    isReported = true;
    onChange.accept(Stream.concat(configured.stream(), polledToo.stream()).toList());
  }

  private static Set<String> names(List<WatchedTarget> targets) {
    return targets.stream().map(each -> each.target().name()).collect(Collectors.toSet());
  }

  /**
   * Appends the commands of follow rules for pools that entered a list. The commands are committed with the listings.
   */
  void follow(List<PoolListing> listings) {
    var now = Instant.now();
    listings.stream().flatMap(listing -> added.follow(listing, now).stream()).forEach(ledger::append);
  }
}
