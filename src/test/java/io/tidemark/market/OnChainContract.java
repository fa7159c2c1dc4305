package io.tidemark.market;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.event.Trades;
import io.tidemark.market.Answer.Dex;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every market answers to operations 1 to 7. */
abstract class OnChainContract extends MarketUnderTest {
  private static final String NOWHERE = "0x00000000000000000000000000000000deadbeef";
  private static final Set<IncludedResource> NOTHING = Set.of();
  private static final Set<IncludedResource> EVERYTHING = EnumSet.allOf(IncludedResource.class);
  private static final int POOLS_PER_PAGE = 20;

  private List<Pool> pools(Query<OnChainAnswer<List<Observation<Pool>>>> query) {
    return resources(ask(query).data());
  }

  // Operation 1: a token.

  private Query.TokenByAddress token(boolean topPools, boolean composition) {
    return new Query.TokenByAddress(ids().network(), ids().token(), topPools, composition, false);
  }

  @Test
  void token_thatIsKnown_carriesItsFigures() {
    Token token = ask(token(false, false)).data().token().resource();

    assertThat(token.getId()).isEqualTo(ids().tokenId());
    assertThat(token.getPrice().getPriceUsd()).isNotBlank();
    assertThat(token.getLiquidity().getTotalReserveInUsd()).isNotBlank();
    assertThat(token.getActivity().getVolumeUsd().getH24()).isNotBlank();
    assertThat(token.getSupply().getTotalSupply()).isNotBlank();
  }

  @Test
  void token_askedWithoutTopPools_includesNothing() {
    var answer = ask(token(false, false));

    assertThat(answer.included()).isNull();
  }

  @Test
  void token_withTopPools_includesThemAndTheirPriceOfTheToken() {
    var answer = ask(token(true, false));

    assertThat(answer.included()).isNotNull();
    var pools = resources(answer.included().pools());
    assertThat(pools).extracting(Pool::getId).containsExactlyElementsOf(answer.data().topPools());
    assertThat(pools).allSatisfy(pool -> assertThat(pool.getTokenPrice()).isNotNull());
    assertThat(pools).allSatisfy(pool -> assertThat(pool.getComposition()).isNull());
  }

  @Test
  void token_askedWithComposition_showsWhatItsPoolsHold() {
    var pools = resources(ask(token(true, true)).included().pools());

    assertThat(pools).isNotEmpty();
    assertThat(pools).allSatisfy(pool -> assertThat(pool.getComposition().getBaseTokenBalance()).isNotBlank());
  }

  @Test
  void token_thatNobodyKnows_isNotFound() {
    var query = new Query.TokenByAddress(ids().network(), NOWHERE, false, false, false);

    assertNotFound(query);
  }

  @Test
  void token_onANetworkThatNobodyKnows_isNotFound() {
    var query = new Query.TokenByAddress("nowhere", ids().token(), false, false, false);

    assertNotFound(query);
  }

  // Operations 2 to 6: lists of pools.

  private Query.DexPools dexPools(Set<IncludedResource> include, int page, PoolSort sort, boolean community) {
    return new Query.DexPools(ids().network(), ids().dex(), include, page, sort, community);
  }

  @Test
  void dexPools_ofOneExchange_areOfThatExchange() {
    var pools = pools(dexPools(NOTHING, 1, PoolSort.H24_TX_COUNT_DESC, false));

    assertThat(pools).hasSize(POOLS_PER_PAGE);
    assertThat(pools).allSatisfy(pool -> assertThat(pool.getDescription().getDex()).isEqualTo(ids().dex()));
  }

  @Test
  void dexPools_byCount_haveTheMostTradesFirst() {
    var pools = pools(dexPools(NOTHING, 1, PoolSort.H24_TX_COUNT_DESC, false));

    assertThat(pools).isSortedAccordingTo(comparing(OnChainContract::trades, reverseOrder()));
  }

  @Test
  void dexPools_byVolume_haveTheGreatestFirst() {
    var pools = pools(dexPools(NOTHING, 1, PoolSort.H24_VOLUME_USD_DESC, false));

    assertThat(pools).isSortedAccordingTo(comparing(OnChainContract::volume, reverseOrder()));
  }

  private static long trades(Pool pool) {
    Trades day = pool.getActivity().getTransactions().getH24();
    return day.getBuys() + day.getSells();
  }

  private static BigDecimal volume(Pool pool) {
    return new BigDecimal(pool.getActivity().getVolumeUsd().getH24());
  }

