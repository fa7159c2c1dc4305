package io.tidemark.simulator;

import static io.tidemark.simulator.SimulatorFixture.NOW;
import static io.tidemark.simulator.SimulatorFixture.ask;
import static io.tidemark.simulator.SimulatorFixture.calm;
import static io.tidemark.simulator.SimulatorFixture.pools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Pool;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Query.TokenPoolSort;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Launched tokens on their curve, after graduation, and when nobody trades them any more. */
class TokenLaunchesTest {
  private static final Simulator SIMULATOR = calm(2);
  private static final MarketData MARKET = SIMULATOR.at(NOW);
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void launch_onACurve_hasNotGraduated() {
    var details = newest("pump-fun").getLaunchpad().getLaunchpadDetails();

    assertThat(details.getCompleted()).isFalse();
    assertThat(details.getGraduationPercentage()).isBetween(0.0, 100.0);
    assertThat(details.getMigratedDestinationPoolAddress()).isNull();
  }

  @Test
  void launch_withAFullCurve_graduatesToAPoolOfTheSameToken() {
    var graduate = newest("pumpswap");
    var query = new Query.TokenByAddress("solana", address(graduate), true, false, true);

    var token = ask(MARKET, query).data().token().resource();

    var details = token.getLaunchpad().getLaunchpadDetails();
    assertThat(details.getCompleted()).isTrue();
    assertThat(details.getGraduationPercentage()).isEqualTo(100);
    assertThat(details.getCompletedAt()).isEqualTo(graduate.getDescription().getPoolCreatedAt());
    assertThat(details.getMigratedDestinationPoolAddress()).isEqualTo(graduate.getAddress());
  }

  @Test
  void fullCurve_isTradedNoMore() {
    var graduate = newest("pumpswap");
    var sort = TokenPoolSort.H24_VOLUME_USD_DESC;
    var query = new Query.TokenPools("solana", address(graduate), SimulatorFixture.NO_INCLUDES, true, 1, sort, false);

    var curve = pools(MARKET, query).stream().filter(pool -> pool.getLaunchpad() != null).findFirst().orElseThrow();

    long through = Instant.parse(graduate.getDescription().getPoolCreatedAt()).getEpochSecond();
    assertThat(curve.getTrade().getLastTradeTimestamp()).isLessThanOrEqualTo(through);
  }

  @Test
  void graduate_beforeItsTime_isNotFound() {
    var graduate = newest("pumpswap");
    var before = SIMULATOR.at(Instant.parse(graduate.getDescription().getPoolCreatedAt()).minusSeconds(5));

    assertThatThrownBy(() -> ask(before, SimulatorFixture.pool("solana", graduate.getAddress())))
        .isInstanceOf(Failure.NotFound.class);
  }

  @Test
  void inactiveLaunch_isStillFound() {
    var launch = newest("pump-fun");
    var muchLater = SIMULATOR.at(NOW.plus(DAY.multipliedBy(10)));

    var pool = ask(muchLater, SimulatorFixture.pool("solana", launch.getAddress())).data().resource();

    assertThat(pool.getActivity().getTransactions().getH24().getBuys()).isZero();
  }

  @Test
  void inactiveToken_hasAPriceOnlyFromInactiveSources() {
    var launch = newest("pump-fun");
    var muchLater = SIMULATOR.at(NOW.plus(DAY.multipliedBy(10)));

    var active = ask(muchLater, token(launch, false)).data().token();
    var inactive = ask(muchLater, token(launch, true)).data().token();

    assertThat(active.nulls()).contains("price.price_usd");
    assertThat(inactive.resource().getPrice().getPriceUsd()).isNotBlank();
  }

  private static Query.TokenByAddress token(Pool launch, boolean inactiveSource) {
    return new Query.TokenByAddress("solana", address(launch), false, false, inactiveSource);
  }

  @Test
  void launch_isFoundByItsAddress() {
    var launch = newest("pump-fun");
    var query = new Query.SearchPools(launch.getAddress(), null, SimulatorFixture.NO_INCLUDES, 1);

    assertThat(pools(MARKET, query)).extracting(Pool::getId).containsExactly(launch.getId());
  }

  @Test
  void liquidityOfALaunch_isPulledSoonerOrLater() {
    var query = SimulatorFixture.newPools("base", 1);
    var young = pools(SIMULATOR.at(NOW.minus(Duration.ofHours(3))), query);

    var later =
        young.stream().map(pool -> ask(MARKET, SimulatorFixture.pool("base", pool.getAddress())).data().resource());

    assertThat(later).anySatisfy(
        pool -> assertThat(Double.parseDouble(pool.getLiquidity().getReserveInUsd())).isLessThan(100));
  }

  private static Pool newest(String dex) {
    return IntStream.rangeClosed(1, 50)
        .boxed()
        .flatMap(page -> pools(MARKET, SimulatorFixture.newPools("solana", page)).stream())
        .filter(pool -> pool.getDescription().getDex().equals(dex))
        .findFirst()
        .orElseThrow();
  }

  private static String address(Pool pool) {
    return Stream.of(pool.getDescription().getBaseToken().split("_")).reduce((first, last) -> last).orElseThrow();
  }
}
