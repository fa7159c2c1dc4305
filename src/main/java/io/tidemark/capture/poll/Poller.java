package io.tidemark.capture.poll;

import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A poller of the targets of a source. It polls several targets at a time, as the schedule and the budget allow. The
 * poller first waits until a call can be permitted and then chooses the target, because the target that was worth most
 * minutes ago may be worth less now.
 */
public final class Poller {

  private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
  /** Maximum time between two checks of the schedule while no target is due. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
  /** Pause of a list with more pages than the month has calls left. Meanwhile, another month may begin. */
  private static final Duration BUDGET_PAUSE = Duration.ofMinutes(1);
  /** Time that must pass after the first "not found", without a successful poll, before a resource may be removed. */
  static final Duration CONFIRMATION = Duration.ofMinutes(30);
  static final int POOLS_OF_A_PAGE = 20;
  private static final int TICKERS_OF_A_PAGE = 100;

  private final MarketData market;
  private final BudgetLimiter limiter;
  private final Schedule schedule;
  private final PollClock time;
  private final int mostInFlight;
  private final PollSlots slots;
  private final Consumer<DueTarget> onChosen;
  /**
   * Names of the targets that the service does not know, each with the time of its first "not found" since the last
   * successful poll.
   */
  private final Map<String, Instant> unknownSince = new ConcurrentHashMap<>();
  private final PollFailureLog failures;
  /** Completes when the next snapshot is emitted, because its target may then be due before any other. */
  private final AtomicReference<Sinks.Empty<Void>> nextAnswer = new AtomicReference<>(Sinks.empty());

  /**
   * @param mostInFlight maximum number of concurrent calls, however slow the service is
   * @param onChosen accepts each target that is about to be polled, with the reason
   */
  public Poller(
      MarketData market, BudgetLimiter limiter, Schedule schedule, PollClock time, int mostInFlight,
      Consumer<DueTarget> onChosen) {
    this.onChosen = onChosen;
    this.market = market;
    this.limiter = limiter;
    this.schedule = schedule;
    this.time = time;
    this.mostInFlight = mostInFlight;
    this.slots = new PollSlots(mostInFlight, limiter::minuteLimit);
    this.failures = new PollFailureLog(time.clock());
  }

  /** Removes a target that is no longer watched. From then on, its failures count no longer. */
  public void unwatch(String target) {
    schedule.unwatch(target);
    failures.unwatch(target);
    unknownSince.remove(target);
  }

  /**
   * One page of a snapshot, with either its answer or the failure to get one.
   *
   * @param rows number of pools or tickers on the page; 0 for any other answer
   */
  private record PageResult(@Nullable Answer<?> answer, int rows, boolean full, @Nullable Failure failure) {}

  private record PermittedPoll(DueTarget due, Permits permits) {}

  /** @param allKeysOut whether all keys were out when the answer came, so that the poll was a trial of a key */
  private record FinishedPoll(PermittedPoll poll, Snapshot snapshot, boolean allKeysOut) {}

  /**
   * Polls without end and emits each snapshot, including failed ones. Only a failed budget reservation ends the
   * polling with an error; no answer of the service does. No more snapshots are fetched ahead of the demand than
   * there are poll slots. A target is polled again only after its last snapshot was emitted, so that no snapshot
   * overtakes an earlier one of the same target.
   */
  public Flux<Snapshot> snapshots() {
    return Mono.defer(this::nextPermitted)
        .repeat()
        .flatMap(this::poll, mostInFlight, 1)
        .map(this::finish)
        .doOnNext(snapshot -> {
          slots.release();
          nextAnswer.getAndSet(Sinks.empty()).tryEmitEmpty();
        });
  }

  /**
   * Emits the number of the key that the newest permitted request of the current poll must use. Keys are numbered from
   * 0 in the order of the plan.
   */
  public static Mono<Integer> keyOfRequest() {
    return Mono.deferContextual(context -> Mono.just(context.get(Permits.class).key()));
  }

  /** Completes when a further request of the current poll, such as a retry, may be sent. */
  public static Mono<Void> permitFurtherRequest() {
    return Mono.deferContextual(context -> context.get(Permits.class).awaitNext());
  }

