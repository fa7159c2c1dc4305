package io.tidemark.capture.poll;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.event.Budget;
import io.tidemark.event.KeyReport;
import io.tidemark.market.Failure;
import io.tidemark.market.ServiceClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A limiter that permits the calls of a source within the limits per minute and per month, and chooses one of the
 * source's keys for each call. The calls of one snapshot are a block. The limiter permits blocks in the order of
 * their requests, and whole unless a block has more calls than fit a minute or the month. The further calls of a
 * block that has begun go first. Calls are reserved in Kafka before they are permitted, so that the next owner of the
 * source does not spend them again.
 */
public final class BudgetLimiter {

  /** Maximum time before a waiting request is checked again, since limits recover and clocks are adjusted. */
  private static final long LONGEST_SLEEP = Duration.ofMinutes(1).toNanos();
  /**
   * Time after which a block that has begun no longer waits for further calls. The limit per minute alone makes a block
   * wait for a minute and the latency of the calls in flight.
   */
  private static final long LONGEST_GAP = Duration.ofMinutes(2).toNanos();
  /**
   * Maximum difference between the clocks of two machines, as assumed. By default, Kafka rejects records whose
   * timestamps are further ahead of the broker's clock than this.
   */
  static final Duration MAX_CLOCK_SKEW = Duration.ofHours(1);
  /** Interval at which the lease is checked while calls wait for it. */
  private static final Duration LEASE_CHECK_INTERVAL = Duration.ofMillis(100);

  private final KeyBudgets keys;
  private final double callsPerSecond;
  private final Function<Budget, Mono<Void>> reserve;
  private final BooleanSupplier leaseHeld;
  private final ServiceClock service;
  private final PollClock time;
  private final Deque<PermitRequest> queue = new ArrayDeque<>();
  private Disposable wake = Disposables.disposed();
  private boolean reserving;

  /**
   * @param urgent whether the calls belong to a block that has begun. Urgent calls go before all others and need no
   *     credit. A block asks for further calls only when it holds no permitted call, so no two blocks wait for each
   *     other for ever
   * @param onlyAsks whether the request permits no call, and only waits until a call could be permitted
   * @param since time of the request, in nanoseconds
   */
  private record PermitRequest(
      int calls, boolean urgent, boolean onlyAsks, long since, MonoSink<List<Integer>> sink) {}

  /**
   * @param before the budget committed last; null at the very first start
   * @param firstCalls calls that may be made as fast as the limit per minute allows, see {@link WatchList#firstCalls}
   * @param reserve commits a reservation
   * @param leaseHeld whether the lease permits calls now; otherwise calls wait
   * @param service the service's clock, which decides when the billing month ends
   */
  public BudgetLimiter(
      PlanLimits limits,
      @Nullable Budget before,
      int firstCalls,
      Function<Budget, Mono<Void>> reserve,
      BooleanSupplier leaseHeld,
      ServiceClock service,
      PollClock time) {
    this.keys = new KeyBudgets(limits, before, firstCalls, time.now(), time.nanos().getAsLong());
    this.callsPerSecond = limits.sustainedPerMinute() / 60;
    this.reserve = reserve;
    this.leaseHeld = leaseHeld;
    this.service = service;
    this.time = time;
  }

  /** Returns the remaining budget. Any thread may call this method. */
  public synchronized RemainingBudget remaining() {
    advance();
    return keys.remaining(time.now(), nanos());
  }

  /**
   * Commits a reservation of only the calls that were spent, in place of the larger reservation. Called at an orderly
   * stop, when no permits are open.
   */
  public synchronized Mono<Void> settleReservation() {
    advance();
    return reserve.apply(keys.settledReservation(time.now(), nanos()));
  }

  /**
   * Returns the budget with the calls reserved so far, and those answered so far as spent. This budget is committed
   * with every tick, so that the next owner of the source counts few calls twice.
   */
  public synchronized Budget budget() {
    advance();
    return keys.currentReservation(time.now(), nanos());
  }

  /**
   * Permits a block of calls as soon as two conditions hold: the block fits the limit per minute, and the credit,
   * which spreads the month's calls evenly, allows a call. If the block has more calls than the keys can make in a
   * minute or have left in the month, permits as many as they can make. If a key that is out has to be tried, permits
   * one call, which needs no credit. {@link Permits} asks for the rest.
   */
  Mono<Permits> acquire(int calls) {
    return Mono.<List<Integer>>create(sink -> enter(new PermitRequest(calls, false, false, nanos(), sink)))
        .map(permitted -> new Permits(this, calls, permitted));
  }

  /** Completes when a call could be permitted, so that the target to poll is chosen no earlier. */
  Mono<Void> awaitPermit() {
    return Mono.<List<Integer>>create(sink -> enter(new PermitRequest(1, false, true, nanos(), sink))).then();
  }

