package io.tidemark.simulator;

import static io.tidemark.simulator.SimulatorFixture.ALL_INCLUDES;
import static io.tidemark.simulator.SimulatorFixture.ALL_TIMEFRAMES;
import static io.tidemark.simulator.SimulatorFixture.NOW;
import static io.tidemark.simulator.SimulatorFixture.SOL;
import static io.tidemark.simulator.SimulatorFixture.WETH;
import static io.tidemark.simulator.SimulatorFixture.ask;
import static io.tidemark.simulator.SimulatorFixture.calm;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.market.Answer;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SimulatorTest {
  static final List<Query<?>> QUERIES = List.of(
      new Query.TokenByAddress("eth", WETH, true, true, true),
      new Query.DexPools("solana", "pump-fun", ALL_INCLUDES, 1, PoolSort.H24_TX_COUNT_DESC, true),
      SimulatorFixture.trending("solana", TrendingDuration.H1),
      SimulatorFixture.newPools("base", 2),
      new Query.SearchPools("wrapped", null, ALL_INCLUDES, 1),
      new Query.TokenPools("solana", SOL, ALL_INCLUDES, true, 1, TokenPoolSort.H24_VOLUME_USD_DESC, true),
      SimulatorFixture.pool("eth", SimulatorFixture.POOL),
      new Query.GlobalMarket(),
      new Query.CoinHistory("bitcoin", LocalDate.parse("2026-01-02"), true),
      new Query.CoinTickers(
          "ethereum", null, true, 1, TickerOrder.VOLUME_DESC, true, DexPairFormat.CONTRACT_ADDRESS),
      new Query.DerivativesExchangeById("deribit", IncludeTickers.ALL),
      new Query.PublicTreasury("bhutan", ALL_TIMEFRAMES, ALL_TIMEFRAMES),
      new Query.AssetPlatforms(null));

  @ParameterizedTest
  @FieldSource("QUERIES")
  void sameSeedAndInstant_givesTheSameAnswer(Query<?> query) {
    Object one = ask(calm(7).at(NOW), query);
    Object other = ask(calm(7).at(NOW), query);

    assertThat(one).isEqualTo(other);
  }

  @ParameterizedTest
  @FieldSource("QUERIES")
  void sameAnswers_haveTheSameDigest(Query<?> query) {
    String one = answer(calm(7).at(NOW), query).digest();
    String other = answer(calm(7).at(NOW), query).digest();

    assertThat(one).matches("[0-9a-f]{64}").isEqualTo(other);
  }

  private static Answer<?> answer(MarketData market, Query<?> query) {
    return query.askOf(market).block();
  }

  @Test
  void anotherSeed_givesAnotherMarket() {
    Object one = ask(calm(7).at(NOW), new Query.GlobalMarket());
    Object other = ask(calm(8).at(NOW), new Query.GlobalMarket());

    assertThat(one).isNotEqualTo(other);
  }

  @Test
  void answers_doNotDependOnEarlierQueries() {
    var fresh = new ArrayList<>();
    QUERIES.forEach(query -> fresh.add(ask(calm(7).at(NOW), query)));

    var simulator = calm(7);
    for (var earlier = NOW.minus(Duration.ofHours(3)); earlier.isBefore(NOW); earlier = earlier.plusSeconds(5_000)) {
      var then = simulator.at(earlier);
      QUERIES.reversed().forEach(query -> ask(then, query));
    }

    var later = new ArrayList<>();
    QUERIES.forEach(query -> later.add(ask(simulator.at(NOW), query)));
    assertThat(later).isEqualTo(fresh);
  }

  @Test
  void answers_areOfTheInstantOfTheClock() {
    var answer = answer(calm(7), new Query.GlobalMarket());

    assertThat(List.of(answer.sentAt(), answer.receivedAt(), answer.asOf())).containsOnly(NOW);
  }

  @Test
  void queriesWithoutSubscriber_areNotComputed() {
    var reads = new AtomicInteger();
    var settings = new SimulatorSettings(7, Scenario.CALM, 1);
    var simulator = new Simulator(settings, () -> Instant.ofEpochSecond(reads.incrementAndGet()));

    var answer = simulator.global(new Query.GlobalMarket());

    assertThat(answer).isNotNull();
    assertThat(reads).hasValue(0);
  }

  @Test
  void invalidSpeed_isRejectedByName() {
    assertThatThrownBy(() -> new SimulatorSettings(7, Scenario.CALM, 0))
        .hasMessage("speed: must be between 0.1 and 100, got 0.0");
  }
}
