package io.tidemark.poll;

import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Sweep;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Looks at one target after the other as the schedule and the limits allow, several at a time. */
public final class Poller {

  private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
  private static final int AT_A_TIME = 8;
  /** How soon a target that came back from a look is noticed to be due, at the latest. */
  private static final Duration GLANCE = Duration.ofSeconds(1);

  private final MarketData market;
  private final Limiter limiter;
  private final Schedule schedule;
  private final Time time;
  private final Pages pages = new Pages();
  /** Names of the targets that the service does not know. */
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();

  public Poller(MarketData market, Limiter limiter, Schedule schedule, Time time) {
    this.market = market;
    this.limiter = limiter;
    this.schedule = schedule;
    this.time = time;
  }

  /** One page of a look: what it showed, or what kept it from being seen. */
  private record Page(@Nullable Answer<?> answer, boolean full, @Nullable Failure failure) {}

  private record Turn(Due due, Grant grant) {}

  /**
   * What was seen, failures included; without end. It fails with {@link Failure.BadKey} where the key does not open the
   * service, and with whatever kept the budget from being reserved. At most a handful of looks are ahead of who reads.
   */
  public Flux<Sweep> sweeps() {
    return Mono.defer(this::turn).repeat().flatMap(this::look, AT_A_TIME, 1);
  }

  /** Waited for before each further request of a question that was asked here, such as a retry: it is its sweep's. */
  public static Mono<Void> furtherRequest() {
    return Mono.deferContextual(context -> context.get(Grant.class).next());
  }

  private Mono<Turn> turn() {
    return due().flatMap(due -> limiter.grant(due.target().pages()).map(grant -> new Turn(due, grant)));
  }

  private Mono<Due> due() {
    return Mono.fromSupplier(() -> schedule.take(time.now(), limiter.callsPerMinute()))
        .repeatWhenEmpty(Integer.MAX_VALUE, empty -> empty.concatMap(times -> Mono.delay(pause(), time.timer()), 1));
  }

  private Duration pause() {
    return schedule.untilNext(time.now(), GLANCE).plusMillis(1);
  }

  private Mono<Sweep> look(Turn turn) {
    var target = turn.due().target();
    var startedAt = time.now();
    return Flux.range(1, target.pages())
        .concatMap(page -> page(turn, page), 1)
        .takeUntil(page -> page.failure() != null || !page.full())
        .collectList()
        .map(seen -> sweep(target, seen))
        .doFinally(signal -> turn.grant().close())
        .flatMap(sweep -> settle(turn.due(), startedAt, sweep));
  }

  private Mono<Page> page(Turn turn, int number) {
    var target = turn.due().target();
    var query = target.query() instanceof Query.Paged<?> list ? list.withPage(number) : target.query();
    return turn.grant()
        .next()
        .then(query.askOf(market))
        .contextWrite(context -> context.put(Grant.class, turn.grant()))
        .map(answer -> new Page(answer, isFull(target, number, answer), null))
        .onErrorResume(Failure.class, failure -> Mono.just(new Page(null, false, failure)));
  }

  /** What is looked at once only must be readable to count as seen; what is looked at again is read when it matters. */
  private boolean isFull(Target target, int number, Answer<?> answer) {
    if (target.query() instanceof Query.CoinHistory) {
      answer.body().read();
    }
    return target.query() instanceof Query.Paged<?> && pages.full(target.name(), number, answer);
  }

  private Sweep sweep(Target target, List<Page> seen) {
    var answers = seen.stream().<Answer<?>>map(Page::answer).filter(Objects::nonNull).toList();
    var last = seen.getLast();
    var exhausted = last.failure() == null && !last.full();
    var observedAt = answers.isEmpty() ? time.now() : answers.getLast().receivedAt();
    return new Sweep(target, answers, exhausted, last.failure(), observedAt);
  }

  /** What the look means for those to come. */
  private Mono<Sweep> settle(Due due, Instant startedAt, Sweep sweep) {
    var calls = sweep.pages().size();
    switch (sweep.failure()) {
      case null -> found(due, startedAt, calls);
      case Failure.NotFound notFound -> notFound(due, startedAt, calls, notFound);
      case Failure.Unreadable unreadable -> schedule.unreadable(due, startedAt, calls + 1);
      case Failure.RateLimited limited -> penalise(due, limited);
      case Failure.CreditsUsedUp usedUp -> stopForTheMonth(due, usedUp);
      case Failure.BadKey badKey -> {
        return Mono.error(badKey);
      }
      case Failure.NotInPlan beyond -> giveUp(due, startedAt, calls, beyond);
      case Failure.BadQuestion refused -> giveUp(due, startedAt, 0, refused);
      case Failure.Blocked blocked -> postpone(due, blocked);
      case Failure.ServerTrouble trouble -> postpone(due, trouble);
      case Failure.Unreachable unreachable -> postpone(due, unreachable);
    }
    return Mono.just(sweep);
  }

  private void found(Due due, Instant startedAt, int calls) {
    unknown.remove(due.target().name());
    schedule.seen(due, startedAt, calls);
  }

  /** Said once, until it is found: it may be gone, or never have been. */
  private void notFound(Due due, Instant startedAt, int calls, Failure.NotFound notFound) {
    if (unknown.add(due.target().name())) {
      LOG.warn(
          "{}: {}; the service does not know it. If it never did, look at its name in the watch list of source {}",
          due.target().name(), notFound.getMessage(), due.target().source());
    }
    schedule.seen(due, startedAt, calls + 1);
  }

  private void penalise(Due due, Failure.RateLimited limited) {
    LOG.warn("{}: {}; slowing down", due.target().name(), limited.getMessage());
    limiter.penalise(limited.retryAfter());
    schedule.again(due);
  }

  private void stopForTheMonth(Due due, Failure.CreditsUsedUp usedUp) {
    LOG.error("{}: {}; nothing is asked until the month turns", due.target().source(), usedUp.getMessage());
    limiter.creditsUsedUp();
    schedule.again(due);
  }

  /** Some pages may still be had where others are beyond the plan. */
  private void giveUp(Due due, Instant startedAt, int pages, Failure failure) {
    if (pages > 0) {
      LOG.warn("{}: {}; only {} pages from now on", due.target().name(), failure.getMessage(), pages);
      schedule.shorten(due, startedAt, pages);
    } else {
      LOG.error("{}: {}; not asked any more", due.target().name(), failure.getMessage());
      schedule.disable(due, time.now());
    }
  }

  private void postpone(Due due, Failure failure) {
    LOG.warn("{}: {}; asked again later", due.target().name(), failure.getMessage());
    schedule.later(due, time.now());
  }
}
