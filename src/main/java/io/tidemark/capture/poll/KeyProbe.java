package io.tidemark.capture.poll;

import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.event.KeyReport;
import io.tidemark.market.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A probe that asks the service from time to time for its count of the calls of each key, because another program may
 * use the same key. It asks about a key when the source starts, but at most once an hour over all sessions. Later
 * questions take at most a hundredth of the calls that the source may make with the key in a month. If the service does
 * not answer, the program's own count of the key's calls stays in force.
 */
public final class KeyProbe {

  private static final Logger LOG = LoggerFactory.getLogger(KeyProbe.class);
  private static final Duration SHORTEST_INTERVAL = Duration.ofHours(1);
  /** Interval at which the permit for a call is requested again until it is given. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final String source;
  private final List<KeyLimits> keys;
  private final List<Duration> intervals;
  private final BudgetLimiter limiter;
  private final IntFunction<Mono<KeyReport>> operation;
  private final PollClock time;
  /** Numbers of the keys whose plan was logged as smaller than the configuration says. */
  private final Set<Integer> smaller = ConcurrentHashMap.newKeySet();
  /** Numbers of the keys whose first failure was logged. */
  private final Set<Integer> failed = ConcurrentHashMap.newKeySet();

  /** @param operation asks the service about the key with the given number, in one request */
  public KeyProbe(
      String source, PlanLimits limits, BudgetLimiter limiter, IntFunction<Mono<KeyReport>> operation, PollClock time) {
    this.source = source;
    this.keys = limits.keys();
    this.intervals = limits.own().stream().map(key -> key.probeInterval(SHORTEST_INTERVAL)).toList();
    this.limiter = limiter;
    this.operation = operation;
    this.time = time;
  }

  /**
   * Asks the service about all keys without end, and emits each report. No answer of the service ends the stream with
   * an error.
   */
  public Flux<KeyReport> reports() {
    return Flux.range(0, keys.size()).flatMap(this::reports, keys.size());
  }

  private Flux<KeyReport> reports(int key) {
    return Mono.defer(() -> ask(key))
        .repeatWhen(asked -> asked.concatMap(count -> Mono.delay(intervals.get(key), time.timer()), 1))
        .delaySubscription(untilFirst(key), time.timer());
  }

  /** Returns the time until an hour has passed since an earlier session got a report of the key. */
  private Duration untilFirst(int key) {
    var report = limiter.remaining().keys().get(key).report();
    var since = report == null ? SHORTEST_INTERVAL : Duration.between(report.getAt(), time.now());
    return since.isNegative() || since.compareTo(SHORTEST_INTERVAL) > 0
        ? Duration.ZERO
        : SHORTEST_INTERVAL.minus(since);
  }

  private Mono<KeyReport> ask(int key) {
    return permit(key)
        .flatMap(permits -> permits.awaitNext()
            .then(Mono.defer(() -> operation.apply(key)))
            .doOnNext(report -> reported(key, report))
            .onErrorResume(Failure.class, failure -> failed(key, failure))
            .doFinally(signal -> permits.close()));
  }

  private Mono<Permits> permit(int key) {
    return Mono.fromSupplier(() -> limiter.tryAcquire(key))
        .repeatWhenEmpty(Integer.MAX_VALUE, empty -> empty.concatMap(times -> Mono.delay(RETRY, time.timer()), 1));
  }

  private void reported(int key, KeyReport report) {
    limiter.reported(key, report);
    var limits = keys.get(key);
    var minute = report.getPerMinute();
    var month = report.getPerMonth();
    if (((minute != null && minute < limits.perMinute()) || (month != null && month < limits.perMonth()))
        && smaller.add(key)) {
      LOG.warn("source {}: the service allows key {} only {} calls per minute and {} per month, less than the"
          + " configured per-minute {} and per-month {}; lower these in the configuration", source, limits.name(),
          minute, month, limits.perMinute(), limits.perMonth());
    }
  }

  private Mono<KeyReport> failed(int key, Failure failure) {
    if (failure instanceof Failure.RateLimited limited) {
      limiter.penalise(key, limited.retryAfter());
    }
    if (failed.add(key)) {
      LOG.info("source {}: the service did not report how many calls key {} has made, so the program's own count"
          + " is used (cause: {})", source,
          keys.get(key).name(), failure.getMessage());
    }
    return Mono.empty();
  }
}
