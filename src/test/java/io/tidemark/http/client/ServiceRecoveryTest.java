package io.tidemark.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.ledger.AppendedStates;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.capture.poll.BudgetLimiter;
import io.tidemark.capture.poll.PollClock;
import io.tidemark.capture.poll.PollFixtures;
import io.tidemark.capture.poll.PollHealth;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.ChangeView;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.KnownIds;
import io.tidemark.market.MarketData;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Snapshot;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.stream.TopologyRun;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A service that fails in each way that looks final, for 20 minutes at a time, and recovers: every target is polled
 * again. Its market stands still, so any change, appearance, removal or alert would be false.
 */
class ServiceRecoveryTest {
  static {
    AvroSettings.apply();
  }

  private static final Duration HOSTILE = Duration.ofMinutes(20);
  /** A pause is at most as long as the failures before it, and a quarter more. */
  private static final Duration WELL = Duration.ofMinutes(50);
  private static final int PER_MINUTE = 30;
  private static final long PER_MONTH = 200_000;
  private static final Duration LATENCY = Duration.ofMillis(200);
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  /** Status, Retry-After, body. */
  private static final List<Failure> ANSWERS = List.of(
      answer(401, "{\"error\":\"Unauthorized\"}"),
      answer(401, "{\"status\":{\"error_code\":10002,\"error_message\":\"API Key Missing.\"}}"),
      answer(400, "{\"status\":{\"error_code\":10010,\"error_message\":\"please change your root URL\"}}"),
      answer(401, "{\"status\":{\"error_code\":10005,\"error_message\":\"limited to PRO API subscribers\"}}"),
      answer(401, "{\"error\":{\"status\":{\"error_code\":10012,\"error_message\":\"allowed time range\"}}}"),
      answer(429, "{\"status\":{\"error_code\":10006,\"error_message\":\"reached 10,000 calls limit.\"}}"),
      answer(200, "{\"status\":{\"error_code\":10006,\"error_message\":\"reached 10,000 calls limit.\"}}"),
      answer(429, "{\"error\":\"Throttled. Enable the Credits add-on for bursts\"}"),
      FailureTableTest.failure(429, "{\"error\":\"monthly plan\"}".getBytes(UTF_8), "30"),
      answer(403, "{\"error\":\"Set a descriptive User-Agent, or subscribe to one of our plans\"}"),
      answer(402, "{\"error\":\"Payment required\"}"),
      answer(404, "{\"error\":\"coin not found\"}"),
      answer(404, "<html>no route</html>"),
      answer(405, "{\"error\":\"Method not allowed\"}"),
      answer(407, "{\"error\":\"Proxy authentication required\"}"),
      answer(409, "{\"error\":\"Conflict\"}"),
      answer(410, "{\"error\":\"Gone\"}"),
      answer(413, "{\"error\":\"Too large\"}"),
      answer(421, "{\"error\":\"Misdirected\"}"),
      answer(422, "{\"error\":\"Missing parameter date\"}"),
      answer(425, "{\"error\":\"Too early\"}"),
      answer(451, "{\"error\":\"Unavailable for legal reasons\"}"),
      answer(400, "{\"errors\":[{\"status\":\"400\",\"title\":\"Invalid sort option.\"}]}"),
      answer(401, ""),
      answer(503, "<html>maintenance</html>"));

  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  private final PollClock time = PollFixtures.clock(timer);
  private final ResourceStateStore store =
      new ResourceStateStore(TopologyRun.TOPICS, new BuiltInRegistry(TopologyRun.TOPICS.all()), null);
  private final MarketData still =
      new Simulator(new SimulatorSettings(1, Scenario.CALM, 1), InstantSource.fixed(START)).at(START);
  private final Map<Query<?>, Answer<?>> known = new HashMap<>();
  private final Map<String, Instant> observedAt = new HashMap<>();
  private final List<ResourceUpdate> falseUpdates = new ArrayList<>();
  private final Deque<Instant> lastMinute = new ArrayDeque<>();
  private Set<Operation> hostile = Set.of();
  private @Nullable Failure failure;
  private long calls;
  private long refused;
  private int mostInAMinute;
  private boolean baseline = true;
  private @Nullable Disposable polling;

  private final SourceSettings source =
      Settings.parse("test", config(), name -> name.startsWith("TIDEMARK") ? null : name).sources()
          .getFirst();
  private final Schedule schedule;
  private final PollHealth health = new PollHealth();

  ServiceRecoveryTest() {
    timer.advanceTimeTo(START);
    var service = new ServiceClock(time.nanos());
    service.update(time.clock().instant());
    schedule = new Schedule(source.watch(), name -> null, time);
    names().forEach(name -> health.watch(name, START));
    var limiter = new BudgetLimiter(source.limits(), null, 0, budget -> Mono.empty(), () -> true, service, time);
    var detector =
        new ChangeDetector(PublishSettings.MATERIAL, Duration.ofDays(30), Duration.ofDays(30), START, START);
    polling = new Poller(market(), limiter, schedule, time, 8, due -> {}).snapshots().subscribe(snapshot -> {
      detect(detector, snapshot);
    });
  }

  @AfterEach
  void close() {
    if (polling != null) {
      polling.dispose();
    }
    store.close();
  }

