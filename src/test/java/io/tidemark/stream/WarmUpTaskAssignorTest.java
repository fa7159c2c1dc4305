package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskInfo;
import org.apache.kafka.streams.processor.assignment.TaskTopicPartition;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instances that restore copies between rebalances, over tasks of which some have no stores. */
class WarmUpTaskAssignorTest {

  private static final int PARTITIONS = 6;
  private static final long END = 1_000_000;
  private static final long ACCEPTABLE = 10_000;

  private final WarmUpTaskAssignor assignor = new WarmUpTaskAssignor();
  private final Map<ProcessId, Instance> instances = new LinkedHashMap<>();
  private long joined;

  @BeforeEach
  void configure() {
    assignor.configure(Map.of("client.tag.topology", "first"));
  }

  @Test
  void firstInstance_getsEverythingAtOnce() {
    var first = join();

    assertThat(rebalance()).as("follow-up").isEmpty();
    assertThat(first.active).hasSize(tasks().size());
  }

  @Test
  void secondInstance_warmsUp_andTakesHalfWithTheNextRebalance() {
    var first = join();
    rebalance();
    var second = join();

    var begun = Instant.now();
    var followUp = rebalance().orElseThrow().minus(WarmUpTaskAssignor.FOLLOW_UP);
    assertThat(followUp).isBetween(begun, Instant.now());
    assertThat(first.active).containsAll(stateful());
    assertThat(second.active).doesNotContainAnyElementsOf(stateful());
    assertThat(second.standby).as("a copy of everything").isEqualTo(stateful());

    second.restore();
    assertThat(rebalance()).as("follow-up").isEmpty();
    assertThat(second.active).hasSize(tasks().size() / 2);
    assertThat(first.active).hasSize(tasks().size() / 2);
  }

  @Test
  void killedInstance_isReplacedByCopies_andReturnsOnceRestored() {
    var first = join();
    rebalance();
    var second = join();
    rebalance();
    second.restore();
    rebalance();
    first.restore();

    instances.remove(first.id);
    assertThat(rebalance()).isEmpty();
    assertThat(second.active).isEqualTo(tasks());

    var again = join();
    assertThat(rebalance()).isPresent();
    assertThat(second.active).containsAll(stateful());
    again.restore();
    assertThat(rebalance()).isEmpty();
    assertThat(again.active).hasSize(tasks().size() / 2);
  }

  @Test
  void taskThatNobodyHas_isRestoredWhereItIsPlanned() {
    join();
    join();

    assertThat(rebalance()).isEmpty();
    assertThat(instances.values()).allSatisfy(each -> assertThat(each.active).hasSize(tasks().size() / 2));
  }

  /** As while a version is replaced by another: what leads, and is one of ours, alone has partitions. */
  @Test
  void instanceWithAnotherTopology_waitsUntilOneOfItLeads() {
    var old = join();
    rebalance();
    var added = join();
    added.topology = "added";

    rebalance();
    assertThat(old.active).isEqualTo(tasks());
    assertThat(added.active).isEmpty();
    assertThat(added.standby).as("copies").isEmpty();

    assignor.configure(Map.of("client.tag.topology", "added"));
    rebalance();
    assertThat(old.active).isEmpty();
    assertThat(added.active).isEqualTo(tasks());
  }

  /** Whatever joins, dies and restores: each task runs once, where its stores are if they are anywhere, and rest comes. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyHistory_runsEachTaskOnceWhereItsStoresAre_andComesToRest(long seed) {
    var random = new Random(seed);
    for (int step = 0; step < 60; step++) {
      if (instances.isEmpty() || (instances.size() < 5 && random.nextInt(3) == 0)) {
        join();
      } else if (random.nextInt(4) == 0 && instances.size() > 1) {
        instances.remove(List.copyOf(instances.keySet()).get(random.nextInt(instances.size())));
      }
      instances.values().stream().filter(each -> random.nextBoolean()).forEach(Instance::restore);
      rebalanceAndCheck();
    }
    for (int step = 0; step < 3; step++) {
      instances.values().forEach(Instance::restore);
      rebalanceAndCheck();
    }
    instances.values().forEach(Instance::restore);
    assertThat(rebalance()).as("follow-up").isEmpty();
    assertThat(instances.values().stream().mapToInt(each -> each.active.size()).summaryStatistics())
        .satisfies(sizes -> assertThat(sizes.getMax() - sizes.getMin()).isLessThanOrEqualTo(2));
  }

  private void rebalanceAndCheck() {
    var haveStores = stateful().stream()
        .filter(task -> instances.values().stream().anyMatch(each -> each.lagFor(task) <= ACCEPTABLE))
        .collect(Collectors.toSet());
    var ready = new ArrayList<Set<TaskId>>();
    instances.values().forEach(each -> ready.add(haveStores.stream()
        .filter(task -> each.lagFor(task) <= ACCEPTABLE)
        .collect(Collectors.toSet())));

    rebalance();

    var active = instances.values().stream().flatMap(each -> each.active.stream()).toList();
    assertThat(active).containsExactlyInAnyOrderElementsOf(tasks());
    var index = 0;
    for (var instance : instances.values()) {
      var running = new HashSet<>(instance.active);
      running.retainAll(haveStores);
      assertThat(ready.get(index++)).containsAll(running);
      assertThat(instance.standby.stream().filter(instance.active::contains)).isEmpty();
    }
  }

  private Instance join() {
    var instance = new Instance(new ProcessId(new UUID(0, ++joined)));
    instances.put(instance.id, instance);
    return instance;
  }

  /** Assigns, and gives the instances what they are assigned. Returns when a further rebalance is due. */
  private Optional<Instant> rebalance() {
    var assigned = assignor.assign(new Application()).assignment();
    assigned.forEach(each -> instances.get(each.processId()).take(each));
    return assigned.stream().flatMap(each -> each.followupRebalanceDeadline().stream()).findFirst();
  }

