package io.tidemark.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.market.Answer.Dex;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.TickerOrder;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** What hand-written bodies say: so that reading and writing cannot be wrong alike. */
public class GoldenBodiesTest {
  private static final String MATIC = "0x7D1AfA7B718fb893dB30A3aBc0Cfc608AaCfeBB0";
  private static final Query.TokenByAddress TOKEN = new Query.TokenByAddress("polygon_pos", MATIC, true, false, false);
  private static final Query.NewPools NEW_POOLS =
      new Query.NewPools("solana", Set.of(IncludedResource.values()), 1, false);
  private static final Query.CoinTickers TICKERS = new Query.CoinTickers(
      "bitcoin", null, true, 1, TickerOrder.TRUST_SCORE_DESC, false, DexPairFormat.CONTRACT_ADDRESS);
  private static final Query.CoinHistory HISTORY = new Query.CoinHistory("bitcoin", LocalDate.of(2024, 1, 2), true);
  private static final Query.DerivativesExchangeById DERIVATIVES =
      new Query.DerivativesExchangeById("binance_futures", null);
  private static final Query.PublicTreasury TREASURY = new Query.PublicTreasury("mstr", Set.of(), Set.of());
  private static final Query.AssetPlatforms PLATFORMS = new Query.AssetPlatforms(null);
  private static final Query.GlobalMarket GLOBAL = new Query.GlobalMarket();

  static final Map<String, Query<?>> ALL = Map.of("token", TOKEN, "new_pools", NEW_POOLS, "coin_tickers", TICKERS,
      "coin_history", HISTORY, "derivatives_exchange", DERIVATIVES, "treasury", TREASURY, "asset_platforms",
      PLATFORMS, "global", GLOBAL);
  public static final Set<Query<?>> QUERIES = Set.copyOf(ALL.values());

  @ParameterizedTest
  @FieldSource("QUERIES")
  void goldenBody_readAndWrittenAgain_differsInNothingButNames(Query<?> query) throws IOException {
    var body = GoldenBodies.body(query.operation().wire());

    var again = readAndWrite(query, body);

    var json = new JsonMapper();
    assertThat(JsonComparison.differences(json.readTree(body), json.readTree(again)))
        .allMatch(difference -> difference.matches(".*(coin_id|screen_name|/included/network/solana|/links).*"));
  }

  @Test
  void token_keepsDigits_andItsDescription() {
    var token = GoldenBodies.answer(TOKEN).data().token();

    assertThat(token.resource().getNetwork()).isEqualTo("polygon_pos");
    assertThat(token.resource().getPrice().getPriceUsd())
        .isEqualTo("0.0000566673284218277368707532612867396024960039002528290815078515286");
    assertThat(token.resource().getSupply().getNormalizedTotalSupply()).isEqualTo("10000000000.50");
    assertThat(token.resource().getLiquidity().getTotalReserveInUsd()).isEqualTo("NaN");
    assertThat(token.resource().getActivity().getLastTradeTimestamp()).isEqualTo(1_700_000_000L);
    assertThat(token.resource().getLaunchpad().getLaunchpadDetails().getGraduationPercentage()).isEqualTo(2.16);
    assertThat(token.nulls()).containsExactlyInAnyOrder(
        "media.image_url", "valuation.market_cap_usd", "launchpad.launchpad_details.completed_at");
    assertThat(token.resource().getExtra().getJson())
        .isEqualTo("{\"launchpad_details\":{\"stage\":[1,1.50]},\"volume_usd\":{\"h1\":\"12.5\"}}");
    assertThat(GoldenBodies.answer(TOKEN).data().topPools()).containsExactly("polygon_pos_0xp1");
  }

  @Test
  void poolIncludedWithAToken_showsItsPriceOnTheSideItIsOn() {
    var pool = GoldenBodies.answer(TOKEN).included().pools().getFirst().resource();

    assertThat(pool.getTokenPrice().getQuote()).isEqualTo("0.71");
    assertThat(pool.getTokenPrice().getBase()).isNull();
    assertThat(pool.getExtra()).isNull();
  }

  @Test
  void pool_tellsAbsentFromNull_andKeepsWhatCannotBeRead() {
    var pool = GoldenBodies.answer(NEW_POOLS).data().getFirst();
    var m5 = pool.resource().getActivity().getTransactions().getM5();

    assertThat(m5.getBuys()).isEqualTo(3);
    assertThat(m5.getBuyers()).isEqualTo(2);
    assertThat(m5.getSells()).isNull();
    assertThat(pool.resource().getDescription().getDexName()).isEqualTo("Pump.fun");
    assertThat(pool.nulls()).containsExactlyInAnyOrder("description.pool_created_at", "description.quote_token",
        "valuation.fdv_usd", "activity.transactions.m5.sells", "activity.transactions.m5.sellers",
        "activity.transactions.h24", "activity.volume_usd", "launchpad.launchpad_details.completed_at",
        "launchpad.launchpad_details.migrated_destination_pool_address");
    assertThat(pool.resource().getExtra().getJson()).isEqualTo("{\"gt_score\":71.50,"
        + "\"relationships\":{\"network\":{\"data\":{\"id\":\"solana\",\"type\":\"network\"}}},"
        + "\"resource\":{\"links\":{\"self\":\"x\"}},"
        + "\"transactions\":{\"d7\":{\"buys\":1},\"m5\":{\"sells\":1.5}}}");
  }

