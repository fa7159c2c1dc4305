package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.event.SourceState;
import io.tidemark.kafka.ClassicGroup;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances that are stopped, killed and closed: one other instance polls on, within the limits of the plan. */
class FailoverIT {

  static final Duration WAIT = Duration.ofMinutes(4);
  static final Duration MINUTE = Duration.ofMinutes(1);

  /** The calls a minute of each key. */
  static final Map<String, Integer> KEYS = Map.of("large", 120, "small", 60);

  /** Less than the watch list needs, so that every minute is used up. */
  static final int PER_MINUTE = KEYS.values().stream().mapToInt(each -> each).sum();

  static final int PER_MONTH = 100_000_000;

  @TempDir
  Path folder;

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  final CountedMarket market = new CountedMarket();

  @Test
  void ownersStoppedKilledAndClosed_oneOwnerPollsOnWithinThePlan() throws IOException {
    try (market; var a = new Instance("a"); var b = new Instance("b"); var c = new Instance("c")) {
      a.start();
      await().atMost(WAIT).until(() -> a.hasFullMinute());
      b.start();
      await().atMost(WAIT).until(() -> a.isFollowedBy(b));

      takesOver(b, stop(a));
      var callsOfA = a.door.calls();
      a.program.signal("CONT");
      await().atMost(WAIT).until(() -> a.program.log().contains("source main: the group took it from this instance"));
      var callsOfB = b.door.calls();
      await().atMost(WAIT).until(() -> b.door.calls() > callsOfB + 20);
      assertThat(a.door.calls())
          .as("calls of one that was stopped, one of which may have begun, and of the same that goes on")
          .isBetween(callsOfA, callsOfA + 1);
      assertThat(ownersSince(b)).as("owners since").containsOnly(b.owner());

      takesOver(a, kill(b));
      c.start();
      await().atMost(WAIT).until(() -> a.isFollowedBy(c));
      var closed = Instant.now();
      a.program.stop();
      await().atMost(WAIT).until(() -> c.door.firstAfter(closed) != null);
      System.out.printf("released in order: the next instance polled %d ms later%n",
          Duration.between(closed, c.door.firstAfter(closed)).toMillis());
      c.program.stop();

      KEYS.forEach((key, perMinute) -> {
        var most = market.most(MINUTE, key);
        System.out.printf("%d calls, %d the most in 60 s of %d with key %s%n", market.calls(), most, perMinute, key);
        assertThat(most).as("calls in 60 s with key %s", key).isBetween(1L, (long) perMinute);
      });
      await().untilAsserted(() -> assertThat(newest().getStatus()).isEqualTo("stopped"));
      assertThat(newest().getBudget().getReserved()).isBetween((long) market.calls(),
          (long) market.calls() + PER_MINUTE);
      EventLogCheck.holds(EventLogReader.all(SharedBroker.access(), registry, topics), market.bodies(), true);
    }
  }

  private Instant stop(Instance instance) {
    var at = Instant.now();
    instance.program.signal("STOP");
    return at;
  }

  private Instant kill(Instance instance) {
    var at = Instant.now();
    instance.program.kill();
    return at;
  }

  /** Waits for the failover and prints its duration. Expected: session timeout, restore and up to five seconds. */
  private void takesOver(Instance next, Instant since) {
    await().atMost(WAIT).until(() -> next.door.firstAfter(since) != null);
    var owner = next.owner();
    var generation = states().stream()
        .filter(state -> state.getOwner().equals(owner) && state.getStartedAt().isAfter(since))
        .toList();
    var fenced = Duration.between(since, generation.getFirst().getStartedAt());
    var polling = generation.stream().filter(state -> state.getStatus().equals("polling")).findFirst().orElseThrow();
    var goesOn = Duration.between(since, polling.getHeartbeatAt());
    var firstCall = Duration.between(since, next.door.firstAfter(since));
    var restore = next.restored();
    System.out.printf(
        "session timeout %d ms, restore %d ms; after the end of the other, instance %s wrote after %d ms, went on"
            + " after %d ms, and polled after %d ms%n",
        ClassicGroup.SESSION_TIMEOUT.toMillis(), restore.toMillis(), next.name, fenced.toMillis(), goesOn.toMillis(),
        firstCall.toMillis());
  }

  /** Returns the owners since the first record of an instance. */
  private List<String> ownersSince(Instance first) {
    var firstOwner = first.owner();
    return states().stream().map(SourceState::getOwner).dropWhile(owner -> !owner.equals(firstOwner)).distinct()
        .toList();
  }

  private SourceState newest() {
    return states().getLast();
  }

  private List<SourceState> states() {
    return new EventLogReader(SharedBroker.access(), registry, Stream.of(topics.sourceState())).read().stream()
        .map(entry -> (SourceState) Objects.requireNonNull(entry.value()))
        .toList();
  }

  /** A process with a server of the market for itself. */
  private final class Instance implements AutoCloseable {
    final String name;
    final CountedMarket.Door door = market.open();
    ProgramProcess program;

    Instance(String name) {
      this.name = name;
    }

    void start() throws IOException {
      var own = Files.createDirectories(folder.resolve(name));
      Files.writeString(own.resolve("tidemark.yaml"), configuration());
      program = ProgramProcess.start(own, "run", "--config", "tidemark.yaml", "--only", "poll");
    }

    /** Returns the name under which it is the owner. */
    String owner() {
      var name = program.pid() + "@";
      return states().stream().map(SourceState::getOwner).filter(owner -> owner.startsWith(name)).findFirst()
          .orElseThrow();
    }

    /** Returns the duration of its last restore. */
    Duration restored() {
      var restored = Pattern.compile("restored \\d+ pools and \\d+ tokens in (\\d+) ms").matcher(program.log());
      var millis = restored.results().map(each -> each.group(1)).reduce((first, last) -> last).orElseThrow();
      return Duration.ofMillis(Long.parseLong(millis));
    }

    /** Returns whether it has made all calls of its first minute; fails if it does not run. */
    boolean hasFullMinute() {
      program.assertAtWork();
      return door.calls() >= PER_MINUTE;
    }

    /** Returns whether another instance is on standby; fails if either does not run. */
    boolean isFollowedBy(Instance other) {
      program.assertAtWork();
      other.program.assertAtWork();
      return other.program.log().contains("stands by");
    }

    private String configuration() throws IOException {
      var refresh = SimulatedMarket.REFRESH.entrySet().stream()
          .map(each -> each.getKey().wire() + ": " + each.getValue().toMillis() + "ms")
          .collect(Collectors.joining(", "));
      try (var in = Objects.requireNonNull(EventLogRun.class.getResourceAsStream("watch.yaml"))) {
        return """
            kafka: { bootstrap-servers: "%s" }
            topics: { partitions: 3, cluster-prefix: failover- }
            sources:
              - name: main
                prefix: %s
                base-url: %s
                keys: [ %s ]
                events: everything
                refresh: { %s }
            """.formatted(SharedBroker.bootstrapServers(), topics.prefix(), door.baseUrl(), keys(), refresh)
            + new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }

    /** Writes each key to a file, because a configuration must not contain keys. */
    private String keys() throws IOException {
      var keys = new ArrayList<String>();
      for (var key : new TreeSet<>(KEYS.keySet())) {
        var file = Files.writeString(folder.resolve(key), key);
        keys.add("{ key-file: \"%s\", per-minute: %d, per-month: %d }".formatted(file, KEYS.get(key), PER_MONTH));
      }
      return String.join(", ", keys);
    }

    @Override
    public void close() {
      if (program != null) {
        program.signal("CONT");
        program.close();
      }
    }
  }
}