  private Mono<PermittedPoll> nextPermitted() {
    return slots.take()
        .flatMap(slot -> limiter.awaitPermit().then(nextDue()))
        .flatMap(due -> limiter.acquire(due.target().pages()).map(permits -> new PermittedPoll(due, permits)));
  }

  private Mono<DueTarget> nextDue() {
    return Mono.fromSupplier(this::chooseTarget)
        .repeatWhenEmpty(Integer.MAX_VALUE,
            empty -> empty.concatMap(times -> mayBeDue(), 1));
  }

  /**
   * Returns the target to poll next, or null if none is due. Postpones a list with more pages than the month has calls
   * left, so that other targets are polled with these calls. But any target may try a key that is out.
   */
  private @Nullable DueTarget chooseTarget() {
    if (!limiter.allOut()) {
      schedule.endKeyPauses();
    }
    var budget = limiter.remaining();
    var left = budget.monthRemaining();
    var isTrialDue = budget.keys().stream()
        .anyMatch(key -> key.nextTrial() != null && !key.nextTrial().isAfter(time.now()));
    var due = schedule.next();
    while (due != null && !isTrialDue && left > 0 && due.target().pages() > left) {
      schedule.postpone(due, BUDGET_PAUSE);
      due = schedule.next();
    }
    return due;
  }

  private Mono<Long> mayBeDue() {
    return Mono.defer(() -> {
      var answered = nextAnswer.get().asMono().publishOn(time.timer()).thenReturn(0L);
      return Mono.firstWithSignal(answered, Mono.delay(schedule.untilNext(LONGEST_PAUSE).plusMillis(1), time.timer()));
    });
  }

  private Mono<FinishedPoll> poll(PermittedPoll permitted) {
    var target = permitted.due().target();
    var startedAt = time.now();
    onChosen.accept(permitted.due());
    LOG.debug("target {} is polled: {}", target.name(), permitted.due().reason());
    return Flux.range(1, target.pages())
        .concatMap(page -> page(permitted, page), 1)
        .takeUntil(page -> page.failure() != null || isLastPage(permitted.due(), page))
        .collectList()
        .doOnNext(observed -> recordLastPage(permitted.due(), observed))
        .map(observed -> snapshot(target, observed, startedAt))
        .map(snapshot -> new FinishedPoll(permitted, snapshot, limiter.allOut()))
        .doOnNext(finished -> updateKey(permitted, finished.snapshot()))
        .doFinally(signal -> permitted.permits().close());
  }

  private Mono<PageResult> page(PermittedPoll permitted, int number) {
    var target = permitted.due().target();
    var query = target.query() instanceof Query.Paged<?> list ? list.withPage(number) : target.query();
    return permitted.permits()
        .awaitNext()
        .then(Mono.defer(() -> timed(query)))
        .contextWrite(context -> context.put(Permits.class, permitted.permits()))
        .doOnNext(answer -> accepted(target, permitted.permits()))
        .map(answer -> pageResult(query, answer))
        .onErrorResume(Failure.class, failure -> Mono.just(new PageResult(null, 0, false, failure)));
  }

  /**
   * Returns whether a page is the last one of its list. A page without rows is, and so is a page that is not full, unless
   * the previous complete poll found rows on a later page: the service promises only a maximum of rows for a page.
   */
  private boolean isLastPage(DueTarget due, PageResult page) {
    return !page.full() && (page.rows() == 0 || numberOf(page) >= schedule.lastPage(due));
  }

  private static int numberOf(PageResult page) {
    return page.answer() != null && page.answer().query() instanceof Query.Paged<?> list ? list.page() : 1;
  }

  /** Asks the service, and records the latency unless the query fails. So a failed call adds no poll slots. */
  private Mono<? extends Answer<?>> timed(Query<?> query) {
    var sentAt = time.nanos().getAsLong();
    return query.askOf(market).doOnSuccess(answer -> slots.answeredAfter(time.nanos().getAsLong() - sentAt));
  }

