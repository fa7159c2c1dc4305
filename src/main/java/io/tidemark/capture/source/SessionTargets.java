package io.tidemark.capture.source;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.poll.PollHealth;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The targets that a session polls: the configured targets, and the targets that commands and follow rules add. */
final class SessionTargets implements DetectionListener {

  private final List<WatchedTarget> configured;
  private final AddedTargets added;
  private final Ledger ledger;
  private final CommittedTargets committed;
  private final Schedule schedule;
  private final Poller poller;
  private final PollHealth health;
  private final Consumer<List<WatchedTarget>> onChange;
  private List<WatchedTarget> polledToo = List.of();

  /** @param onChange receives all targets at first, and after each change */
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
    onChange.accept(configured);
  }

  /** Starts and stops polling added targets, so that exactly the added targets to watch now are polled. */
  void update(Instant now) {
    added.removeExpired(now).forEach(name -> ledger.withdraw(AddedTarget.KIND, name));
    var next = added.watched(now);
    if (next.equals(polledToo)) {
      return;
    }
    polledToo.stream().filter(each -> !next.contains(each)).map(each -> each.target().name()).forEach(name -> {
      poller.unwatch(name);
      health.unwatch(name);
    });
    next.stream().filter(each -> !polledToo.contains(each)).forEach(each -> {
      schedule.watch(each, committed.known(each.target().name()));
      health.watch(each.target().name(), now);
    });
    polledToo = next;
    onChange.accept(Stream.concat(configured.stream(), polledToo.stream()).toList());
  }

  /**
   * Appends the commands of follow rules for pools that entered a list. The commands are committed with the listings.
   */
  @Override
  public void detected(Snapshot snapshot, ChangeSet outcome) {
    var now = Instant.now();
    outcome.listings().stream().flatMap(listing -> added.follow(listing, now).stream()).forEach(ledger::append);
  }
}