  @Test
  void dexPools_onTheNextPage_goOnWhereTheFirstEnded() {
    var first = pools(dexPools(NOTHING, 1, PoolSort.H24_TX_COUNT_DESC, false));
    var second = pools(dexPools(NOTHING, 2, PoolSort.H24_TX_COUNT_DESC, false));

    assertThat(second).isNotEmpty();
    assertThat(second).extracting(Pool::getId).doesNotContainAnyElementsOf(first.stream().map(Pool::getId).toList());
  }

  @Test
  void dexPools_beyondTheEnd_areNone() {
    var pools = pools(dexPools(NOTHING, 10, PoolSort.H24_TX_COUNT_DESC, false));

    assertThat(pools).isEmpty();
  }

  @Test
  void dexPools_ofAnExchangeThatNobodyKnows_areNotFound() {
    assertNotFound(new Query.DexPools(ids().network(), "nowhere", NOTHING, 1, PoolSort.H24_TX_COUNT_DESC, false));
  }

  @Test
  void pools_withCommunityData_carrySentiment() {
    var pools = pools(dexPools(NOTHING, 1, PoolSort.H24_TX_COUNT_DESC, true));

    assertThat(pools).allSatisfy(pool -> assertThat(pool.getSentiment().getCommunitySusReport()).isNotNull());
  }

  @Test
  void pools_withoutCommunityData_carryNoSentiment() {
    var pools = pools(dexPools(NOTHING, 1, PoolSort.H24_TX_COUNT_DESC, false));

    assertThat(pools).allSatisfy(pool -> assertThat(pool.getSentiment()).isNull());
  }

  @Test
  void pools_askedForNothingMore_includeNothing() {
    var answer = ask(dexPools(NOTHING, 1, PoolSort.H24_TX_COUNT_DESC, false));

    assertThat(answer.included()).isNull();
  }

  @Test
  void pools_askedForBaseTokens_includeEachOnceAndNoOthers() {
    var answer = ask(dexPools(Set.of(IncludedResource.BASE_TOKEN), 1, PoolSort.H24_TX_COUNT_DESC, false));

    var bases = resources(answer.data()).stream().map(pool -> pool.getDescription().getBaseToken()).distinct();
    assertThat(resources(answer.included().tokens()))
        .extracting(Token::getId)
        .containsExactlyInAnyOrderElementsOf(bases.toList());
    assertThat(answer.included().dexes()).isEmpty();
  }

  @Test
  void pools_askedForQuoteTokens_includeEachOnceAndNoOthers() {
    var answer = ask(dexPools(Set.of(IncludedResource.QUOTE_TOKEN), 1, PoolSort.H24_TX_COUNT_DESC, false));

    var quotes = resources(answer.data()).stream().map(pool -> pool.getDescription().getQuoteToken()).distinct();
    assertThat(resources(answer.included().tokens()))
        .extracting(Token::getId)
        .containsExactlyInAnyOrderElementsOf(quotes.toList());
  }

  @Test
  void pools_askedForExchanges_includeThemAndTheirNames() {
    var answer = ask(dexPools(Set.of(IncludedResource.DEX), 1, PoolSort.H24_TX_COUNT_DESC, false));

    assertThat(answer.included().dexes()).extracting(Dex::id).containsExactly(ids().dex());
    assertThat(answer.included().tokens()).isEmpty();
    String name = answer.included().dexes().getFirst().name();
    assertThat(resources(answer.data())).extracting(pool -> pool.getDescription().getDexName()).containsOnly(name);
  }

  @Test
  void tokens_includedWithPools_carryNoFigures() {
    var tokens = resources(ask(dexPools(EVERYTHING, 1, PoolSort.H24_TX_COUNT_DESC, false)).included().tokens());

    assertThat(tokens).allSatisfy(token -> assertThat(token.getDescription().getSymbol()).isNotNull());
    assertThat(tokens).allSatisfy(token -> assertThat(token.getPrice()).isNull());
    assertThat(tokens).allSatisfy(token -> assertThat(token.getSupply()).isNull());
  }

  @Test
  void pools_inAList_leaveOutWhatOnlyOneAloneShows() {
    var pools = pools(dexPools(EVERYTHING, 1, PoolSort.H24_TX_COUNT_DESC, true));

    assertThat(pools).allSatisfy(pool -> {
      assertThat(pool.getDescription().getPoolName()).isNull();
      assertThat(pool.getLock()).isNull();
      assertThat(pool.getTokenPrice()).isNull();
      assertThat(pool.getTrade()).isNull();
      assertThat(pool.getActivity().getTransactions().getH6()).isNull();
    });
  }

