package io.tidemark.eventlog;

import io.tidemark.fault.BrokerCluster;
import io.tidemark.fault.NetworkConditions;
import io.tidemark.fault.NetworkConditions.Direction;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** A fault of an instance, of brokers, or of a network between two of them. */
enum ClusterFault {
  INSTANCE_KILLED(run -> run.containers().signal("KILL", run.owner())),
  INSTANCE_STOPPED(run -> run.containers().stop(run.owner())),
  INSTANCE_PAUSED(run -> run.pause(run.owner(), run.seconds(1, 5))),
  INSTANCE_PAUSED_BEYOND_TIMEOUTS(run -> run.pause(run.owner(), run.seconds(13, 18))),
  INSTANCE_CUT_OFF(run -> run.network(run.owner(), BrokerCluster.IDS, NetworkConditions.CUT, run.seconds(3, 9))),
  INSTANCE_CUT_OFF_BEYOND_TIMEOUTS(
      run -> run.network(run.owner(), BrokerCluster.IDS, NetworkConditions.CUT, run.seconds(16, 25))),
  INSTANCE_HEARS_NOTHING(run -> run.network(run.owner(), BrokerCluster.IDS,
      NetworkConditions.held(Set.of(Direction.ANSWERS)), run.seconds(3, 18))),
  INSTANCE_IS_NOT_HEARD(run -> run.network(run.owner(), BrokerCluster.IDS,
      NetworkConditions.held(Set.of(Direction.REQUESTS)), run.seconds(3, 18))),
  INSTANCE_CUT_OFF_FROM_ONE_BROKER(
      run -> run.network(run.owner(), List.of(run.broker()), NetworkConditions.CUT, run.seconds(5, 15))),
  INSTANCE_CUT_OFF_FROM_COORDINATOR(
      run -> run.network(run.owner(), List.of(run.coordinator()), NetworkConditions.CUT, run.seconds(5, 15))),
  INSTANCE_LATE(run -> run.network(run.owner(), BrokerCluster.IDS, NetworkConditions.late(Duration.ofMillis(300)),
      run.seconds(3, 6))),
  INSTANCE_RESET(run -> run.network(run.owner(), BrokerCluster.IDS, NetworkConditions.RESET, run.seconds(1, 5))),
  INSTANCE_HALF_OPEN(ClusterRun::killBehindCut),
  BROKER_KILLED(run -> run.restart("KILL", run.broker())),
  COORDINATOR_KILLED(run -> run.restart("KILL", run.coordinator())),
  LEADER_KILLED(run -> run.restart("KILL", run.leader())),
  CONTROLLER_KILLED(run -> run.restart("KILL", run.controller())),
  BROKER_AND_INSTANCE_KILLED(run -> {
    run.containers().signal("KILL", run.owner());
    run.restart("KILL", run.coordinator());
  }),
  BROKER_PAUSED(run -> run.pause(BrokerCluster.name(run.broker()), run.seconds(2, 5))),
  COORDINATOR_PAUSED_BEYOND_TIMEOUTS(run -> run.pause(BrokerCluster.name(run.coordinator()), run.seconds(10, 15))),
  CONTROLLER_PAUSED_BEYOND_TIMEOUTS(run -> run.pause(BrokerCluster.name(run.controller()), run.seconds(10, 15))),
  ROLLING_RESTART(ClusterRun::restartAll),
  TWO_BROKERS_DOWN(ClusterRun::loseMajority),
  LINK_OF_LEADER_CUT(run -> run.partition(List.of(run.leader()), 1, NetworkConditions.CUT)),
  LEADER_ISOLATED_FROM_BROKERS(run -> run.partition(List.of(run.leader()), 2, NetworkConditions.CUT)),
  CONTROLLER_ISOLATED_FROM_BROKERS(run -> run.partition(List.of(run.controller()), 2, NetworkConditions.CUT)),
  LEADER_HEARS_NO_BROKER(run -> run.oneWay(false)),
  LEADER_IS_HEARD_BY_NO_BROKER(run -> run.oneWay(true)),
  BROKERS_LATE(run -> run.partition(BrokerCluster.IDS, 2, NetworkConditions.late(Duration.ofMillis(300))));

  private final Consumer<ClusterRun> strike;

  ClusterFault(Consumer<ClusterRun> strike) {
    this.strike = strike;
  }

  void strike(ClusterRun run) {
    strike.accept(run);
  }
}