  private static Set<TaskId> tasks() {
    return IntStream.range(0, 3).boxed()
        .flatMap(part -> IntStream.range(0, PARTITIONS).mapToObj(partition -> new TaskId(part, partition)))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The first part of the topology has no stores. */
  private static Set<TaskId> stateful() {
    return tasks().stream().filter(task -> task.subtopology() > 0).collect(Collectors.toCollection(TreeSet::new));
  }

  private final class Application implements ApplicationState {

    @Override
    public Map<ProcessId, KafkaStreamsState> kafkaStreamsStates(boolean computeTaskLags) {
      return new LinkedHashMap<>(instances);
    }

    @Override
    public AssignmentConfigs assignmentConfigs() {
      return new AssignmentConfigs(ACCEPTABLE, 2, 1, 600_000L, List.of());
    }

    @Override
    public Map<TaskId, TaskInfo> allTasks() {
      return tasks().stream().collect(Collectors.toMap(task -> task, Task::new, (a, b) -> a, TreeMap::new));
    }
  }

  private record Task(TaskId id) implements TaskInfo {

    @Override
    public boolean isStateful() {
      return id.subtopology() > 0;
    }

    @Override
    public Set<String> stateStoreNames() {
      return isStateful() ? Set.of("store") : Set.of();
    }

    @Override
    public Set<TaskTopicPartition> topicPartitions() {
      return Set.of();
    }
  }

  /** One process with one thread. */
  private static final class Instance implements KafkaStreamsState {

    private final ProcessId id;
    private final NavigableSet<TaskId> active = new TreeSet<>();
    private final NavigableSet<TaskId> standby = new TreeSet<>();
    private final Set<TaskId> restored = new HashSet<>();
    private String topology = "first";

    Instance(ProcessId id) {
      this.id = id;
    }

    void take(KafkaStreamsAssignment assignment) {
      active.clear();
      standby.clear();
      assignment.tasks()
          .forEach((task, assigned) -> (assigned.type() == AssignedTask.Type.ACTIVE ? active : standby).add(task));
      restored.retainAll(assignment.tasks().keySet());
    }

    void restore() {
      restored.addAll(active);
      restored.addAll(standby);
    }

    @Override
    public ProcessId processId() {
      return id;
    }

    @Override
    public int numProcessingThreads() {
      return 1;
    }

    @Override
    public SortedSet<String> consumerClientIds() {
      return new TreeSet<>(Set.of(id + "-consumer"));
    }

    @Override
    public SortedSet<TaskId> previousActiveTasks() {
      return new TreeSet<>(active);
    }

    @Override
    public SortedSet<TaskId> previousStandbyTasks() {
      return new TreeSet<>(standby);
    }

    @Override
    public long lagFor(TaskId task) {
      return restored.contains(task) || active.contains(task) ? 0 : END;
    }

    @Override
    public SortedSet<TaskId> prevTasksByLag(String consumerClientId) {
      var all = new TreeSet<>(active);
      all.addAll(standby);
      return all;
    }

    @Override
    public Map<TaskId, Long> statefulTasksToLagSums() {
      return stateful().stream().collect(Collectors.toMap(task -> task, this::lagFor));
    }

    @Override
    public Optional<HostInfo> hostInfo() {
      return Optional.empty();
    }

    @Override
    public Map<String, String> clientTags() {
      return Map.of("topology", topology);
    }

    @Override
    public Optional<String> rackId() {
      return Optional.empty();
    }
  }
}
