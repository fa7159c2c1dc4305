package io.tidemark.law;

import static io.tidemark.law.Pools.POOL;
import static io.tidemark.law.Pools.one;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.Endpoints;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes whose type nobody documented, and answers that come in more than one shape. */
class ShapeQuirksTest {
  private static final Query<?> TICKERS = Endpoints.queryOf("/coins/bitcoin/tickers");
  private static final Query<?> EXCHANGE = Endpoints.queryOf("/derivatives/exchanges/bybit?include_tickers=all");
  private static final Query<?> TREASURY = Endpoints.queryOf("/public_treasury/strategy");
  private static final Query<?> PLATFORMS = Endpoints.queryOf("/asset_platforms");
  private static final Query<?> NFT_PLATFORMS = Endpoints.queryOf("/asset_platforms?filter=nft");

  private final Watch watch = Watch.everything();

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      "green"            | green
      3                  | 3
      0.50               | 0.50
      true               | true
      [1,2]              | [1,2]
      {"b":1,"a":"x"}    | {"a":"x","b":1}
      """)
  void trustScoreAndExpiry_ofAnyKind_areText(String json, String text) {
    watch.look(TICKERS, ticker("null"));
    watch.look(EXCHANGE, contracts(contract("null")));

    assertThat(watch.look(TICKERS, ticker(json)).getFirst().after("standing")).isEqualTo(Map.of("trust_score", text));
    assertThat(watch.look(EXCHANGE, contracts(contract(json))).getFirst().after("description"))
        .isEqualTo(Map.of("expired_at", text));
    assertThat(watch.look(TICKERS, ticker("null")).getFirst().after("standing")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"graduated\"", "true", "7", "[{\"graduation_percentage\":1}]"})
  void launchpadThatIsNoObject_isKept_andNullInItsPlace(String json) {
    watch.look(POOL, launchpad("{\"graduation_percentage\":2.16,\"completed\":false}"));

    List<Changed> changes = watch.look(POOL, launchpad(json));

    assertThat(changes.getFirst().facets()).containsExactly("extra", "launchpad");
    assertThat(changes.getFirst().after("launchpad")).isEmpty();
    assertThat(changes.getFirst().after("extra")).containsEntry("json", "{\"launchpad_details\":" + json + "}");
  }

  @Test
  void launchpadWithUnknownMembers_keepsThem() {
    watch.look(POOL, launchpad("{\"graduation_percentage\":\"2.16\",\"stage\":{\"no\":1}}"));

    List<Changed> changes = watch.look(POOL, launchpad("{\"completed\":\"soon\",\"stage\":{\"no\":2}}"));

    assertThat(changes.getFirst().facets()).containsExactly("extra");
    assertThat(changes.getFirst().after("extra"))
        .containsEntry("json", "{\"launchpad_details\":{\"completed\":\"soon\",\"stage\":{\"no\":2}}}");
    assertThat(watch.memory.known("pool", "eth_0xa", "launchpad"))
        .isEqualTo(Map.of("launchpad_details.graduation_percentage", 2.16));
  }

  @Test
  void graduation_isOneChangeOfTheLaunchpad() {
    watch.look(POOL, launchpad("{\"graduation_percentage\":99.9,\"completed\":false,\"completed_at\":null}"));

    List<Changed> changes = watch.look(POOL,
        launchpad("{\"graduation_percentage\":100,\"completed\":true,\"completed_at\":\"2024-04-08T16:52:35.000Z\"}"));

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().facets()).containsExactly("launchpad");
  }

  @Test
  void contractsInAnObject_areTheContracts() {
    watch.look(EXCHANGE, contracts(contract("null")));

    List<Changed> changes = watch.look(EXCHANGE, contracts("{\"tickers\":" + contract("null") + "}"));

    assertThat(changes).isEmpty();
    assertThat(watch.memory.keys("contract")).containsExactly("bybit/BTCUSDT");
  }

  @Test
  void contractsWithoutBeingAskedFor_areThereAllTheSame() {
    Query<?> withoutTickers = Endpoints.queryOf("/derivatives/exchanges/bybit");

    List<Changed> changes = watch.look(withoutTickers, contracts(contract("null")));

    assertThat(changes).extracting(Changed::resource).containsExactly("derivatives-exchange", "contract");
  }

  @Test
  void tickersOfThatMarketWithoutTarget_areAnAnswerNotUnderstood() {
    watch.look(TICKERS, ticker("null"));

    List<Changed> changes = watch.look(TICKERS, ticker("null").replace("\"target\":\"USDT\",", ""));

    assertThat(changes).isEmpty();
    assertThat(watch.outcome.deadLetters()).hasSize(1);
    assertThat(watch.outcome.deadLetters().getFirst().getReason()).contains("without target");
  }

  @Test
  void screenName_isReadByBothItsNames() {
    watch.look(TREASURY, "{\"id\":\"strategy\",\"twitter_screen_name\":\"Strategy\"}");

    assertThat(watch.look(TREASURY, "{\"id\":\"strategy\",\"social_screen_name\":\"Strategy\"}")).isEmpty();
    assertThat(watch.memory.known("treasury", "strategy", "description"))
        .isEqualTo(Map.of("social_screen_name", "Strategy"));
  }

  @Test
  void platformsWithEmptyAndNullIds_areToldApartByName() {
    String body = """
        [{"id":"","name":"Osmosis"},{"id":null,"name":"Karura"},{"id":"tron","name":"TRON"},{"name":"Nameless"}]""";

    List<Changed> changes = watch.look(PLATFORMS, body);

    assertThat(changes).extracting(Changed::key)
        .containsExactly("name:Osmosis", "name:Karura", "tron", "name:Nameless");
    assertThat(watch.outcome.deadLetters()).isEmpty();
  }

  @Test
  void platformsInAnotherOrder_areTheSame() {
    watch.look(PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]");

    assertThat(watch.look(PLATFORMS, "[{\"id\":\"b\",\"name\":\"B\"},{\"id\":\"a\",\"name\":\"A\"}]")).isEmpty();
  }

  @Test
  void twoPlatformsThatCannotBeToldApart_areOne_andTheOtherIsCounted() {
    watch.look(PLATFORMS,
        "[{\"id\":\"\",\"name\":\"A\",\"shortname\":\"1\"},{\"id\":null,\"name\":\"A\",\"shortname\":\"2\"}]");

    assertThat(watch.memory.known("platform", "name:A", "description")).containsEntry("shortname", "1");
    assertThat(watch.outcome.target().getRefusals()).singleElement()
        .satisfies(refusal -> assertThat(refusal.getReason()).isEqualTo("duplicate"));
  }

  @Test
  void platformInTheAnswerToTheFilter_supportsNfts_andDoesNotAnyMoreWhenItIsMissing() {
    watch.look(PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]");

    List<Changed> supported =
        watch.look(NFT_PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]");
    List<Changed> missing = watch.look(NFT_PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"}]");

    assertThat(supported).hasSize(2)
        .allSatisfy(changed -> assertThat(changed.after("nft")).isEqualTo(Map.of("supported", true)));
    assertThat(missing).extracting(Changed::key).containsExactly("b");
    assertThat(missing.getFirst().facets()).containsExactly("nft");
    assertThat(missing.getFirst().after("nft")).isEqualTo(Map.of("supported", false));
    watch.memory.assertFoldIsState();
  }

  @Test
  void priceOfTheDeepestPool_isDerivedForItsToken_apartFromThePool() {
    String included = """
        ,"included":[{"id":"eth_0xt","type":"token","attributes":{"address":"0xt","symbol":"T"}}]}""";
    String relationships = ",\"relationships\":{\"base_token\":{\"data\":{\"id\":\"eth_0xt\",\"type\":\"token\"}}}}}";
    String body =
        one("\"base_token_price_usd\":\"1.5\",\"reserve_in_usd\":\"100\"").replace("}}}", "}" + relationships);
    body = body.substring(0, body.length() - 1) + included;
    watch.look(POOL, body);

    List<Changed> changes = watch.look(POOL, body.replace("1.5", "1.75"));

    assertThat(changes).extracting(Changed::resource).containsExactly("pool", "token");
    assertThat(changes.getFirst().facets()).containsExactly("price");
    assertThat(changes.getLast().isDerived()).isTrue();
    assertThat(changes.getLast().after("pool_price"))
        .isEqualTo(Map.of("price_usd", 1.75, "pool", "eth_0xa", "reserve_usd", 100.0));
    watch.memory.assertFoldIsState();
  }

  private static String launchpad(String json) {
    return one("\"launchpad_details\":" + json);
  }

  private static String ticker(String trustScore) {
    return """
        {"tickers":[{"base":"BTC","target":"USDT","market":{"identifier":"binance"},"trust_score":%s}]}"""
        .formatted(trustScore);
  }

  private static String contract(String expiredAt) {
    return "[{\"symbol\":\"BTCUSDT\",\"index\":null,\"expired_at\":" + expiredAt + "}]";
  }

  private static String contracts(String tickers) {
    return "{\"name\":\"Bybit\",\"tickers\":" + tickers + "}";
  }
}
