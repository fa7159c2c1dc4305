package io.tidemark.poll;

import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
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
  private static final int CONCURRENT_POLLS = 8;
  /** How soon a target that came back from a look is noticed to be due, at the latest. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final MarketData market;
  private final BudgetLimiter limiter;
  private final Schedule schedule;
  private final PollClock time;
  private final FullPages pages = new FullPages();
  /** Names of the targets that the service does not know. */
  private final Set<String> unknown = ConcurrentHashMap.newKeySet();

  public Poller(MarketData market, BudgetLimiter limiter, Schedule schedule, PollClock time) {
    this.market = market;
    this.limiter = limiter;
    this.schedule = schedule;
    this.time = time;
  }

  /** One page of a look: what it showed, or what kept it from being seen. */
  private record PageResult(@Nullable Answer<?> answer, boolean full, @Nullable Failure failure) {}

  private record PermittedPoll(DueTarget due, Permits grant) {}

  /**
   * What was seen, failures included; without end. It fails with {@link Failure.BadKey} where the key does not open the
   * service, and with whatever kept the budget from being reserved. At most a handful of looks are ahead of who reads.
   */
  public Flux<Snapshot> snapshots() {
    return Mono.defer(this::nextPermitted).repeat().flatMap(this::poll, CONCURRENT_POLLS, 1);
  }

  /** Waited for before each further request of a question that was asked here, such as a retry: it is its sweep's. */
  public static Mono<Void> permitFurtherRequest() {
    return Mono.deferContextual(context -> context.get(Permits.class).awaitNext());
  }

  private Mono<PermittedPoll> nextPermitted() {
    return due().flatMap(due -> limiter.acquire(due.target().pages()).map(grant -> new PermittedPoll(due, grant)));
  }

  private Mono<DueTarget> due() {
    return Mono.fromSupplier(() -> schedule.next(time.now(), limiter.callsPerMinute()))
        .repeatWhenEmpty(Integer.MAX_VALUE, empty -> empty.concatMap(times -> Mono.delay(pause(), time.timer()), 1));
  }

  private Duration pause() {
    return schedule.untilNext(time.now(), LONGEST_PAUSE).plusMillis(1);
  }

  private Mono<Snapshot> poll(PermittedPoll turn) {
    var target = turn.due().target();
    var startedAt = time.now();
    return Flux.range(1, target.pages())
        .concatMap(page -> page(turn, page), 1)
        .takeUntil(page -> page.failure() != null || !page.full())
        .collectList()
        .map(observed -> snapshot(target, observed))
        .doFinally(signal -> turn.grant().close())
        .flatMap(snapshot -> updateSchedule(turn.due(), startedAt, snapshot));
  }

  private Mono<PageResult> page(PermittedPoll turn, int number) {
    var target = turn.due().target();
    var query = target.query() instanceof Query.Paged<?> list ? list.withPage(number) : target.query();
    return turn.grant()
        .awaitNext()
        .then(query.askOf(market))
        .contextWrite(context -> context.put(Permits.class, turn.grant()))
        .map(answer -> new PageResult(answer, isFull(target, number, answer), null))
        .onErrorResume(Failure.class, failure -> Mono.just(new PageResult(null, false, failure)));
  }

  /** What is looked at once only must be readable to count as seen; what is looked at again is read when it matters. */
  private boolean isFull(Target target, int number, Answer<?> answer) {
    if (target.query() instanceof Query.CoinHistory) {
      answer.body().read();
    }
    return target.query() instanceof Query.Paged<?> && pages.full(target.name(), number, answer);
  }

  private Snapshot snapshot(Target target, List<PageResult> observed) {
    var answers = observed.stream().<Answer<?>>map(PageResult::answer).filter(Objects::nonNull).toList();
    var last = observed.getLast();
    var exhausted = last.failure() == null && !last.full();
    var observedAt = answers.isEmpty() ? time.now() : answers.getLast().receivedAt();
    return new Snapshot(target, answers, exhausted, last.failure(), observedAt);
  }

  /** What the look means for those to come. */
  private Mono<Snapshot> updateSchedule(DueTarget due, Instant startedAt, Snapshot snapshot) {
    var calls = snapshot.pages().size();
    switch (snapshot.failure()) {
      case null -> succeeded(due, startedAt, calls);
      case Failure.NotFound notFound -> notFound(due, startedAt, calls, notFound);
      case Failure.Unreadable unreadable -> schedule.unreadable(due, startedAt, calls + 1);
      case Failure.RateLimited limited -> penalise(due, limited);
      case Failure.CreditsExhausted usedUp -> stopForTheMonth(due, usedUp);
      case Failure.BadKey badKey -> {
        return Mono.error(badKey);
      }
      case Failure.NotInPlan beyond -> giveUp(due, startedAt, calls, beyond);
      case Failure.BadRequest refused -> giveUp(due, startedAt, 0, refused);
      case Failure.Blocked blocked -> postpone(due, blocked);
      case Failure.ServerError failure -> postpone(due, failure);
      case Failure.Unreachable unreachable -> postpone(due, unreachable);
    }
    return Mono.just(snapshot);
  }

  private void succeeded(DueTarget due, Instant startedAt, int calls) {
    unknown.remove(due.target().name());
    schedule.observed(due, startedAt, calls);
  }

  /** Said once, until it is found: it may be gone, or never have been. */
  private void notFound(DueTarget due, Instant startedAt, int calls, Failure.NotFound notFound) {
    if (unknown.add(due.target().name())) {
      LOG.warn(
          "{}: {}; the service does not know it. If it never did, look at its name in the watch list of source {}",
          due.target().name(), notFound.getMessage(), due.target().source());
    }
    schedule.observed(due, startedAt, calls + 1);
  }

  private void penalise(DueTarget due, Failure.RateLimited limited) {
    LOG.warn("{}: {}; slowing down", due.target().name(), limited.getMessage());
    limiter.penalise(limited.retryAfter());
    schedule.requeue(due);
  }

  private void stopForTheMonth(DueTarget due, Failure.CreditsExhausted usedUp) {
    LOG.error("{}: {}; nothing is asked until the month turns", due.target().source(), usedUp.getMessage());
    limiter.creditsUsedUp();
    schedule.requeue(due);
  }

  /** Some pages may still be had where others are beyond the plan. */
  private void giveUp(DueTarget due, Instant startedAt, int pages, Failure failure) {
    if (pages > 0) {
      LOG.warn("{}: {}; only {} pages from now on", due.target().name(), failure.getMessage(), pages);
      schedule.shorten(due, startedAt, pages);
    } else {
      LOG.error("{}: {}; not asked any more", due.target().name(), failure.getMessage());
      schedule.disable(due, time.now());
    }
  }

  private void postpone(DueTarget due, Failure failure) {
    LOG.warn("{}: {}; asked again later", due.target().name(), failure.getMessage());
    schedule.postpone(due, time.now());
  }
}
