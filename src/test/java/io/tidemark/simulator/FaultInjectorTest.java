package io.tidemark.simulator;

import static io.tidemark.simulator.SimulatorFixture.ALL_INCLUDES;
import static io.tidemark.simulator.SimulatorFixture.NOW;
import static io.tidemark.simulator.SimulatorFixture.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.PoolSort;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The scenario dirty-data has every fault of the real service; others have none. */
class FaultInjectorTest {
  private static final Simulator DIRTY = SimulatorFixture.simulator(9, Scenario.DIRTY_DATA);
  private static final Simulator CALM = SimulatorFixture.simulator(9, Scenario.CALM);

  /** Answers of one simulator over half an hour, without those that failed. */
  private static Stream<OnChainAnswer<List<Observation<Pool>>>> answers(Simulator simulator, int page) {
    return instants().flatMap(time -> answered(simulator, time, page));
  }

  private static Stream<Instant> instants() {
    return Stream.iterate(NOW, time -> time.plusSeconds(60)).limit(30);
  }

  private static Stream<OnChainAnswer<List<Observation<Pool>>>> answered(Simulator simulator, Instant time, int page) {
    try {
      return Stream.of(ask(simulator.at(time), SimulatorFixture.newPools("solana", page)));
    } catch (Failure.Blocked | Failure.ServerError failure) {
      return Stream.empty();
    }
  }

  private static Stream<Pool> pools(Simulator simulator) {
    return answers(simulator, 1).flatMap(answer -> answer.data().stream()).map(Observation::resource);
  }

  private static Stream<Token> tokens(Simulator simulator) {
    return answers(simulator, 1).flatMap(answer -> answer.included().tokens().stream()).map(Observation::resource);
  }

  private static void assertOnlyDirty(Predicate<Pool> broken) {
    assertThat(pools(DIRTY).anyMatch(broken)).isTrue();
    assertThat(pools(CALM).noneMatch(broken)).isTrue();
  }

  @Test
  void prices_areNotANumberSometimes() {
    assertOnlyDirty(pool -> "NaN".equals(pool.getPrice().getBaseTokenPriceNativeCurrency()));
  }

  @Test
  void prices_haveSeventyCharactersSometimes() {
    assertOnlyDirty(pool -> pool.getPrice().getBaseTokenPriceUsd().length() >= 70);
  }

  @Test
  void volumes_haveAHundredCharactersSometimes() {
    assertOnlyDirty(pool -> pool.getActivity().getVolumeUsd().getH24().length() >= 100);
  }

  @Test
  void windows_areMissingSometimes() {
    assertOnlyDirty(pool -> pool.getActivity().getVolumeUsd().getM15() == null);
  }

  @Test
  void reserves_areNothingSometimes() {
    assertOnlyDirty(pool -> pool.getLiquidity().getReserveInUsd().equals("0.0"));
  }

  @Test
  void creationTimes_areNullSometimes() {
    assertOnlyDirty(pool -> pool.getDescription().getPoolCreatedAt() == null);
  }

  @Test
  void decimals_areNullSometimes() {
    assertThat(tokens(DIRTY).anyMatch(token -> token.getDescription().getDecimals() == null)).isTrue();
    assertThat(tokens(CALM).noneMatch(token -> token.getDescription().getDecimals() == null)).isTrue();
  }

  @Test
  void names_areHostileSometimes() {
    var names = tokens(DIRTY).map(token -> token.getDescription().getName()).toList();

    assertThat(names).anySatisfy(name -> assertThat(name).contains("<script>"));
    assertThat(names).anySatisfy(name -> assertThat(name).contains("\n"));
    assertThat(names).anySatisfy(name -> assertThat(name).hasSize(10_000));
    assertThat(names).anySatisfy(name -> assertThat(name).contains("\u202E"));
  }

  @Test
  void queries_failSometimes() {
    assertThat(answers(DIRTY, 1).count()).isBetween(20L, 29L);
    assertThat(answers(CALM, 1).count()).isEqualTo(30);
  }

  @Test
  void pages_shiftSometimes() {
    var shifted = instants().filter(time -> !disjoint(DIRTY, time)).count();

    assertThat(shifted).isPositive();
    assertThat(instants().allMatch(time -> disjoint(CALM, time))).isTrue();
  }

  private static boolean disjoint(Simulator simulator, Instant time) {
    var ids = new HashSet<String>();
    return Stream.of(1, 2)
        .flatMap(page -> answeredByDex(simulator, time, page))
        .allMatch(pool -> ids.add(pool.resource().getId()));
  }

  private static Stream<Observation<Pool>> answeredByDex(Simulator simulator, Instant time, int page) {
    var query = new Query.DexPools("eth", "uniswap_v3", ALL_INCLUDES, page, PoolSort.H24_VOLUME_USD_DESC, false);
    try {
      return ask(simulator.at(time), query).data().stream();
    } catch (Failure.Blocked | Failure.ServerError failure) {
      return Stream.empty();
    }
  }

  @Test
  void faults_atOneInstant_areAlwaysTheSame() {
    var one = answered(SimulatorFixture.simulator(9, Scenario.DIRTY_DATA), NOW, 1).toList();
    var other = answered(SimulatorFixture.simulator(9, Scenario.DIRTY_DATA), NOW, 1).toList();

    assertThat(one).isEqualTo(other);
  }
}