  /**
   * Permits further calls of a block that has begun, as many as fit the limit per minute. Emits the number of the key
   * for each of these calls. Fails with {@link Failure.RateLimited} if no call can be permitted for two minutes,
   * because pages that are further apart are no longer one snapshot.
   */
  Mono<List<Integer>> more(int calls) {
    return Mono.create(sink -> enter(new PermitRequest(calls, true, false, nanos(), sink)));
  }

  /** Moves permitted calls to other keys as {@link KeyBudgets#replace} does. */
  synchronized int replace(Deque<Integer> calls) {
    return keys.replace(calls, nanos());
  }

  Mono<Void> awaitLease() {
    return Mono.fromSupplier(() -> leaseHeld.getAsBoolean() ? true : null)
        .repeatWhenEmpty(Integer.MAX_VALUE,
            empty -> empty.concatMap(times -> Mono.delay(LEASE_CHECK_INTERVAL, time.timer()), 1))
        .then();
  }

  /**
   * Records that a call that was sent is over, answered or not. The service stops counting the call a minute later at
   * the latest.
   */
  void answered(int key) {
    synchronized (this) {
      keys.get(key).answered(nanos());
    }
    drain();
  }

  void release(List<Integer> calls) {
    synchronized (this) {
      keys.release(calls, nanos());
    }
    drain();
  }

  /** Applies the penalty for the answer "too many calls" to this key. */
  void penalise(int key, @Nullable Duration retryAfter) {
    synchronized (this) {
      keys.get(key).penalise(retryAfter, nanos());
    }
    drain();
  }

  /** Takes this key out of use as {@link KeyBudget#refuse} does. The other keys go on. */
  boolean refused(int key, KeyStatus reason, String message) {
    try {
      synchronized (this) {
        return keys.get(key).refuse(reason, message, nanos());
      }
    } finally {
      drain();
    }
  }

  /** Records that the service accepted this key, as {@link KeyBudget#accept} does. */
  synchronized boolean accepted(int key, long sentAt) {
    return keys.get(key).accept(sentAt);
  }

  /** Returns whether all keys are out of use, because the service does not accept their calls. */
  synchronized boolean allOut() {
    return keys.allOut();
  }

  /** Returns the calls per second that this source can send permanently: its share of the limits of all keys. */
  double callsPerSecond() {
    return callsPerSecond;
  }

  /**
   * Permits a call that asks the service for its count of this key's calls, ahead of all waiting requests. Returns
   * null if the key may make no such call now, or if no call is reserved for the key yet. In the latter case, begins
   * a reservation unless another one is in progress.
   */
  @Nullable
  Permits tryAcquire(int key) {
    Runnable reservation = null;
    synchronized (this) {
      advance();
      if (keys.permitOf(key, nanos())) {
        return new Permits(this, key);
      }
      if (keys.lacksReservation(key, nanos()) && !reserving) {
        reservation = reserveFor(List.of(key), nanos());
      }
    }
    if (reservation != null) {
      reservation.run();
    }
    return null;
  }

  /** Applies the service's count of this key's calls, which is the answer to the last call that asked for the count. */
  void reported(int key, KeyReport report) {
    synchronized (this) {
      advance();
      keys.get(key).reported(report);
    }
    drain();
  }

  int keyCount() {
    return keys.size();
  }

  /** Returns the name of a key, for logs. */
  String keyName(int key) {
    return keys.get(key).name();
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
    var nanos = nanos();
    advance();
    var ready = keys.largestBlock(head.calls(), nanos);
    var wait = keys.waitNanos(head.calls(), ready, head.urgent(), nanos);
    if (head.urgent() && nanos - head.since() >= LONGEST_GAP) {
      queue.remove();
      return () -> head.sink().error(new Failure.RateLimited("no key could send the next call for two minutes", null));
    }
    if (wait > 0) {
      wake = time.timer().schedule(this::drain, Math.min(wait, LONGEST_SLEEP), NANOSECONDS);
      return null;
    }
    var next = Objects.requireNonNull(keys.choose(ready, nanos));
    return keys.covers(next) ? permit(head, ready, nanos) : reserveFor(next, nanos);
  }

  private Runnable permit(PermitRequest head, int ready, long nanos) {
    queue.remove();
    var permitted = head.onlyAsks() ? List.<Integer>of() : keys.permit(ready, nanos);
    return () -> head.sink().success(permitted);
  }

  private Runnable reserveFor(List<Integer> next, long nanos) {
    reserving = true;
    var budget = keys.reservationFor(next, time.now(), nanos);
    return () -> reserve.apply(budget).subscribe(nothing -> {}, this::reservationFailed,
        () -> reservationCommitted(budget));
  }

  private void reservationCommitted(Budget budget) {
    synchronized (this) {
      reserving = false;
      keys.reserved(budget);
    }
    drain();
  }

  /** Fails all waiting requests, since calls that cannot be reserved must not be sent. */
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
    keys.advance(now, serviceNow != null, nanos());
  }

  /** Returns the number of calls that all keys together may make in a minute now. */
  synchronized int minuteLimit() {
    return keys.minuteLimit(nanos());
  }

  long nanos() {
    return time.nanos().getAsLong();
  }
}
