package io.tidemark.market;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Contract;
import io.tidemark.event.Global;
import io.tidemark.event.Holding;
import io.tidemark.event.Platform;
import io.tidemark.event.Ticker;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.PlatformFilter;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.Timeframe;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * What every market answers, however it comes by it: the shapes of the 13 answers, and what each parameter does. An
 * adapter that deviates disables the test in its own class, with the reason.
 */
public abstract class MarketDataContract extends OnChainContract {
  private static final Set<Timeframe> NO_TIMEFRAMES = Set.of();
  private static final int TICKERS_PER_PAGE = 100;

  // Operations 8 and 9: the market and its history.

  @Test
  void global_always_hasAllCurrenciesAndTenCoins() {
    Global global = ask(new Query.GlobalMarket()).resource();

    assertThat(global.getMarketCap().getTotalMarketCap()).containsKeys("btc", "usd", "xdr", "sats").hasSize(63);
    assertThat(global.getVolume().getTotalVolume()).hasSize(63);
    assertThat(global.getDominance().getMarketCapPercentage()).containsKeys("btc", "eth").hasSize(10);
    assertThat(global.getTimes().getUpdatedAt()).isPositive();
  }

  private Query.CoinHistory history(int daysAgo, boolean localization) {
    var date = LocalDate.ofInstant(now(), ZoneOffset.UTC).minusDays(daysAgo);
    return new Query.CoinHistory(ids().coin(), date, localization);
  }

  @Test
  void coinHistory_ofADayThatIsOver_carriesItsFigures() {
    var query = history(3, true);
    CoinDay day = ask(query).resource();

    assertThat(day.getCoin()).isEqualTo(ids().coin());
    assertThat(day.getDate()).isEqualTo(query.date().toString());
    assertThat(day.getMarket().getCurrentPrice()).containsKeys("usd", "eur").hasSize(63);
    assertThat(day.getDevelopment().getCodeAdditionsDeletions4Weeks().getDeletions()).isNotPositive();
    assertThat(day.getTranslation().getLocalization()).containsKeys("en", "zh-tw").hasSize(34);
  }

  @Test
  void coinHistory_withoutLocalization_hasNone() {
    CoinDay day = ask(history(3, false)).resource();

    assertThat(day.getTranslation()).isNull();
  }

  @Test
  void coinHistory_ofADayThatIsNotOver_hasNoFigures() {
    CoinDay day = ask(history(0, true)).resource();

    assertThat(day.getDescription().getSymbol()).isNotBlank();
    assertThat(day.getMarket()).isNull();
  }

  @Test
  void coinHistory_ofADayLongAgo_isNotInThePlan() {
    assertThatThrownBy(() -> ask(history(370, true))).isInstanceOf(Failure.NotInPlan.class);
  }

  @Test
  void coinHistory_ofACoinThatNobodyKnows_isNotFound() {
    assertNotFound(new Query.CoinHistory("nothing", LocalDate.ofInstant(now(), ZoneOffset.UTC).minusDays(3), true));
  }

  // Operation 10: tickers.

  private Query.CoinTickers tickers(int page, TickerOrder order, DexPairFormat format) {
    return new Query.CoinTickers(ids().coin(), null, false, page, order, false, format);
  }

  private Query.CoinTickers tickers() {
    return tickers(1, TickerOrder.TRUST_SCORE_DESC, DexPairFormat.CONTRACT_ADDRESS);
  }

  private List<Ticker> allTickers(DexPairFormat format) {
    return everyPage(page -> resources(ask(tickers(page, TickerOrder.TRUST_SCORE_DESC, format)).tickers()));
  }

  @Test
  void coinTickers_onTheFirstPage_areAHundredAndNamed() {
    var answer = ask(tickers());

    assertThat(answer.tickers()).hasSize(TICKERS_PER_PAGE);
    assertThat(resources(answer.tickers())).extracting(ticker -> ticker.getDescription().getCoinName())
        .containsOnly(answer.name());
  }

  @Test
  void coinTickers_onTheNextPage_areOthers() {
    var first = resources(ask(tickers()).tickers());
    var second = resources(ask(tickers().withPage(2)).tickers());

    assertThat(second).isNotEmpty();
    assertThat(second.stream().map(MarketDataContract::key)).doesNotContainAnyElementsOf(
        first.stream().map(MarketDataContract::key).toList());
  }

  private static String key(Ticker ticker) {
    return ticker.getMarket() + "/" + ticker.getBase() + "/" + ticker.getTarget();
  }

  @Test
  void coinTickers_beyondTheEnd_areNone() {
    assertThat(ask(tickers().withPage(9)).tickers()).isEmpty();
  }