  /**
   * Counts the rows of a page. Two kinds of bodies are parsed here: pages, to count their rows, and days of a coin's
   * history, because only a readable day counts as observed, and an observed day is polled at most once more. All other
   * bodies are parsed later, when needed.
   */
  private static PageResult pageResult(Query<?> query, Answer<?> answer) {
    if (!(query instanceof Query.Paged<?> || query instanceof Query.CoinHistory)) {
      return new PageResult(answer, 0, false, null);
    }
    return switch (answer.body().read()) {
      case OnChainAnswer<?>(List<?> pools, var included) -> new PageResult(
          answer, pools.size(), pools.size() >= POOLS_OF_A_PAGE, null);
      case TickersAnswer page -> new PageResult(
          answer, page.tickers().size(), page.tickers().size() >= TICKERS_OF_A_PAGE, null);
      default -> new PageResult(answer, 0, false, null);
    };
  }

  private void recordLastPage(DueTarget due, List<PageResult> observed) {
    if (observed.getLast().failure() == null) {
      schedule.recordLastPage(
          due, observed.stream().filter(page -> page.rows() > 0).mapToInt(Poller::numberOf).max().orElse(0));
    }
  }

  private Snapshot snapshot(Target target, List<PageResult> observed, Instant startedAt) {
    var answers = observed.stream().<Answer<?>>map(PageResult::answer).filter(Objects::nonNull).toList();
    var last = observed.getLast();
    var exhausted = last.failure() == null && !last.full();
    var observedAt = answers.isEmpty() ? time.now() : answers.getLast().receivedAt();
    return new Snapshot(target, answers, exhausted, last.failure(), startedAt, observedAt);
  }

  /**
   * Updates the status of the key by the outcome of the poll, before the snapshot is emitted. The service itself
   * accepted the key if it answered with a body or with a refusal of this query.
   */
  private void updateKey(PermittedPoll permitted, Snapshot snapshot) {
    var due = permitted.due();
    var permits = permitted.permits();
    switch (snapshot.failure()) {
      case Failure.RateLimited limited when permits.timedOut() -> {}
      case Failure.RateLimited limited -> limiter.penalise(permits.key(), limited.retryAfter());
      case Failure.CreditsExhausted usedUp -> leaveOut(due, permits.key(), KeyStatus.USED_UP, usedUp);
      case Failure.BadKey badKey -> leaveOut(due, permits.key(), KeyStatus.REFUSED, badKey);
      case Failure.NotInPlan beyond -> accepted(due.target(), permits);
      case Failure.NotFound notFound -> accepted(due.target(), permits);
      case Failure.BadRequest refused -> accepted(due.target(), permits);
      case Failure.Unreadable unreadable -> accepted(due.target(), permits);
      case null -> accepted(due.target(), permits);
      case Failure.Blocked blocked -> {}
      case Failure.ServerError error -> {}
      case Failure.Unreachable unreachable -> {}
    }
  }

  private Snapshot finish(FinishedPoll finished) {
    var snapshot = updateSchedule(finished);
    if (schedule.isRemoved(finished.poll().due())) { // while it was polled
      failures.unwatch(snapshot.target().name());
      unknownSince.remove(snapshot.target().name());
    }
    return snapshot;
  }

  /** Returns the snapshot, in which "not found" is marked as confirmed or not. */
  private Snapshot updateSchedule(FinishedPoll finished) {
    var due = finished.poll().due();
    var snapshot = finished.snapshot();
    var startedAt = snapshot.startedAt();
    switch (snapshot.failure()) {
      case null -> succeeded(due, startedAt, snapshot);
      case Failure.Unreadable unreadable -> {
        failures.answered(due.target());
        schedule.unreadable(due, startedAt, snapshot.pages().size() + 1);
      }
      case Failure.RateLimited limited when finished.poll().permits().timedOut() -> {
        failures.failed(due.target(), limited, "it is polled again as soon as a key can send calls");
        schedule.requeue(due);
      }
      case Failure.RateLimited limited -> {
        if (schedule.rateLimitedAgain(due)) {
          retry(finished);
        } else {
          requeue(due, finished.poll().permits().key(), limited);
        }
      }
      case Failure.CreditsExhausted usedUp -> tryOtherKeys(finished);
      case Failure.BadKey badKey -> tryOtherKeys(finished);
      case Failure.NotFound notFound -> {
        retry(finished);
        return new Snapshot(snapshot.target(), snapshot.pages(), snapshot.exhausted(),
            new Failure.NotFound(String.valueOf(notFound.getMessage()),
                isConfirmedUnknown(due.target(), snapshot.observedAt())),
            startedAt, snapshot.observedAt());
      }
      case Failure.NotInPlan beyond -> retry(finished);
      case Failure.BadRequest refused -> retry(finished);
      case Failure.Blocked blocked -> retry(finished);
      case Failure.ServerError failure -> retry(finished);
      case Failure.Unreachable unreachable -> retry(finished);
    }
    return snapshot;
  }

