package io.tidemark.poll;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.tidemark.event.Budget;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.time.Instant;
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
 * What stands in front of every call: the minute and the month. Blocks of calls are granted whole and in turn; what is
 * granted was reserved before, so that nobody who takes over spends it again.
 */
public final class BudgetLimiter {

  /** Limits grow back and clocks are set: nobody sleeps longer than this without looking again. */
  private static final long LONGEST_SLEEP = Duration.ofMinutes(1).toNanos();
  /** By how much two clocks may differ: Kafka refuses what is stamped further ahead. */
  static final Duration MAX_CLOCK_SKEW = Duration.ofHours(1);
  /** How soon it is noticed that the source may be asked again. */
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

  /** Calls that wait until they may leave: a block, or the rest of one that is already paid for. */
  private record PermitRequest(int calls, boolean urgent, boolean accounted, MonoSink<Integer> sink) {}

  /**
   * @param before what was reserved and spent before, null at the very first start
   * @param round calls of one round of the watch list: at the very first start it may go at the minute's rate, at most
   *     a hundredth of the month
   * @param reserve commits what is reserved
   * @param owned whether the source may be asked now; otherwise calls wait
   * @param service tells when its month turns
   */
  public BudgetLimiter(
      PlanLimits limits,
      @Nullable Budget before,
      int round,
      Function<Budget, Mono<Void>> reserve,
      BooleanSupplier owned,
      ServiceClock service,
      PollClock time) {
    this.limits = limits;
    this.month = new MonthlyBudget(limits, before, round, time.now(), time.nanos().getAsLong());
    this.reserve = reserve;
    this.leaseHeld = owned;
    this.service = service;
    this.time = time;
    if (before != null) {
      window.restore(before, time.now(), nanos());
    }
  }

  /** What may be spent for now, by minute and month together. */
  public synchronized double callsPerMinute() {
    advance();
    return Math.min(minuteLimit(), 60 * month.perSecond());
  }

  /** What may still be spent; anyone may ask. */
  public synchronized RemainingBudget remaining() {
    advance();
    var used = window.used(nanos());
    return new RemainingBudget(minuteLimit(), Math.max(0, minuteLimit() - used), month.limit(), month.remaining(),
        month.endsAt(),
        window.sent(nanos()), window.answeredInAll());
  }

  /** Commits that no more was spent than was: for an orderly end, when no grant is open. */
  public synchronized Mono<Void> settleReservation() {
    advance();
    return reserve.apply(withMinute(month.settledReservation(time.now())));
  }

  /** What is reserved, and what of it left: committed now and then, so that whoever takes over counts little twice. */
  public synchronized Budget budget() {
    advance();
    return withMinute(month.currentReservation());
  }

  /** A block of calls, as soon as all of it fits the last minute and the month's pace is not overdrawn. */
  Mono<Permits> acquire(int calls) {
    return Mono.<Integer>create(sink -> enter(new PermitRequest(calls, false, false, sink)))
        .map(ready -> new Permits(this, calls, ready));
  }

  /** One call more for a block that is used up: it goes before all others, and may overdraw the pace. */
  Mono<Integer> oneMore() {
    return Mono.create(sink -> enter(new PermitRequest(1, true, false, sink)));
  }

  /** The next calls of a block that is paid for: as many as may leave, in time. */
  Mono<Integer> more(int remaining) {
    return Mono.create(sink -> enter(new PermitRequest(remaining, true, true, sink)));
  }

  /** Completes as soon as the source may be asked. */
  Mono<Void> awaitLease() {
    return Mono.fromSupplier(() -> leaseHeld.getAsBoolean() ? true : null)
        .repeatWhenEmpty(Integer.MAX_VALUE,
            empty -> empty.concatMap(times -> Mono.delay(LEASE_CHECK_INTERVAL, time.timer()), 1))
        .then();
  }

  /** A granted call left and was answered: a minute later the service has forgotten it, whenever it arrived there. */
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

  /** The service said that there were too many calls. */
  void penalise(@Nullable Duration retryAfter) {
    synchronized (this) {
      penalty.raise(retryAfter, nanos());
    }
    drain();
  }

  /** The service said that the month's credits are gone: nothing leaves until the month turns. */
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
    waiting.sink().onCancel(() -> leave(waiting));
    drain();
  }

  private void leave(PermitRequest waiting) {
    synchronized (this) {
      queue.remove(waiting);
    }
    drain();
  }

  /** Lets go who may, and tells them outside the lock. */
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

  /** Who cannot write down what it spends must not spend: all that wait fail with it. */
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
    var theirs = service.now();
    month.advance(theirs == null ? earliest() : earlier(theirs, latest()), theirs != null, nanos());
  }

  /** What time it is at the service at least, as far as this machine's clock can be believed. */
  private Instant earliest() {
    return time.now().minus(MAX_CLOCK_SKEW);
  }

  private Instant latest() {
    return time.now().plus(MAX_CLOCK_SKEW);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private Budget withMinute(Budget budget) {
    return Budget.newBuilder(budget).setCountedAt(time.now()).setMinute(window.seconds(nanos())).build();
  }

  private int minuteLimit() {
    return Math.max(1, (int) (limits.ownPerMinute() * penalty.limitFactor(nanos())));
  }

  private long nanos() {
    return time.nanos().getAsLong();
  }
}
