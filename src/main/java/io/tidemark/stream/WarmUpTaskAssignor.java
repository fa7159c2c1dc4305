package io.tidemark.stream;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.ApplicationState;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsAssignment.AssignedTask;
import org.apache.kafka.streams.processor.assignment.KafkaStreamsState;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.assignment.TaskAssignor;
import org.apache.kafka.streams.processor.assignment.TaskInfo;
import org.apache.kafka.streams.processor.assignment.assignors.StickyTaskAssignor;
import org.jspecify.annotations.Nullable;

/**
 * Shares the tasks of an application out evenly, and moves a task only to an instance that has its stores. Until then the
 * task goes on where it is, the other instance restores a copy, and the group is asked again after a few seconds. Kafka's
 * own assignor does the same, but asks again after ten minutes, and cannot be configured to do so within one.
 */
public final class WarmUpTaskAssignor implements TaskAssignor {

  static final Duration FOLLOW_UP = Duration.ofSeconds(10);

  private final TaskAssignor balancing = new StickyTaskAssignor();
  private final InstantSource clock;

  /** Called by Kafka Streams. */
  public WarmUpTaskAssignor() {
    this(InstantSource.system());
  }

  WarmUpTaskAssignor(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public TaskAssignment assign(ApplicationState application) {
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
          (process, assignment) -> assignment.withFollowupRebalance(clock.instant().plus(FOLLOW_UP)));
    }
    return new TaskAssignment(List.copyOf(assignments.values()));
  }

  /** Where each task is to be active in the end: where it is, as far as that is even. */
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

  /** Standby replicas are assigned where most of them is already, then where there is least to do. */
  private static void assignCopies(TaskId task, int copies, Map<ProcessId, KafkaStreamsAssignment> assignments,
      Map<ProcessId, KafkaStreamsState> instances) {
    assignments.values().stream()
        .filter(each -> !each.tasks().containsKey(task))
        .sorted(Comparator
            .comparing((KafkaStreamsAssignment each) -> lag(instances.get(each.processId()), task))
            .thenComparing(each -> each.tasks().size()))
        .limit(copies)
        .forEach(each -> each.assignTask(new AssignedTask(task, AssignedTask.Type.STANDBY)));
  }

  /** The instance that can go on with a task at once; null where that is the planned one, or where none can. */
  private static @Nullable ProcessId readiest(
      TaskId task, Map<ProcessId, KafkaStreamsState> instances, ProcessId planned, long acceptableLag) {
    if (lag(instances.get(planned), task) <= acceptableLag) {
      return null;
    }
    return instances.values().stream()
        .filter(instance -> lag(instance, task) <= acceptableLag)
        .min(Comparator
            .comparing((KafkaStreamsState instance) -> !instance.previousActiveTasks().contains(task))
            .thenComparing(instance -> lag(instance, task))
            .thenComparing(KafkaStreamsState::processId))
        .map(KafkaStreamsState::processId)
        .orElse(null);
  }

  /** Records of its changelogs that an instance lacks; none for a task that runs there. */
  private static long lag(@Nullable KafkaStreamsState instance, TaskId task) {
    if (instance == null) {
      return Long.MAX_VALUE;
    }
    return instance.previousActiveTasks().contains(task) ? 0 : instance.lagFor(task);
  }

  private static boolean isActive(KafkaStreamsAssignment assignment, TaskId task) {
    var assigned = assignment.tasks().get(task);
    return assigned != null && assigned.type() == AssignedTask.Type.ACTIVE;
  }
}
