package io.tidemark.stream;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskAssignor;
import org.apache.kafka.streams.processor.assignment.TaskInfo;
import org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An assignor that distributes the tasks of an application evenly, and moves a task only to an instance that has the
 * stores of the task, unless no instance has them. An instance has them if it lacks at most {@code
 * acceptable.recovery.lag} of their records. Until the new instance has the stores, the task continues on an instance
 * that has them, the new instance restores a copy, and a follow-up rebalance is requested a few seconds later. Kafka's
 * own assignor does the same, but requests the follow-up rebalance after ten minutes, and cannot be configured to
 * request it within one minute.
 *
 * <p>The leader of the group runs this assignor. Only instances with the topology of the leader get tasks, so that two
 * topologies never write the stores of one application. Other instances wait in the group until one of them becomes its
 * leader.
 */
public final class WarmUpTaskAssignor implements TaskAssignor {

  static final Duration FOLLOW_UP = Duration.ofSeconds(10);

  /** Client tag that carries the topology of an instance, as a {@link TopologyFingerprint}. */
  static final String TOPOLOGY = "topology";

  private static final Logger LOG = LoggerFactory.getLogger(WarmUpTaskAssignor.class);

  private final TaskAssignor balancing = new StickyTaskAssignor();
  private @Nullable Object topology;

  @Override
  public void configure(Map<String, ?> config) {
    topology = config.get(StreamsConfig.clientTagPrefix(TOPOLOGY));
  }

  @Override
  public TaskAssignment assign(ApplicationState group) {
    var application = new OfOneTopology(group, topology);
    var waiting = application.others();
    if (!waiting.isEmpty()) {
      LOG.warn(
          "{} of {} instances have a different topology than this instance, for example during an upgrade;"
              + " these instances get no partitions until one of them becomes the leader of the consumer group",
          waiting.size(), group.kafkaStreamsStates(false).size());
    }
    var assignments = new ArrayList<>(share(application).values());
    waiting.forEach(process -> assignments.add(KafkaStreamsAssignment.of(process, Set.of())));
    return new TaskAssignment(assignments);
  }

  private Map<ProcessId, KafkaStreamsAssignment> share(ApplicationState application) {
    var assignments = balanced(application);
    var instances = application.kafkaStreamsStates(true);
    var acceptableLag = application.assignmentConfigs().acceptableRecoveryLag();
    var goingOn = new ArrayList<ProcessId>();
    for (var task : statefulTasks(application)) {
      var planned = assignments.values().stream().filter(each -> isActive(each, task)).findFirst().orElse(null);
      var ready = planned == null ? null : readiest(task, instances, planned.processId(), acceptableLag);
      if (planned != null && ready != null) {
        Objects.requireNonNull(assignments.get(ready)).assignTask(new AssignedTask(task, AssignedTask.Type.ACTIVE));
        planned.assignTask(new AssignedTask(task, AssignedTask.Type.STANDBY));
        goingOn.add(ready);
      }
    }
    statefulTasks(application)
        .forEach(
            task -> assignCopies(task, application.assignmentConfigs().numStandbyReplicas(), assignments, instances));
    if (!goingOn.isEmpty()) {
      assignments.computeIfPresent(goingOn.getFirst(),
          (process, assignment) -> assignment.withFollowupRebalance(Instant.now().plus(FOLLOW_UP)));
    }
    return assignments;
  }

  /** A task stays on its current instance if this keeps the distribution even. */
  private Map<ProcessId, KafkaStreamsAssignment> balanced(ApplicationState application) {
    var assignments = new TreeMap<ProcessId, KafkaStreamsAssignment>();
    for (var plan : balancing.assign(application).assignment()) {
      var active =
          plan.tasks().values().stream().filter(task -> task.type() == AssignedTask.Type.ACTIVE)
              .collect(Collectors.toSet());
      assignments.put(plan.processId(), KafkaStreamsAssignment.of(plan.processId(), active));
    }
    return assignments;
  }

  private static List<TaskId> statefulTasks(ApplicationState application) {
    return application.allTasks().values().stream().filter(TaskInfo::isStateful).map(TaskInfo::id).sorted().toList();
  }

  /**
   * Assigns standby replicas of a task to the instances that lack the fewest records of its stores. Among equal
   * instances, those with the fewest tasks come first.
   */
  private static void assignCopies(TaskId task, int copies, Map<ProcessId, KafkaStreamsAssignment> assignments,
      Map<ProcessId, KafkaStreamsState> instances) {
    assignments.values().stream()
        .filter(each -> !each.tasks().containsKey(task))
        .sorted(Comparator
            .comparingLong((KafkaStreamsAssignment each) -> lag(instances.get(each.processId()), task))
            .thenComparingInt(each -> each.tasks().size()))
        .limit(copies)
        .forEach(each -> each.assignTask(new AssignedTask(task, AssignedTask.Type.STANDBY)));
  }

  /**
   * Returns the instance that continues a task until the planned instance has the stores of the task. Returns null if
   * the planned instance already has the stores, or if no instance has them.
   */
  private static @Nullable ProcessId readiest(
      TaskId task, Map<ProcessId, KafkaStreamsState> instances, ProcessId planned, long acceptableLag) {
    if (lag(instances.get(planned), task) <= acceptableLag) {
      return null;
    }
    return instances.values().stream()
        .filter(instance -> lag(instance, task) <= acceptableLag)
        .min(Comparator
            .comparing((KafkaStreamsState instance) -> !instance.previousActiveTasks().contains(task))
            .thenComparingLong(instance -> lag(instance, task))
            .thenComparing(KafkaStreamsState::processId))
        .map(KafkaStreamsState::processId)
        .orElse(null);
  }

  /**
   * Returns the number of changelog records of a task that an instance lacks, 0 if the instance ran the task before
   * this assignment, or {@link Long#MAX_VALUE} if there is no such instance.
   */
  private static long lag(@Nullable KafkaStreamsState instance, TaskId task) {
    if (instance == null) {
      return Long.MAX_VALUE;
    }
    return instance.previousActiveTasks().contains(task) ? 0 : instance.lagFor(task);
  }

  /** The state of a group, restricted to the instances that have the given topology. */
  private record OfOneTopology(ApplicationState group, @Nullable Object topology) implements ApplicationState {

    private boolean hasTopology(KafkaStreamsState instance) {
      return Objects.equals(instance.clientTags().get(TOPOLOGY), topology);
    }

    private List<ProcessId> others() {
      return group.kafkaStreamsStates(false).values().stream()
          .filter(instance -> !hasTopology(instance))
          .map(KafkaStreamsState::processId)
          .toList();
    }

    @Override
    public Map<ProcessId, KafkaStreamsState> kafkaStreamsStates(boolean computeTaskLags) {
      return group.kafkaStreamsStates(computeTaskLags).values().stream()
          .filter(this::hasTopology)
          .collect(Collectors.toMap(KafkaStreamsState::processId, instance -> instance, (a, b) -> a, TreeMap::new));
    }

    @Override
    public AssignmentConfigs assignmentConfigs() {
      return group.assignmentConfigs();
    }

    @Override
    public Map<TaskId, TaskInfo> allTasks() {
      return group.allTasks();
    }
  }

  private static boolean isActive(KafkaStreamsAssignment assignment, TaskId task) {
    var assigned = assignment.tasks().get(task);
    return assigned != null && assigned.type() == AssignedTask.Type.ACTIVE;
  }
}
