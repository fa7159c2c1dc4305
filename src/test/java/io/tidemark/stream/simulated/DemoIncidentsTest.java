package io.tidemark.stream.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.poll.WatchList;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Target;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.stream.simulated.ScenariosTest.Case;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each incident that {@code demo --scenario} names fires its rule with the watch list of the demo and at its speed. */
class DemoIncidentsTest {

  static final Duration POLLED_EVERY = Duration.ofMinutes(1);

  /** All cases but that of a token which nobody can know before it is launched. */
  static Stream<Case> incidents() {
    return ScenariosTest.CASES.stream().filter(one -> !(one.watched() instanceof Query.TokenByAddress));
  }

  @Test
  void everyIncident_isTried() {
    assertThat(incidents().map(Case::scenario)).containsAll(
        Stream.of(Scenario.values()).filter(Scenario::hasIncident).toList());
  }

  @ParameterizedTest
  @MethodSource("incidents")
  void incident_firesItsRule(Case one) {
    var begins = ScenariosTest.START.plus(one.delay());
    var settings = new SimulatorSettings(1, one.scenario(), SimulatorSettings.DEMO_SPEED, begins);
    try (var market = new WatchedMarket(targets(one), settings, ScenariosTest.START)) {
      market.watch(WatchedMarket.TICK, POLLED_EVERY, begins.plus(one.rest()));

      var fired = market.topology.alerts().stream().filter(alert -> !alert.getEventTime().isBefore(begins))
          .map(alert -> alert.getRule() + " " + alert.getStatus());
      assertThat(fired).containsAll(isCondition(one) ? one.alerts() : one.alerts().subList(0, 1));
    }
  }

  /** Of an event that fires several rules, the first is what the scenario is for; others depend on the speed. */
  private static boolean isCondition(Case one) {
    return one.alerts().getFirst().endsWith("pending");
  }

  /** What the demo watches of the kinds that show the incident, on the network of the incident. */
  private static List<Target> targets(Case one) {
    var watched = one.watched();
    var operations = switch (watched.operation()) {
      case POOL -> Set.of(Operation.DEX_POOLS);
      case NEW_POOLS -> Set.of(Operation.NEW_POOLS, Operation.DEX_POOLS);
      default -> Set.of(watched.operation());
    };
    var isOfANetwork = watched.operation() == Operation.POOL || watched instanceof Query.Paged<?>;
    return AlertBudgetTest.watchList().targets().stream().map(WatchList.WatchedTarget::target)
        .filter(target -> operations.contains(target.query().operation()))
        .filter(target -> !isOfANetwork || firstOfKey(target.query()).equals(firstOfKey(watched)))
        .toList();
  }

  /** The network, or the coin. */
  private static String firstOfKey(Query<?> query) {
    return query.subject().split("[ /]")[1];
  }
}