  @ParameterizedTest
  @EnumSource(TrendingDuration.class)
  void trendingPools_ofEachDuration_fillAPageOfTheirNetwork(TrendingDuration duration) {
    var pools = pools(new Query.TrendingPools(ids().network(), NOTHING, 1, duration, false));

    assertThat(pools).hasSize(POOLS_PER_PAGE);
    assertThat(pools).extracting(Pool::getNetwork).containsOnly(ids().network());
  }

  @Test
  void trendingPools_ofAShortAndALongDuration_areInDifferentOrders() {
    var brief = pools(new Query.TrendingPools(ids().network(), NOTHING, 1, TrendingDuration.M5, false));
    var day = pools(new Query.TrendingPools(ids().network(), NOTHING, 1, TrendingDuration.H24, false));

    assertThat(brief.stream().map(Pool::getId).toList()).isNotEqualTo(day.stream().map(Pool::getId).toList());
  }

  @Test
  void trendingPools_onANetworkThatNobodyKnows_areNotFound() {
    assertNotFound(new Query.TrendingPools("nowhere", NOTHING, 1, TrendingDuration.H24, false));
  }

  @Test
  void newPools_ofANetwork_areNewestFirstAndOfTheLastTwoDays() {
    var pools = pools(new Query.NewPools(ids().network(), NOTHING, 1, false));

    assertThat(pools).isSortedAccordingTo(comparing(OnChainContract::created, reverseOrder()));
    assertThat(pools).allSatisfy(pool -> assertThat(created(pool)).isAfter(now().minus(Duration.ofHours(49))));
  }

  private static Instant created(Pool pool) {
    return Instant.parse(pool.getDescription().getPoolCreatedAt());
  }

  private Query.SearchPools search(String text, String network, int page) {
    return new Query.SearchPools(text, network, NOTHING, page);
  }

  @Test
  void searchPools_byNameInAnyCase_findPoolsOfThatToken() {
    var pools = pools(search(ids().tokenName(), ids().network(), 1));

    assertThat(pools).extracting(Pool::getNetwork).containsOnly(ids().network());
    assertThat(pools).anySatisfy(pool -> assertThat(tokens(pool)).contains(ids().tokenId()));
  }

  private static List<String> tokens(Pool pool) {
    return List.of(pool.getDescription().getBaseToken(), pool.getDescription().getQuoteToken());
  }

  @Test
  void searchPools_byPoolAddress_findThatPool() {
    var pools = pools(search(ids().pool(), ids().network(), 1));

    assertThat(pools).extracting(Pool::getId).containsExactly(ids().poolId());
  }

  @Test
  void searchPools_byTokenAddress_findPoolsOfThatToken() {
    var pools = pools(search(ids().token(), ids().network(), 1));

    assertThat(pools).isNotEmpty();
    assertThat(pools).allSatisfy(pool -> assertThat(tokens(pool)).contains(ids().tokenId()));
  }

  @Test
  void searchPools_withoutANetwork_findThemOnSeveral() {
    var pools = pools(search("usdc", null, 1));

    assertThat(pools.stream().map(Pool::getNetwork).distinct()).hasSizeGreaterThan(1);
  }

  @Test
  void searchPools_forWhatIsNowhere_findNone() {
    var pools = pools(search("no token is called that", ids().network(), 1));

    assertThat(pools).isEmpty();
  }

  private Query.TokenPools tokenPools(TokenPoolSort sort, boolean inactiveSource, int page) {
    return new Query.TokenPools(ids().network(), ids().token(), NOTHING, inactiveSource, page, sort, false);
  }

  @Test
  void tokenPools_ofAToken_holdItAndShowItsPrice() {
    var pools = pools(tokenPools(TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC, false, 1));

    assertThat(pools).isNotEmpty();
    assertThat(pools).allSatisfy(pool -> {
      boolean base = pool.getDescription().getBaseToken().equals(ids().tokenId());
      String price = base ? pool.getTokenPrice().getBase() : pool.getTokenPrice().getQuote();
      String other = base ? pool.getTokenPrice().getQuote() : pool.getTokenPrice().getBase();
      assertThat(tokens(pool)).contains(ids().tokenId());
      assertThat(price).isNotBlank();
      assertThat(other).isNull();
      assertThat(pool.getTrade().getLastTradeTimestamp()).isPositive();
    });
  }

