package io.tidemark.poll;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.tidemark.event.Budget;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Permits calls within the limits of the minute and of the month. Blocks of calls are permitted whole and in order.
 * Calls are reserved in Kafka before they are permitted, so that the next owner does not spend them again.
 */
public final class BudgetLimiter {

  /** Limits recover and clocks are set, so a waiting request is checked again after this time at the latest. */
  private static final long LONGEST_SLEEP = Duration.ofMinutes(1).toNanos();
  /** By how much two clocks may differ: Kafka refuses records with a timestamp further ahead. */
  static final Duration MAX_CLOCK_SKEW = Duration.ofHours(1);
  /** How often the lease is checked while calls wait for it. */
  private static final Duration LEASE_CHECK_INTERVAL = Duration.ofMillis(100);

  private final PlanLimits limits;
  private final MinuteWindow window = new MinuteWindow();
  private final RateLimitPenalty penalty = new RateLimitPenalty();
  private final MonthlyBudget month;
  private final Function<Budget, Mono<Void>> reserve;
  private final BooleanSupplier leaseHeld;
  private final ServiceClock service;
  private final PollClock time;
  private final Deque<PermitRequest> queue = new ArrayDeque<>();
  private Disposable wake = Disposables.disposed();
  private boolean reserving;

  /**
   * Calls that wait for their permission.
   *
   * @param accounted whether they are the rest of a block that is counted as spent
   */
  private record PermitRequest(int calls, boolean urgent, boolean accounted, MonoSink<Integer> sink) {}

  /**
   * @param before the budget committed last; null at the very first start
   * @param round calls of one round of the watch list: at the very first start they may go at the minute's rate, at most
   *     a hundredth of the month
   * @param reserve commits a reservation
   * @param leaseHeld whether the lease permits calls now; while it does not, they wait
   * @param service the service's clock, by which its month ends
   */
  public BudgetLimiter(
      PlanLimits limits,
      @Nullable Budget before,
      int round,
      Function<Budget, Mono<Void>> reserve,
      BooleanSupplier leaseHeld,
      ServiceClock service,
      PollClock time) {
    this.limits = limits;
    this.month = new MonthlyBudget(limits, before, round, time.now(), time.nanos().getAsLong());
    this.reserve = reserve;
    this.leaseHeld = leaseHeld;
    this.service = service;
    this.time = time;
    if (before != null) {
      window.restore(before, time.now(), nanos());
    }
  }

  /** What remains of the budget. Any thread may call this. */
  public synchronized RemainingBudget remaining() {
    advance();
    var used = window.used(nanos());
    return new RemainingBudget(minuteLimit(), Math.max(0, minuteLimit() - used), month.limit(), month.remaining(),
        month.endsAt(),
        window.sent(nanos()), window.answeredInAll());
  }

  /** Commits the calls spent in place of those reserved: for an orderly end, when no permits are open. */
  public synchronized Mono<Void> settleReservation() {
    advance();
    return reserve.apply(withMinute(month.settledReservation(time.now())));
  }

  /** The calls reserved and sent. It is committed with every tick, so that the next owner counts few calls twice. */
  public synchronized Budget budget() {
    advance();
    return withMinute(month.currentReservation());
  }

  /** Permits a block of calls as soon as all of it fits the last minute and the credit of the month is positive. */
  Mono<Permits> acquire(int calls) {
    return Mono.<Integer>create(sink -> enter(new PermitRequest(calls, false, false, sink)))
        .map(ready -> new Permits(this, calls, ready));
  }

  /** Completes when a call could be permitted, so that what is polled is chosen no earlier. */
  Mono<Void> awaitPermit() {
    return acquire(1).doOnNext(Permits::close).then();
  }

  /** Permits one more call for a block that is used up. It goes before all others and may overdraw the credit. */
  Mono<Integer> oneMore() {
    return Mono.create(sink -> enter(new PermitRequest(1, true, false, sink)));
  }

  /** Permits the next calls of a block that is counted as spent: as many as fit the minute. */
  Mono<Integer> more(int remaining) {
    return Mono.create(sink -> enter(new PermitRequest(remaining, true, true, sink)));
  }

