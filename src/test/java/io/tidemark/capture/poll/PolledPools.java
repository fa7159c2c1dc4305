package io.tidemark.capture.poll;

import io.tidemark.app.metrics.ProgramMetrics;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.capture.poll.Schedule.Shown;
import io.tidemark.capture.source.SourceListener;
import io.tidemark.capture.source.SourceListener.CommittedSnapshot;
import io.tidemark.event.TargetState;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import reactor.core.scheduler.Schedulers;

/** What a poller keeps of pools that it polled once each: the schedule, in which all are due again, health and metrics. */
public final class PolledPools {

  private static final Instant START = Instant.parse("2026-03-10T12:00:00Z");

  private static final RemainingBudget LEFT = new RemainingBudget(30, 20, 10_000, 4_000, START, 2, 6_000, List.of());

  private final Schedule schedule;
  private final PollHealth health = new PollHealth();
  private final SourceListener metrics = new ProgramMetrics("test").source("main");
  private Instant now = START;
  private long nanos;

  /** @param watched targets of one pool each */
  public PolledPools(WatchList watched) {
    schedule = new Schedule(watched, name -> null, new PollClock(Schedulers.immediate(), () -> now, () -> nanos));
    watched.targets().forEach(each -> health.watch(each.target().name(), START));
    metrics.pollingStarted(watched.targets(), name -> null, state -> state.getObservedAt().plus(Duration.ofMinutes(15)),
        () -> LEFT, () -> null);
    watched.targets().forEach(each -> poll(Objects.requireNonNull(schedule.next())));
    now = now.plus(Duration.ofMinutes(10));
    nanos = Duration.ofMinutes(10).toNanos();
    schedule.requeue(Objects.requireNonNull(schedule.next()));
  }

  /** The number of targets that were observed. */
  public int observed() {
    return (int) schedule.answeredAfter(START.minusMillis(1));
  }

  private void poll(DueTarget due) {
    now = Instant.ofEpochMilli(now.toEpochMilli()); // an object of its own
    var name = due.target().name();
    var pool = (Query.PoolByAddress) due.target().query();
    var answer =
        new Answer<>(pool, Body.of(null), "", now, now, now.minusSeconds(1), null, null, Duration.ofSeconds(1));
    schedule.observed(due, now, List.of(answer), 1);
    schedule.learn(name, new Shown(List.of(pool.network() + "_" + pool.address()), Set.of(), false));
    var snapshot = new Snapshot(due.target(), List.of(answer), true, null, now, now);
    health.recordPoll(snapshot, true);
    var state = TargetState.newBuilder().setTarget(name).setObservedAt(now).setAsOf(answer.asOf()).build();
    metrics.snapshotsCommitted(List.of(
        new CommittedSnapshot(snapshot, new ChangeSet(state, List.of(), List.of(), List.of(), List.of()))));
  }
}