  @Test
  void tokenPools_byCount_haveTheMostTradesFirst() {
    var pools = pools(tokenPools(TokenPoolSort.H24_TX_COUNT_DESC, false, 1));

    assertThat(pools).isSortedAccordingTo(comparing(OnChainContract::trades, reverseOrder()));
  }

  @Test
  void tokenPools_byVolume_haveTheGreatestFirst() {
    var pools = pools(tokenPools(TokenPoolSort.H24_VOLUME_USD_DESC, false, 1));

    assertThat(pools).isSortedAccordingTo(comparing(OnChainContract::volume, reverseOrder()));
  }

  @Test
  void tokenPools_withInactiveSource_showThoseWithoutTradesToo() {
    var pools = everyPage(page -> pools(tokenPools(TokenPoolSort.H24_VOLUME_USD_DESC, true, page)));

    assertThat(pools).anySatisfy(pool -> assertThat(trades(pool)).isZero());
  }

  @Test
  void tokenPools_withoutInactiveSource_leaveThemOut() {
    var pools = everyPage(page -> pools(tokenPools(TokenPoolSort.H24_VOLUME_USD_DESC, false, page)));
    var dayAgo = now().minus(Duration.ofHours(25)).getEpochSecond();

    assertThat(pools).allSatisfy(pool -> assertThat(pool.getTrade().getLastTradeTimestamp()).isGreaterThan(dayAgo));
  }

  @Test
  void tokenPools_ofATokenThatNobodyKnows_areNotFound() {
    var sort = TokenPoolSort.H24_VOLUME_USD_LIQUIDITY_DESC;

    assertNotFound(new Query.TokenPools(ids().network(), NOWHERE, NOTHING, false, 1, sort, false));
  }

  // Operation 7: one pool.

  private Query.PoolByAddress pool(Set<IncludedResource> include, boolean breakdown, boolean composition) {
    return new Query.PoolByAddress(ids().network(), ids().pool(), include, breakdown, composition);
  }

  @Test
  void pool_thatIsKnown_carriesWhatListsDoNot() {
    Pool pool = ask(pool(NOTHING, false, false)).data().resource();

    assertThat(pool.getId()).isEqualTo(ids().poolId());
    assertThat(pool.getDescription().getPoolName()).isNotBlank();
    assertThat(pool.getActivity().getTransactions().getH6().getBuys()).isPositive();
  }

  @Test
  void pool_askedForNoMore_leavesOutBreakdownAndComposition() {
    Pool pool = ask(pool(NOTHING, false, false)).data().resource();

    assertThat(pool.getFlow()).isNull();
    assertThat(pool.getComposition()).isNull();
  }

  @Test
  void pool_askedForItsBreakdown_splitsItsVolume() {
    Pool pool = ask(pool(NOTHING, true, false)).data().resource();

    var bought = new BigDecimal(pool.getFlow().getBuyVolumeUsd().getH24());
    var sold = new BigDecimal(pool.getFlow().getSellVolumeUsd().getH24());
    assertThat(bought.add(sold).doubleValue()).isCloseTo(volume(pool).doubleValue(), within());
  }

  private static Percentage within() {
    return Percentage.withPercentage(1e-6);
  }

  @Test
  void pool_askedForItsComposition_showsBothSides() {
    Pool pool = ask(pool(NOTHING, false, true)).data().resource();

    assertThat(pool.getComposition().getBaseTokenBalance()).isNotBlank();
    assertThat(pool.getComposition().getQuoteTokenLiquidityUsd()).isNotBlank();
  }

  @Test
  void pool_askedForAllThatIsRelated_includesIt() {
    var included = ask(pool(EVERYTHING, false, false)).included();

    assertThat(included.tokens()).hasSize(2);
    assertThat(included.dexes()).hasSize(1);
  }

  @Test
  void pool_byAnAddressInCapitals_isTheSame() {
    var capitals = "0x" + ids().pool().substring(2).toUpperCase(Locale.ROOT);
    var query = new Query.PoolByAddress(ids().network(), capitals, NOTHING, false, false);

    assertThat(ask(query).data().resource().getId()).isEqualTo(ids().poolId());
  }

  @Test
  void pool_thatNobodyKnows_isNotFound() {
    assertNotFound(new Query.PoolByAddress(ids().network(), NOWHERE, NOTHING, false, false));
  }
}
