package io.tidemark.eventlog;

import io.tidemark.fault.InstancePhase;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random faults at random times: nothing is lost, nothing comes twice, and every law holds. */
class ChaosIT {
  static final long SEED = Long.getLong("tidemark.chaos.seed", 7);
  static final int FAULTS = Integer.getInteger("tidemark.chaos.faults", 6);
  static final Pattern KINDS = Pattern.compile(System.getProperty("tidemark.chaos.kinds", ".*"));
  static final int INSTANCES = Integer.getInteger("tidemark.chaos.instances", 2);

  @TempDir
  Path folder;

  @Test
  void faultsOfEveryKind_eventLogIsWhatWasServed() throws IOException {
    System.out.printf("chaos: seed %d, %d faults, %d instances%n", SEED, FAULTS, INSTANCES);
    try (var run = new ChaosRun(SEED, INSTANCES, folder)) {
      run.awaitRound();
      plan().forEach(strike -> strike.accept(run));
      run.check();
      System.out.printf("chaos: seed %d came to %s%n", SEED, run.struck());
      run.ends().forEach(end -> System.out.println("chaos: an instance ended: " + end));
    }
  }

  /** Returns the faults in an order that the seed decides: each kind equally often, and each phase at least once. */
  private static List<Consumer<ChaosRun>> plan() {
    var random = new Random(SEED);
    var all = new ArrayList<Consumer<ChaosRun>>();
    var phases = List.of(InstancePhase.values()).stream()
        .filter(phase -> phase != InstancePhase.REVOKE || INSTANCES > 1)
        .filter(phase -> KINDS.matcher("KILLED_IN_" + phase).matches())
        .toList();
    while (all.size() < FAULTS) {
      var once = new ArrayList<Consumer<ChaosRun>>();
      List.of(Fault.values()).stream().filter(fault -> KINDS.matcher(fault.name()).matches())
          .forEach(fault -> once.add(run -> run.strike(fault)));
      Collections.shuffle(once, random);
      all.addAll(once);
      phases.forEach(phase -> all.addFirst(run -> run.strike(phase)));
    }
    var plan = all.subList(0, FAULTS);
    Collections.shuffle(plan, random);
    return plan;
  }
}