  @Test
  void eachOperationInTurn_isHostile_thenEveryTargetIsPolledAgain() {
    begin();
    for (var each : ANSWERS) {
      for (var operation : Operation.values()) {
        be(Set.of(operation), each, HOSTILE);
      }
      be(Set.of(), each, WELL);
      assertAllWell(each);
    }
  }

  @Test
  void wholeService_isHostile_thenEveryTargetIsPolledAgain() {
    begin();
    for (var each : ANSWERS) {
      be(EnumSet.allOf(Operation.class), each, HOSTILE);
      assertThat(health.isDegraded()).as(each.getMessage()).isTrue();
      be(Set.of(), each, WELL);
      assertAllWell(each);
    }
    assertThat(refused).as("refused calls, of those that the month allows in that time")
        .isLessThan((long) (0.5 * PER_MONTH / 31 / 24 * ANSWERS.size() * HOSTILE.plus(WELL).toHours()));
  }

  private void begin() {
    be(Set.of(), answer(500, "{}"), Duration.ofHours(2));
    baseline = false;
    assertThat(observedAt).hasSizeGreaterThan(12);
  }

  private void be(Set<Operation> operations, Failure answer, Duration length) {
    hostile = operations;
    failure = answer;
    timer.advanceTimeBy(length);
  }

  private void assertAllWell(Failure after) {
    var since = time.clock().instant().minus(WELL);
    assertThat(names()).as(after.getMessage()).allSatisfy(name -> {
      assertThat(schedule.retry(name)).as(name).isNull();
      assertThat(observedAt.get(name)).as(name).isAfter(since);
    });
    assertThat(health.problem()).as(after.getMessage()).isNull();
    assertThat(falseUpdates).as(after.getMessage()).isEmpty();
    assertThat(mostInAMinute).isLessThanOrEqualTo(PER_MINUTE);
    var elapsed = Duration.between(START, time.clock().instant());
    assertThat(calls).as("calls of the month, at its pace after one round")
        .isLessThan(source.watch().callsPerRound() + PER_MONTH * elapsed.toMinutes() / 31 / 24 / 60 + PER_MINUTE);
  }

  private List<String> names() {
    return source.watch().targets().stream().map(each -> each.target().name()).toList();
  }

  private void detect(ChangeDetector detector, Snapshot snapshot) {
    var outcome = detector.detect(snapshot, store);
    AppendedStates.append(store, TopologyRun.TOPICS, outcome);
    health.recordPoll(snapshot, outcome.targetState().getComplete());
    if (snapshot.complete()) {
      observedAt.put(snapshot.target().name(), snapshot.observedAt());
    }
    if (!baseline && !snapshot.target().query().operation().equals(Operation.COIN_HISTORY)) {
      outcome.updates().stream().filter(ServiceRecoveryTest::isNews).forEach(falseUpdates::add);
      assertThat(outcome.listings()).isEmpty();
    }
  }

  /** Whether a rule could alert of it: the market stands still. */
  private static boolean isNews(ResourceUpdate update) {
    var change = update.change();
    return change != null && ChangeView.of(change).parts().stream().anyMatch(part -> part.isNews(change));
  }

  private MarketData market() {
    return (MarketData) Proxy.newProxyInstance(MarketData.class.getClassLoader(), new Class<?>[] {MarketData.class},
        (proxy, method, arguments) -> Mono.delay(LATENCY, timer).flatMap(late -> answer((Query<?>) arguments[0])));
  }

  private Mono<Answer<?>> answer(Query<?> query) {
    var now = time.clock().instant();
    calls++;
    lastMinute.add(now);
    while (!lastMinute.getFirst().isAfter(now.minusSeconds(60))) {
      lastMinute.remove();
    }
    mostInAMinute = Math.max(mostInAMinute, lastMinute.size());
    if (hostile.contains(query.operation())) {
      refused++;
      return Mono.error(failure);
    }
    return Mono.just(received(known.computeIfAbsent(query, this::ask), now));
  }

  private Answer<?> ask(Query<?> query) {
    return query.askOf(still).block();
  }

  private static <A> Answer<A> received(Answer<A> cached, Instant now) {
    return new Answer<>(cached.query(), cached.body(), cached.digest(), now, now, null, null, null, null);
  }

  private static Failure answer(int status, String body) {
    return FailureTableTest.failure(status, body.getBytes(UTF_8), null);
  }

  private static String config() {
    var ids = KnownIds.SIMULATED;
    return """
        sources:
          - base-url: https://example.org/api/v3
            keys: [ { key: "${KEY}", name: one, per-minute: %d, per-month: %d } ]
            watch:
              networks:
                %s:
                  new-pools: { pages: 3 }
                  trending: { durations: [1h], pages: 1 }
                  dexes: { %s: { pages: 1 } }
                  tokens: { "%s": { pools: { pages: 1 } } }
                  pools: { "%s": {} }
              searches: [ { query: pepe, network: eth } ]
              global: {}
              coins: { %s: { history: { days: 300 }, tickers: { pages: 1 } } }
              derivatives: { %s: { tickers: all } }
              treasuries: { %s: {}, %s: {} }
              platforms: {}
        """.formatted(PER_MINUTE, PER_MONTH, ids.network(), ids.dex(), ids.token(), ids.pool(), ids.coin(),
        ids.derivativesExchange(), ids.company(), ids.government());
  }
}
