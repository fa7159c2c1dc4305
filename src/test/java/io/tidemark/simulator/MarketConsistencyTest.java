package io.tidemark.simulator;

import static io.tidemark.simulator.SimulatorFixture.ALL_TIMEFRAMES;
import static io.tidemark.simulator.SimulatorFixture.NOW;
import static io.tidemark.simulator.SimulatorFixture.ask;
import static io.tidemark.simulator.SimulatorFixture.calm;
import static io.tidemark.simulator.SimulatorFixture.pools;
import static io.tidemark.simulator.SimulatorFixture.resources;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tidemark.event.Contract;
import io.tidemark.event.Holding;
import io.tidemark.event.Pool;
import io.tidemark.event.TradeWindows;
import io.tidemark.event.Trades;
import io.tidemark.event.Windows;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds between the figures of one market, whatever its seed. */
class MarketConsistencyTest {
  private static final MarketData MARKET = calm(3).at(NOW);
  private static final Query.DerivativesExchangeById EXCHANGE =
      new Query.DerivativesExchangeById("deribit", IncludeTickers.UNEXPIRED);

  @Test
  void global_isTheSumOfTheCoins() {
    var midnight = LocalDate.ofInstant(NOW, ZoneOffset.UTC).minusDays(2);
    var then = calm(3).at(midnight.atStartOfDay().toInstant(ZoneOffset.UTC));

    double total = ask(then, new Query.GlobalMarket()).resource().getMarketCap().getTotalMarketCap().get("usd");

    double sum = SimulatedCoin.ALL.stream()
        .map(coin -> ask(MARKET, new Query.CoinHistory(coin.id(), midnight, false)).resource())
        .mapToDouble(day -> day.getMarket().getMarketCap().get("usd"))
        .sum();
    assertThat(sum).isCloseTo(total, withinPercentage(1e-6));
  }

  @Test
  void dominance_isOfTheTenGreatest() {
    var shares = ask(MARKET, new Query.GlobalMarket()).resource().getDominance().getMarketCapPercentage();

    assertThat(shares.values()).allSatisfy(share -> assertThat(share).isBetween(0.1, 100.0));
    assertThat(shares.values().stream().mapToDouble(share -> share).sum()).isBetween(50.0, 100.0);
  }

  @Test
  void balancesOfAPool_haveTheSameProductFromTradeToTrade() {
    var address = "0x4e68ccd3e89f51c3074ca5072bbac773960dfa36";
    var products = Stream.iterate(NOW, time -> time.plusSeconds(30))
        .limit(20)
        .map(time -> ask(calm(3).at(time), SimulatorFixture.pool("eth", address)).data().resource())
        .map(MarketConsistencyTest::product)
        .toList();

    double first = products.getFirst();
    assertThat(products).allSatisfy(product -> assertThat(product).isCloseTo(first, withinPercentage(1e-9)));
  }

  private static double product(Pool pool) {
    var held = pool.getComposition();
    return number(held.getBaseTokenBalance()) * number(held.getQuoteTokenBalance());
  }

  @Test
  void balancesOfAPool_haveTheValueOfItsReserve() {
    var pool = ask(MARKET, SimulatorFixture.pool("eth", SimulatorFixture.POOL)).data().resource();

    var held = pool.getComposition();
    double base = number(held.getBaseTokenBalance()) * number(pool.getPrice().getBaseTokenPriceUsd());
    double quote = number(held.getQuoteTokenBalance()) * number(pool.getPrice().getQuoteTokenPriceUsd());
    assertThat(base + quote).isCloseTo(number(pool.getLiquidity().getReserveInUsd()), withinPercentage(1e-6));
  }

  @Test
  void tradesBetweenTwoAnswers_arePaidForByTheQuoteBalance() {
    var query = SimulatorFixture.pool("solana", "Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE");
    var before = ask(calm(3).at(NOW.minus(Duration.ofMinutes(5))), query).data().resource();
    var after = ask(MARKET, query).data().resource();

    double grown = number(after.getComposition().getQuoteTokenBalance())
        - number(before.getComposition().getQuoteTokenBalance());
    double net = number(after.getFlow().getNetBuyVolumeUsd().getM5());
    assertThat(grown).isCloseTo(net, withinPercentage(1));
  }

  @Test
  void windows_growWithTheirLength() {
    assertThat(everyPool()).allSatisfy(pool -> {
      assertThat(values(pool.getActivity().getVolumeUsd())).isSorted();
      assertThat(trades(pool.getActivity().getTransactions())).extracting(Trades::getBuys).isSorted();
      assertThat(trades(pool.getActivity().getTransactions())).extracting(Trades::getSellers).isSorted();
    });
  }

  @Test
  void buyers_areNeverMoreThanBuys() {
    assertThat(everyPool()).flatExtracting(pool -> trades(pool.getActivity().getTransactions())).allSatisfy(trades -> {
      assertThat(trades.getBuyers()).isBetween(Math.min(1, trades.getBuys()), trades.getBuys());
      assertThat(trades.getSellers()).isBetween(Math.min(1, trades.getSells()), trades.getSells());
    });
  }

  @Test
  void volume_isPositiveExactlyWhereTradesAre() {
    assertThat(everyPool()).allSatisfy(pool -> {
      var day = pool.getActivity().getTransactions().getH24();
      assertThat(number(pool.getActivity().getVolumeUsd().getH24()) > 0).isEqualTo(day.getBuys() + day.getSells() > 0);
    });
  }

