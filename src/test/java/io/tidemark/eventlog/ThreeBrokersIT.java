package io.tidemark.eventlog;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.fault.Containers;
import io.tidemark.judge.Anomaly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of instances, brokers and the network between all of them: an independent judge finds no anomaly. */
class ThreeBrokersIT {
  static final long SEED = Long.getLong("tidemark.judge.seed", 7);
  static final int FAULTS = Integer.getInteger("tidemark.judge.faults", 0);
  static final Duration MOST = Duration.ofMinutes(Integer.getInteger("tidemark.judge.minutes", 24 * 60));
  static final Pattern KINDS = Pattern.compile(System.getProperty("tidemark.judge.kinds", ".*"));

  /** The short form: the owner, a broker and the network, each beyond what a retry hides. */
  static final List<ClusterFault> SHORT = List.of(ClusterFault.COORDINATOR_KILLED, ClusterFault.INSTANCE_HALF_OPEN,
      ClusterFault.LEADER_HEARS_NO_BROKER, ClusterFault.TWO_BROKERS_DOWN);

  @TempDir
  Path folder;

  @Test
  void faultsOfBrokersInstancesAndNetwork_noAnomaly() throws IOException {
    assumeTrue(Containers.canRun(), "needs Docker on Linux");
    System.out.printf("judge: seed %d, clock of one instance %s%n", SEED,
        ClusterRun.isClockSkewed() ? "10 s ahead" : "right, because libfaketime is not installed");
    var end = System.nanoTime() + MOST.toNanos();
    try (var containers = new Containers(); var run = new ClusterRun(SEED, folder, containers)) {
      var recoveries = new TreeMap<ClusterFault, List<Duration>>();
      for (ClusterFault fault : plan()) {
        if (System.nanoTime() > end) {
          break;
        }
        fault.strike(run);
        var recovery = run.recovery();
        recoveries.computeIfAbsent(fault, any -> new ArrayList<>()).add(recovery);
        System.out.printf("judge: %s, a snapshot after %.1f s%n", fault, recovery.toMillis() / 1e3);
      }
      List<Anomaly> anomalies = run.judge();
      print(recoveries, anomalies);
      assertThat(anomalies.stream().limit(30)).isEmpty();
      run.check();
    }
  }

  /** Returns the faults in an order that the seed decides, each kind equally often. */
  private static List<ClusterFault> plan() {
    var plan = new ArrayList<ClusterFault>();
    var kinds = FAULTS == 0 ? SHORT
        : List.of(ClusterFault.values()).stream().filter(each -> KINDS.matcher(each.name()).matches()).toList();
    var random = new Random(SEED);
    while (plan.size() < Math.max(FAULTS, kinds.size())) {
      var once = new ArrayList<>(kinds);
      Collections.shuffle(once, random);
      plan.addAll(once);
    }
    return FAULTS == 0 ? plan : plan.subList(0, FAULTS);
  }

  private static void print(Map<ClusterFault, List<Duration>> recoveries, List<Anomaly> anomalies) {
    System.out.println("| fault | times | a snapshot after, median | at most |\n| --- | ---: | ---: | ---: |");
    recoveries.forEach((fault, all) -> {
      var sorted = all.stream().sorted().toList();
      System.out.printf("| `%s` | %d | %.1f s | %.1f s |%n", fault, sorted.size(),
          sorted.get(sorted.size() / 2).toMillis() / 1e3, sorted.getLast().toMillis() / 1e3);
    });
    System.out.println("judge: anomalies " + anomalies.stream().collect(groupingBy(Anomaly::kind, counting())));
  }
}