  @Test
  void coinTickers_askedForNoMore_haveNeitherLogoNorDepth() {
    var tickers = resources(ask(tickers()).tickers());

    assertThat(tickers).allSatisfy(ticker -> assertThat(ticker.getMedia().getLogo()).isNull());
    assertThat(tickers).allSatisfy(ticker -> assertThat(ticker.getDepth()).isNull());
  }

  @Test
  void coinTickers_askedForLogos_haveThem() {
    var query = new Query.CoinTickers(
        ids().coin(), null, true, 1, TickerOrder.TRUST_SCORE_DESC, false, DexPairFormat.CONTRACT_ADDRESS);

    assertThat(resources(ask(query).tickers()))
        .allSatisfy(ticker -> assertThat(ticker.getMedia().getLogo()).isNotBlank());
  }

  @Test
  void coinTickers_askedForDepth_haveIt() {
    var query = new Query.CoinTickers(
        ids().coin(), null, false, 1, TickerOrder.TRUST_SCORE_DESC, true, DexPairFormat.CONTRACT_ADDRESS);

    assertThat(resources(ask(query).tickers()))
        .allSatisfy(ticker -> assertThat(ticker.getDepth().getCostToMoveUpUsd()).isPositive());
  }

  @Test
  void coinTickers_ofOneExchange_areOfThatExchange() {
    var query = new Query.CoinTickers(
        ids().coin(), ids().spotVenue(), false, 1, TickerOrder.TRUST_SCORE_DESC, false, DexPairFormat.CONTRACT_ADDRESS);

    assertThat(resources(ask(query).tickers())).extracting(Ticker::getMarket).containsOnly(ids().spotVenue());
  }

  @Test
  void coinTickers_byTrustScoreAscending_differFromDescending() {
    var ascending = tickers(1, TickerOrder.TRUST_SCORE_ASC, DexPairFormat.CONTRACT_ADDRESS);

    var first = resources(ask(ascending).tickers()).getFirst();
    assertThat(key(first)).isNotEqualTo(key(resources(ask(tickers()).tickers()).getFirst()));
  }

  @Test
  void coinTickers_byVolumeDescending_areSortedByConvertedVolume() {
    var query = tickers(1, TickerOrder.VOLUME_DESC, DexPairFormat.CONTRACT_ADDRESS);

    assertThat(resources(ask(query).tickers()))
        .isSortedAccordingTo(comparing(MarketDataContract::converted, reverseOrder()));
  }

  @Test
  void coinTickers_byVolumeAscending_areSortedByConvertedVolume() {
    var query = tickers(1, TickerOrder.VOLUME_ASC, DexPairFormat.CONTRACT_ADDRESS);

    assertThat(resources(ask(query).tickers())).isSortedAccordingTo(comparing(MarketDataContract::converted));
  }

  private static Double converted(Ticker ticker) {
    return ticker.getConverted().getConvertedVolume().getUsd();
  }

  @Test
  void coinTickers_ofDecentralisedExchanges_nameContractAddresses() {
    var tickers = allTickers(DexPairFormat.CONTRACT_ADDRESS).stream().filter(this::decentralised);

    assertThat(tickers).isNotEmpty().allSatisfy(ticker -> assertThat(ticker.getBase()).startsWithIgnoringCase("0x"));
  }

  @Test
  void coinTickers_inSymbolFormat_nameSymbols() {
    var tickers = allTickers(DexPairFormat.SYMBOL).stream().filter(this::decentralised);

    assertThat(tickers)
        .isNotEmpty()
        .allSatisfy(ticker -> assertThat(ticker.getBase()).doesNotStartWithIgnoringCase("0x"));
  }

  private boolean decentralised(Ticker ticker) {
    return ticker.getMarket().equals(ids().dexVenue());
  }

  @Test
  void coinTickers_ofACoinThatNobodyKnows_areNotFound() {
    assertNotFound(new Query.CoinTickers(
        "nothing", null, false, 1, TickerOrder.TRUST_SCORE_DESC, false, DexPairFormat.CONTRACT_ADDRESS));
  }

  // Operation 11: derivatives.

  private List<Contract> contracts(IncludeTickers include) {
    return resources(ask(new Query.DerivativesExchangeById(ids().derivativesExchange(), include)).tickers());
  }

  @Test
  void derivativesExchange_askedWithoutTickers_hasNone() {
    var answer = ask(new Query.DerivativesExchangeById(ids().derivativesExchange(), null));

    assertThat(answer.tickers()).isNull();
    assertThat(answer.exchange().resource().getId()).isEqualTo(ids().derivativesExchange());
    assertThat(answer.exchange().resource().getOpenInterest().getOpenInterestBtc()).isPositive();
  }