  private static List<Pool> everyPool() {
    return Stream.of("eth", "solana", "base", "bsc", "polygon_pos")
        .flatMap(network -> Stream.concat(
            pools(MARKET, SimulatorFixture.trending(network, TrendingDuration.H24)).stream(),
            pools(MARKET, SimulatorFixture.newPools(network, 1)).stream()))
        .toList();
  }

  private static List<Double> values(Windows windows) {
    return Stream.of(
        windows.getM5(), windows.getM15(), windows.getM30(), windows.getH1(), windows.getH6(), windows.getH24())
        .map(Double::valueOf)
        .toList();
  }

  private static List<Trades> trades(TradeWindows windows) {
    return List.of(windows.getM5(), windows.getM15(), windows.getM30(), windows.getH1(), windows.getH24());
  }

  @Test
  void trendingPools_areOrderedByPeopleAndMovesOfTheirWindow() {
    var scores = pools(MARKET, SimulatorFixture.trending("eth", TrendingDuration.H1)).stream()
        .map(MarketConsistencyTest::score).toList();

    for (int i = 1; i < scores.size(); i++) {
      assertThat(scores.get(i)).isLessThanOrEqualTo(scores.get(i - 1) * 1.001);
    }
  }

  private static double score(Pool pool) {
    var hour = pool.getActivity().getTransactions().getH1();
    double move = Math.abs(number(pool.getActivity().getPriceChangePercentage().getH1()));
    return (hour.getBuyers() + hour.getSellers()) * (1 + move / 100);
  }

  @Test
  void reserveOfAToken_isItsHalfOfAllItsPools() {
    var token = ask(MARKET, new Query.TokenByAddress("eth", SimulatorFixture.WETH, false, false, false));

    double sum = IntStream.rangeClosed(1, 20)
        .mapToObj(page -> pools(MARKET, poolsOfWeth(page)))
        .flatMap(List::stream)
        .mapToDouble(pool -> number(pool.getLiquidity().getReserveInUsd()))
        .sum();
    double reserve = number(token.data().token().resource().getLiquidity().getTotalReserveInUsd());
    assertThat(reserve).isCloseTo(sum / 2, withinPercentage(1e-6));
  }

  private static Query.TokenPools poolsOfWeth(int page) {
    return new Query.TokenPools(
        "eth", SimulatorFixture.WETH, SimulatorFixture.NO_INCLUDES, false, page, TokenPoolSort.H24_VOLUME_USD_DESC,
        false);
  }

  @Test
  void openInterestOfAnExchange_isTheSumOfItsContracts() {
    var answer = ask(MARKET, EXCHANGE);

    double usd = resources(answer.tickers()).stream()
        .mapToDouble(one -> one.getOpenInterest().getOpenInterestUsd())
        .sum();
    var coins = ask(MARKET, new Query.PublicTreasury("strategy", Set.of(), Set.of())).holdings().getFirst().resource();
    double bitcoin = coins.getValuation().getCurrentValueUsd() / coins.getPosition().getAmount();
    double sum = answer.exchange().resource().getOpenInterest().getOpenInterestBtc();
    assertThat(sum).isCloseTo(usd / bitcoin, withinPercentage(1e-3));
  }

  @Test
  void pairsOfAnExchange_areItsContracts() {
    var answer = ask(MARKET, EXCHANGE);

    var listings = answer.exchange().resource().getListings();
    assertThat(listings.getNumberOfPerpetualPairs() + listings.getNumberOfFuturesPairs())
        .isEqualTo(answer.tickers().size());
  }

  @Test
  void contracts_leaveUnexpiredWhenTheyExpireAndAllAPeriodLater() {
    var all = new Query.DerivativesExchangeById("kumex", IncludeTickers.ALL);
    var before = symbols(MARKET, all);
    var later = symbols(calm(3).at(NOW.plus(Duration.ofHours(2))), all);

    assertThat(later).isNotEqualTo(before).containsAnyElementsOf(before);
  }

  private static Set<String> symbols(MarketData market, Query.DerivativesExchangeById query) {
    return resources(ask(market, query).tickers()).stream().map(Contract::getSymbol).collect(Collectors.toSet());
  }

  @Test
  void holdingsOfAnEntity_addUpToItsTreasury() {
    var answer = ask(MARKET, new Query.PublicTreasury("united-states", Set.of(), Set.of()));

    double sum = resources(answer.holdings()).stream()
        .mapToDouble(one -> one.getValuation().getCurrentValueUsd())
        .sum();
    double total = answer.treasury().resource().getValuation().getTotalTreasuryValueUsd();
    assertThat(sum).isCloseTo(total, withinPercentage(1e-6));
  }

  @Test
  void changeOfAHolding_isTheDifferenceFromBefore() {
    var query = new Query.PublicTreasury("strategy", ALL_TIMEFRAMES, ALL_TIMEFRAMES);
    var now = holding(MARKET, query);
    var before = holding(calm(3).at(NOW.minus(Duration.ofDays(30))), query);

    double amount = now.getPosition().getAmount() - before.getPosition().getAmount();
    double percent = 100 * amount / before.getPosition().getAmount();
    assertThat(now.getTrend().getHoldingAmountChange().getD30()).isEqualTo(amount);
    assertThat(now.getTrend().getHoldingChangePercentage().getD30()).isCloseTo(percent, withinPercentage(0.1));
  }

  private static Holding holding(MarketData market, Query.PublicTreasury query) {
    return ask(market, query).holdings().getFirst().resource();
  }

  private static double number(String decimal) {
    return Double.parseDouble(decimal);
  }
}
