package io.tidemark.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.BudgetLimiter;
import io.tidemark.capture.poll.PollClock;
import io.tidemark.capture.poll.Poller;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.poll.Schedule.Shown;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.Main;
import io.tidemark.event.Pool;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.ServiceClock;
import io.tidemark.market.Snapshot;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A month on 10,000 credits with what {@code init} writes, in virtual time: poller, limiter and schedule of the program
 * over the simulated market.
 */
class FreeMonthTest {

  /** January: a month of 31 days. */
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Duration MONTH = Duration.ofDays(31);
  /** As the simulated market makes them: one a minute, and one in five minutes. */
  static final Map<String, Integer> CREATED_AN_HOUR = Map.of("solana", 60, "base", 12);

  @TempDir
  Path folder;

  final VirtualTimeScheduler scheduler = VirtualTimeScheduler.create();
  final PollClock time = new PollClock(scheduler, () -> START.plusMillis(scheduler.now(TimeUnit.MILLISECONDS)),
      () -> scheduler.now(TimeUnit.NANOSECONDS));
  final Simulator market = new Simulator(new SimulatorSettings(7, Scenario.CALM, 1), time.clock());
  final List<Instant> calls = new ArrayList<>();
  final Map<String, Set<String>> observed = new HashMap<>();
  final Map<String, Observation<Pool>> newest = new HashMap<>();

  @Test
  void creditsLastToTheLastDay_andNewPoolsAreObservedAsPlanned() throws Exception {
    var file = folder.resolve("tidemark.yaml").toString();
    run("init", "--plan", "demo", "--for", "alerts", "--networks", "solana,base", "--config", file);
    var planned = new ObjectMapper()
        .readTree(run("plan", "--config", file, "--json", "--new-pools", "solana=60,base=12")).get(0);
    var source = Settings.parse(file, Files.readString(Path.of(file)), name -> null).sources().getFirst();

    pollForAMonth(source);

    assertThat(calls).hasSizeBetween(9_900, 10_000);
    assertThat(calls.getLast()).isAfter(START.plus(MONTH).minus(Duration.ofDays(1)));
    var created = CREATED_AN_HOUR.values().stream().mapToInt(each -> each * (int) MONTH.toHours()).sum();
    var share = observed.values().stream().mapToInt(Set::size).sum() / (double) created;
    var expected = planned.get("new_pools_observed").asDouble();
    assertThat(share).as("planned %s", expected).isCloseTo(expected, within(0.1 * expected));
  }

  private void pollForAMonth(SourceSettings source) {
    var service = new ServiceClock(time.nanos());
    service.update(START);
    var limiter = new BudgetLimiter(source.limits(), null, source.watch().callsPerRound(), budget -> Mono.empty(),
        () -> true, service, time);
    var schedule = new Schedule(source.watch(), name -> null, time);
    var polling = new Poller(market, limiter, schedule, time, 8, due -> {}).snapshots()
        .subscribe(snapshot -> learn(schedule, snapshot));
    try {
      for (var passed = Duration.ZERO; passed.compareTo(MONTH) < 0; passed = passed.plusHours(1)) {
        scheduler.advanceTimeBy(Duration.ofHours(1));
      }
    } finally {
      polling.dispose();
    }
  }

  private void learn(Schedule schedule, Snapshot snapshot) {
    var pools = new ArrayList<String>();
    var changed = new HashSet<String>();
    for (var answer : snapshot.pages()) {
      calls.add(answer.receivedAt());
      pools(answer).forEach(observation -> {
        var id = observation.resource().getId();
        pools.add(id);
        if (!observation.equals(newest.put(id, observation))) {
          changed.add(id);
        }
        count(snapshot.target().query(), observation.resource());
      });
    }
    schedule.learn(snapshot.target().name(), new Shown(pools, changed, true));
  }

  private void count(Query<?> query, Pool pool) {
    var description = pool.getDescription();
    var createdAt = description == null ? null : description.getPoolCreatedAt();
    if (query instanceof Query.NewPools list && createdAt != null && !Instant.parse(createdAt).isBefore(START)) {
      observed.computeIfAbsent(list.network(), any -> new HashSet<>()).add(pool.getId());
    }
  }

  @SuppressWarnings("unchecked") // the lists of the configuration are lists of pools
  private static List<Observation<Pool>> pools(Answer<?> answer) {
    return answer.body().read() instanceof OnChainAnswer<?>(List<?> pools, var included)
        ? (List<Observation<Pool>>) pools
        : List.of();
  }

  private static String run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    assertThat(Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments))
        .as(err.toString()).isZero();
    return out.toString();
  }
}