  @Test
  void contracts_thatAreUnexpired_haveNoExpiryBehindThem() {
    var contracts = contracts(IncludeTickers.UNEXPIRED);

    assertThat(contracts).isNotEmpty();
    assertThat(contracts).allSatisfy(contract -> assertThat(contract.getDescription().getExpiredAt()).isNull());
  }

  @Test
  void contracts_all_includeExpiredOnes() {
    var contracts = contracts(IncludeTickers.ALL);

    assertThat(contracts).anySatisfy(contract -> assertThat(contract.getDescription().getExpiredAt()).isNotNull());
    assertThat(contracts).extracting(Contract::getSymbol).doesNotHaveDuplicates();
  }

  @Test
  void derivativesExchange_thatNobodyKnows_isNotFound() {
    assertNotFound(new Query.DerivativesExchangeById("nowhere", null));
  }

  // Operation 12: treasuries.

  private List<Holding> holdings(Set<Timeframe> amounts, Set<Timeframe> percentages) {
    return resources(ask(new Query.PublicTreasury(ids().company(), amounts, percentages)).holdings());
  }

  @Test
  void treasury_askedForNoTimeframes_hasNone() {
    var holdings = holdings(NO_TIMEFRAMES, NO_TIMEFRAMES);

    assertThat(holdings).isNotEmpty();
    assertThat(holdings).allSatisfy(holding -> assertThat(holding.getTrend()).isNull());
  }

  @Test
  void treasury_askedForAmountChanges_hasThoseTimeframesAndNoOthers() {
    var holdings = holdings(Set.of(Timeframe.D7, Timeframe.YTD), NO_TIMEFRAMES);

    assertThat(holdings).allSatisfy(holding -> {
      assertThat(holding.getTrend().getHoldingAmountChange().getD7()).isNotNull();
      assertThat(holding.getTrend().getHoldingAmountChange().getYtd()).isNotNull();
      assertThat(holding.getTrend().getHoldingAmountChange().getD30()).isNull();
      assertThat(holding.getTrend().getHoldingChangePercentage()).isNull();
    });
  }

  @Test
  void treasury_askedForPercentages_hasThoseTimeframesAndNoOthers() {
    var holdings = holdings(NO_TIMEFRAMES, Set.of(Timeframe.Y1));

    assertThat(holdings).allSatisfy(holding -> {
      assertThat(holding.getTrend().getHoldingChangePercentage().getY1()).isNotNull();
      assertThat(holding.getTrend().getHoldingChangePercentage().getD7()).isNull();
      assertThat(holding.getTrend().getHoldingAmountChange()).isNull();
    });
  }

  @Test
  void treasury_ofAGovernment_hasNoShares() {
    var observed = ask(new Query.PublicTreasury(ids().government(), NO_TIMEFRAMES, NO_TIMEFRAMES)).treasury();

    assertThat(observed.resource().getDescription().getType()).isEqualTo("government");
    assertThat(observed.nulls()).contains("description.symbol", "valuation.m_nav");
  }

  @Test
  void treasury_thatNobodyKnows_isNotFound() {
    assertNotFound(new Query.PublicTreasury("nobody", NO_TIMEFRAMES, NO_TIMEFRAMES));
  }

  // Operation 13: platforms.

  @Test
  void assetPlatforms_filteredByNft_areSomeOfAll() {
    var all = resources(ask(new Query.AssetPlatforms(null)));
    var some = resources(ask(new Query.AssetPlatforms(PlatformFilter.NFT)));

    assertThat(some).isNotEmpty().hasSizeLessThan(all.size());
    assertThat(all).extracting(Platform::getKey).containsAll(some.stream().map(Platform::getKey).toList());
  }

  @Test
  void assetPlatforms_withoutAnId_haveANameForAKey() {
    var nameless = resources(ask(new Query.AssetPlatforms(null))).stream()
        .filter(platform -> platform.getId() == null || platform.getId().isEmpty())
        .toList();
    assumeThat(nameless).isNotEmpty();

    assertThat(nameless).allSatisfy(
        platform -> assertThat(platform.getKey()).isEqualTo("name:" + platform.getDescription().getName()));
  }

  // Of all answers.

  @Test
  void answers_always_sayWhatTheyAreTo() {
    var query = new Query.GlobalMarket();
    var answer = answer(query);

    assertThat(answer.query()).isEqualTo(query);
    assertThat(answer.digest()).matches("[0-9a-f]{64}");
    assertThat(answer.receivedAt()).isAfterOrEqualTo(answer.sentAt());
  }
}