  @Test
  void included_isReadByType() {
    var included = GoldenBodies.answer(NEW_POOLS).included();

    assertThat(included.dexes()).containsExactly(new Dex("pump-fun", "Pump.fun"));
    assertThat(included.tokens().getFirst().nulls()).containsExactly("description.service_coin_id");
  }

  @Test
  void ticker_hasItsCoinAndMarket() {
    var ticker = GoldenBodies.answer(TICKERS).tickers().getFirst();

    assertThat(ticker.resource().getCoin()).isEqualTo("bitcoin");
    assertThat(ticker.resource().getMarket()).isEqualTo("binance");
    assertThat(ticker.resource().getDescription().getCoinName()).isEqualTo("Bitcoin");
    assertThat(ticker.resource().getDescription().getMarketName()).isEqualTo("Binance");
    assertThat(ticker.resource().getQuality().getTrustScore()).isEqualTo("{\"value\":\"green\"}");
    assertThat(ticker.nulls())
        .containsExactlyInAnyOrder("converted.converted_last.usd", "media.token_info_url", "quality.is_anomaly");
    assertThat(ticker.resource().getExtra().getJson())
        .isEqualTo("{\"converted_volume\":{\"sol\":1},\"is_anomaly\":\"no\",\"market\":{\"tier\":1}}");
  }

  @Test
  void coinDay_isOfTheDayOfTheQuery() {
    var day = GoldenBodies.answer(HISTORY);

    assertThat(day.resource().getDate()).isEqualTo("2024-01-02");
    assertThat(day.resource().getMarket().getCurrentPrice())
        .containsEntry("usd", 42261.04).containsEntry("btc", 1.0).containsEntry("odd", null);
    assertThat(day.resource().getMarket().getTotalVolume()).isNull();
    assertThat(day.resource().getTranslation().getLocalization()).containsEntry("xx", null);
    assertThat(day.resource().getCommunity().getRedditAccountsActive48h()).isEqualTo(14074.0);
    assertThat(day.nulls()).contains("interest.alexa_rank", "development.forks", "community.facebook_likes")
        .doesNotContain("market.total_volume");
    assertThat(day.resource().getExtra().getJson()).isEqualTo(
        "{\"community_data\":{\"twitter_followers\":7},\"market_data\":{\"current_price\":{\"odd\":\"n/a\"}}}");
  }

  @Test
  void contracts_areReadFromAnObjectToo() {
    var contract = GoldenBodies.answer(DERIVATIVES).tickers().getFirst();

    assertThat(contract.resource().getExchange()).isEqualTo("binance_futures");
    assertThat(contract.resource().getDescription().getExpiredAt()).isEqualTo("1735689600");
    assertThat(contract.resource().getConverted().getConvertedLast().getEth())
        .isEqualTo("0.00000000000000000000000000001234567890123456789");
    assertThat(contract.nulls()).containsExactly("basis.index");
  }

  @Test
  void holding_isOfTheEntityOfTheAnswer() {
    var answer = GoldenBodies.answer(TREASURY);
    var holding = answer.holdings().getFirst();

    assertThat(answer.treasury().resource().getDescription().getSocialScreenName()).isEqualTo("Strategy");
    assertThat(holding.resource().getEntity()).isEqualTo("strategy");
    assertThat(holding.resource().getTrend().getHoldingAmountChange().getY1()).isEqualTo(-1.5);
    assertThat(holding.nulls()).containsExactlyInAnyOrder("valuation.unrealized_pnl",
        "trend.holding_amount_change.ytd");
  }

  @Test
  void platforms_haveAKeyEvenWithoutId() {
    var platforms = GoldenBodies.answer(PLATFORMS);

    assertThat(platforms).extracting(platform -> platform.resource().getKey())
        .containsExactly("polygon-pos", "name:Nameless", "name:Nulled", "name:Absent");
    assertThat(platforms).extracting(platform -> platform.resource().getId())
        .containsExactly("polygon-pos", "", null, null);
    assertThat(platforms).extracting(platform -> platform.nulls().contains("id"))
        .containsExactly(false, false, true, false);
    assertThat(platforms.get(2).resource().getExtra().getJson())
        .isEqualTo("{\"chain_identifier\":99999999999999999999}");
  }

  @Test
  void global_isWhatDataHolds() {
    var global = GoldenBodies.answer(GLOBAL).resource();

    assertThat(global.getMarketCap().getTotalMarketCap()).containsEntry("usd", 2.5e12).containsEntry("btc", null);
    assertThat(global.getTimes().getUpdatedAt()).isEqualTo(1712512855L);
    assertThat(global.getExtra().getJson()).isEqualTo("{\"mood\":\"greed\"}");
  }

  private static <A> byte[] readAndWrite(Query<A> query, byte[] body) {
    return GoldenBodies.encode(query, GoldenBodies.decode(query, body), FieldNaming.DOCUMENT);
  }
}