  private void succeeded(DueTarget due, Instant startedAt, Snapshot snapshot) {
    unknownSince.remove(due.target().name());
    failures.answered(due.target());
    schedule.observed(due, startedAt, snapshot.pages(), snapshot.pages().size());
  }

  /**
   * Returns whether the only resource that the target asks for is gone. It is gone if the service has not found it for
   * {@link #CONFIRMATION}, and has meanwhile answered at least as many targets as it does not find. Because of this
   * comparison, resources do not count as gone if the service loses a whole route.
   */
  private boolean isConfirmedUnknown(Target target, Instant now) {
    if (target.query() instanceof Query.CoinHistory) {
      return false; // the service may list a day late, and a missing day says nothing about other targets
    }
    var since = unknownSince.computeIfAbsent(target.name(), name -> now);
    var asksForOne = switch (target.query()) {
      case Query.Paged<?> list -> false;
      case Query.GlobalMarket global -> false;
      case Query.AssetPlatforms platforms -> false;
      default -> true;
    };
    return asksForOne && !since.plus(CONFIRMATION).isAfter(now)
        && schedule.answeredAfter(since) >= unknownSince.size();
  }

  private void requeue(DueTarget due, int key, Failure.RateLimited limited) {
    failures.failed(due.target(), limited, limiter.keyCount() == 1
        ? "the poller pauses, then makes fewer calls a minute"
        : "key " + limiter.keyName(key) + " rests, then makes fewer calls a minute");
    schedule.requeue(due);
  }

  /** Puts a key out of use, because the service does not accept its calls. */
  private void leaveOut(DueTarget due, int key, KeyStatus reason, Failure failure) {
    var message = String.valueOf(failure.getMessage());
    if (limiter.refused(key, reason, message)) {
      LOG.error("source {}: key {} is out of use, because its call failed ({}). The key is tried again after {} s, then"
          + " after longer pauses{}",
          due.target().source(), limiter.keyName(key), message, KeyBudget.FIRST_TRIAL.toSeconds(),
          reason == KeyStatus.REFUSED
              ? ". If the configuration is wrong, correct the key, or key-header and base-url (both must belong to"
                  + " the plan of the key), and restart"
              : "");
    }
  }

  /**
   * Polls the target again with another key. If all keys are out, the target pauses, so that another target may try a
   * key: the service may refuse this target rather than the keys.
   */
  private void tryOtherKeys(FinishedPoll finished) {
    if (limiter.allOut()) {
      retry(finished);
    } else {
      schedule.requeue(finished.poll().due());
    }
  }

  private void accepted(Target target, Permits permits) {
    var key = permits.key();
    if (limiter.accepted(key, permits.sentAt())) {
      LOG.info("source {}: key {} is accepted again", target.source(), limiter.keyName(key));
    }
  }

  /** Polls the target again after a pause. */
  private void retry(FinishedPoll finished) {
    var due = finished.poll().due();
    var snapshot = finished.snapshot();
    var failure = Objects.requireNonNull(snapshot.failure());
    var retry = schedule.failed(due, snapshot.startedAt(), snapshot.pages(), failure,
        finished.poll().permits().sent(), limiter.callsPerSecond(), finished.allKeysOut());
    failures.failed(due.target(), failure, "%s again in %d s or later".formatted(
        retry.getPages() == null ? "it is polled" : "its pages after page " + retry.getPages() + " are polled",
        Duration.between(time.now(), retry.getNextAt()).toSeconds()));
  }
}
