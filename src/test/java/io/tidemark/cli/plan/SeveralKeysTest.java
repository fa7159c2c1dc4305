package io.tidemark.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.BudgetLimiter;
import io.tidemark.capture.poll.PollClock;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.ServiceClock;
import io.tidemark.simulator.server.KeyAccounts;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Poller and limiter of the program in virtual time against a service that counts the calls of each key and refuses what
 * is beyond its plan. The service knows none of the tokens: only calls matter here.
 */
class SeveralKeysTest {

  /** January: a month of 31 days. */
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Duration MONTH = Duration.ofDays(31);
  static final Duration LATENCY = Duration.ofMillis(300);

  final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();
  final PollClock time = new PollClock(scheduler, () -> START.plusMillis(scheduler.now(TimeUnit.MILLISECONDS)),
      () -> scheduler.now(TimeUnit.NANOSECONDS));
  final Map<String, Integer> answered = new HashMap<>();
  final Map<String, Integer> refused = new HashMap<>();

  @Test
  void steadyDay_theMinutesOfAllKeysAreUsed_andNoCallIsTooMany() {
    var accounts = List.of(account("small", 10, null), account("large", 40, null));

    poll(accounts, 1_000_000_000, Duration.ofDays(1), passed -> {});

    System.out.printf("a day: %s answered, %s refused%n", answered, refused);
    assertThat(refused).isEmpty();
    assertThat(answered.get("small")).isBetween(13_500, 14_400);
    assertThat(answered.get("large")).isBetween(54_000, 57_600);
  }

  @Test
  void keyRevokedMidMonth_otherKeysUseTheirWholeMonth_andNoMore() {
    var accounts = List.of(account("one", 30, 6_000L), account("two", 30, 6_000L), account("three", 30, 6_000L));

    poll(accounts, 6_000, MONTH.minusMinutes(1), passed -> {
      if (passed.equals(Duration.ofDays(10))) {
        accounts.getLast().accounts().revoke("three");
      }
    });

    System.out.printf("a month: %s answered, %s refused%n", answered, refused);
    assertThat(answered.get("one")).isBetween(5_950, 6_000);
    assertThat(answered.get("two")).isBetween(5_950, 6_000);
    assertThat(answered.get("three")).as("a third of its month").isBetween(1_900, 2_000);
    assertThat(refused).as("the first refusal, and trials that come more and more slowly").containsOnlyKeys("three");
    assertThat(refused.get("three")).isBetween(40, 60);
  }

  record Account(String key, int perMinute, KeyAccounts accounts) {}

  private Account account(String key, int perMinute, Long perMonth) {
    return new Account(key, perMinute, new KeyAccounts(List.of(key), perMinute, perMonth, time.clock()));
  }

  private void poll(List<Account> accounts, long perMonth, Duration length, Consumer<Duration> hourly) {
    var keys = accounts.stream().map(each -> "{ key: \"${%s}\", name: %s, per-minute: %d, per-month: %d }"
        .formatted(each.key(), each.key(), each.perMinute(), perMonth)).collect(Collectors.joining(", "));
    var tokens = IntStream.range(0, 60).mapToObj(k -> "\"0x%040x\": {}".formatted(k)).collect(Collectors.joining(", "));
    var text = """
        sources:
          - base-url: https://example.org/api/v3
            keys: [ %s ]
            refresh: { token: 10s }
            watch: { networks: { eth: { tokens: { %s } } } }
        """.formatted(keys, tokens);
    var source = Settings.parse("test", text, name -> name.startsWith("TIDEMARK") ? null : name).sources().getFirst();
    var service = new ServiceClock(time.nanos());
    service.update(START);
    var limiter = new BudgetLimiter(source.limits(), null, 0, budget -> Mono.empty(), () -> true, service, time);
    var polling =
        new Poller(market(accounts), limiter, new Schedule(source.watch(), name -> null, time), time, 8, due -> {})
            .snapshots().subscribe();
    try {
      for (var passed = Duration.ZERO; passed.compareTo(length) < 0; passed = passed.plusHours(1)) {
        hourly.accept(passed);
        var rest = length.minus(passed);
        scheduler.advanceTimeBy(rest.compareTo(Duration.ofHours(1)) < 0 ? rest : Duration.ofHours(1));
      }
    } finally {
      polling.dispose();
    }
  }

  private MarketData market(List<Account> accounts) {
    return (MarketData) Proxy.newProxyInstance(MarketData.class.getClassLoader(), new Class<?>[] {MarketData.class},
        (proxy, method, arguments) -> Poller.keyOfRequest()
            .delayElement(LATENCY, scheduler)
            .flatMap(key -> Mono.error(answer(accounts.get(key)))));
  }

  private Failure answer(Account account) {
    var failure = account.accounts().count(account.key());
    (failure == null ? answered : refused).merge(account.key(), 1, Integer::sum);
    return failure == null ? new Failure.Unreadable("no body", new byte[0], 200, Map.of()) : failure;
  }
}