  /** Completes as soon as the lease is held. */
  Mono<Void> awaitLease() {
    return Mono.fromSupplier(() -> leaseHeld.getAsBoolean() ? true : null)
        .repeatWhenEmpty(Integer.MAX_VALUE,
            empty -> empty.concatMap(times -> Mono.delay(LEASE_CHECK_INTERVAL, time.timer()), 1))
        .then();
  }

  /** A permitted call was answered: the service stops counting it a minute later at the latest. */
  void answered() {
    synchronized (this) {
      window.answered(nanos());
      month.answered();
    }
    drain();
  }

  void release(int calls, int ready) {
    synchronized (this) {
      window.release(ready);
      month.release(calls);
    }
    drain();
  }

  /** The service answered "too many calls". */
  void penalise(@Nullable Duration retryAfter) {
    synchronized (this) {
      penalty.raise(retryAfter, nanos());
    }
    drain();
  }

  /** The service answered that the month's credits are used up: no call is permitted before the month ends. */
  synchronized void creditsUsedUp() {
    month.exhaust();
  }

  private void enter(PermitRequest waiting) {
    synchronized (this) {
      if (waiting.urgent()) {
        queue.addFirst(waiting);
      } else {
        queue.addLast(waiting);
      }
    }
    waiting.sink().onCancel(() -> {
      synchronized (this) {
        queue.remove(waiting);
      }
      drain();
    });
    drain();
  }

  /** Permits all requests that can be permitted now. Runs their subscribers outside the lock. */
  private void drain() {
    for (var next = admit(); next != null; next = admit()) {
      next.run();
    }
  }

  private synchronized @Nullable Runnable admit() {
    wake.dispose();
    var head = queue.peek();
    if (head == null || reserving) {
      return null;
    }
    var ready = Math.min(head.calls(), minuteLimit());
    var wait = wait(head, ready);
    if (wait > 0) {
      wake = time.timer().schedule(this::drain, Math.min(wait, LONGEST_SLEEP), NANOSECONDS);
      return null;
    }
    return head.accounted() || month.covers(head.calls()) ? permit(head, ready) : reserveFor(head);
  }

  private long wait(PermitRequest head, int ready) {
    var nanos = nanos();
    advance();
    var minute = Math.max(penalty.remainingPause(nanos), window.waitNanos(ready, minuteLimit(), nanos));
    return head.accounted() ? minute : Math.max(minute, month.wait(head.calls(), head.urgent()));
  }

  private Runnable permit(PermitRequest head, int ready) {
    queue.remove();
    window.hold(ready);
    if (!head.accounted()) {
      month.spend(head.calls());
    }
    return () -> head.sink().success(ready);
  }

  private Runnable reserveFor(PermitRequest head) {
    reserving = true;
    var budget = withMinute(month.reservationFor(head.calls(), time.now()));
    return () -> reserve.apply(budget).subscribe(nothing -> {}, this::reservationFailed,
        () -> reservationCommitted(budget));
  }

  private void reservationCommitted(Budget budget) {
    synchronized (this) {
      reserving = false;
      month.reserved(budget);
    }
    drain();
  }

  /** Fails all waiting requests: calls that cannot be reserved must not be sent. */
  private void reservationFailed(Throwable failure) {
    List<PermitRequest> all;
    synchronized (this) {
      reserving = false;
      all = List.copyOf(queue);
      queue.clear();
    }
    all.forEach(waiting -> waiting.sink().error(failure));
  }

  private void advance() {
    var serviceNow = service.now();
    var earliest = time.now().minus(MAX_CLOCK_SKEW);
    var latest = time.now().plus(MAX_CLOCK_SKEW);
    var now = serviceNow == null ? earliest : serviceNow.isBefore(latest) ? serviceNow : latest;
    month.advance(now, serviceNow != null, nanos(), minuteLimit());
  }

  private Budget withMinute(Budget budget) {
    return Budget.newBuilder(budget).setCountedAt(time.now()).setMinute(window.seconds(nanos())).build();
  }

  /** Calls in any minute that the plan allows, fewer after "too many calls". */
  synchronized int minuteLimit() {
    return Math.max(1, (int) (limits.ownPerMinute() * penalty.limitFactor(nanos())));
  }

  private long nanos() {
    return time.nanos().getAsLong();
  }
}
