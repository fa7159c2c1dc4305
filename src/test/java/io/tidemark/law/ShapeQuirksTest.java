package io.tidemark.law;

import static io.tidemark.law.PoolBodies.POOL;
import static io.tidemark.law.PoolBodies.one;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.Instant.EPOCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.http.client.StoredResponse;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes without a documented type, and answers that come in more than one shape. */
class ShapeQuirksTest {
  private static final Query<?> TICKERS = Endpoints.parseTarget("/coins/bitcoin/tickers");
  private static final Query<?> EXCHANGE = Endpoints.parseTarget("/derivatives/exchanges/bybit?include_tickers=all");
  private static final Query<?> TREASURY = Endpoints.parseTarget("/public_treasury/strategy");
  private static final Query<?> PLATFORMS = Endpoints.parseTarget("/asset_platforms");
  private static final Query<?> NFT_PLATFORMS = Endpoints.parseTarget("/asset_platforms?filter=nft");

  private final PolledSource source = PolledSource.everything();

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
    source.poll(TICKERS, ticker("null"));
    source.poll(EXCHANGE, contracts(contract("null")));

    assertThat(source.poll(TICKERS, ticker(json)).getFirst().after("quality")).isEqualTo(Map.of("trust_score", text));
    assertThat(source.poll(EXCHANGE, contracts(contract(json))).getFirst().after("description"))
        .isEqualTo(Map.of("expired_at", text));
    assertThat(source.poll(TICKERS, ticker("null")).getFirst().after("quality")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"BTCUSDT\":{\"symbol\":\"BTCUSDT\"}}", "{\"list\":{\"error\":\"unavailable\"}}",
    "{\"error\":{\"code\":1,\"details\":[]}}", "{\"BTCUSDT\":{\"symbol\":\"BTCUSDT\",\"tags\":[]}}"})
  void contractsInNoArray_areUnreadable_notAnEmptyList(String tickers) {
    var body = "{\"name\":\"Bybit\",\"tickers\":" + tickers + "}";
    var answer =
        new StoredResponse(Endpoints.targetName(EXCHANGE), 1, body.getBytes(UTF_8), 200, Map.of(), EPOCH, EPOCH)
            .answer();

    assertThatThrownBy(() -> answer.body().read()).isInstanceOf(Failure.Unreadable.class)
        .hasMessageContaining("expected an array of derivative contracts, found other values (at /tickers)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"graduated\"", "true", "7", "[{\"graduation_percentage\":1}]"})
  void launchpadThatIsNoObject_isKept_andNullInItsPlace(String json) {
    source.poll(POOL, launchpad("{\"graduation_percentage\":2.16,\"completed\":false}"));

    List<ReceivedChange> changes = source.poll(POOL, launchpad(json));

    assertThat(changes.getFirst().facets()).containsExactly("extra", "launchpad");
    assertThat(changes.getFirst().after("launchpad")).isEmpty();
    assertThat(changes.getFirst().after("extra")).containsEntry("json", "{\"launchpad_details\":" + json + "}");
  }

  @Test
  void launchpadWithUnknownMembers_keepsThem() {
    source.poll(POOL, launchpad("{\"graduation_percentage\":\"2.16\",\"stage\":{\"no\":1}}"));

    List<ReceivedChange> changes = source.poll(POOL, launchpad("{\"completed\":\"soon\",\"stage\":{\"no\":2}}"));

    assertThat(changes.getFirst().facets()).containsExactly("extra");
    assertThat(changes.getFirst().after("extra"))
        .containsEntry("json", "{\"launchpad_details\":{\"completed\":\"soon\",\"stage\":{\"no\":2}}}");
    assertThat(source.memory.known("pool", "eth_0xa", "launchpad"))
        .isEqualTo(Map.of("launchpad_details.graduation_percentage", 2.16));
  }

  @Test
  void graduation_isOneChangeOfTheLaunchpad() {
    source.poll(POOL, launchpad("{\"graduation_percentage\":99.9,\"completed\":false,\"completed_at\":null}"));

    List<ReceivedChange> changes = source.poll(POOL,
        launchpad("{\"graduation_percentage\":100,\"completed\":true,\"completed_at\":\"2024-04-08T16:52:35.000Z\"}"));

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().facets()).containsExactly("launchpad");
  }

  @Test
  void contractsInAnObject_areTheContracts() {
    source.poll(EXCHANGE, contracts(contract("null")));

    List<ReceivedChange> changes = source.poll(EXCHANGE, contracts("{\"tickers\":" + contract("null") + "}"));

    assertThat(changes).isEmpty();
    assertThat(source.memory.keys("contract")).containsExactly("bybit/BTCUSDT");
  }

  @Test
  void contractsWithoutBeingAskedFor_areThereAllTheSame() {
    Query<?> withoutTickers = Endpoints.parseTarget("/derivatives/exchanges/bybit");

    List<ReceivedChange> changes = source.poll(withoutTickers, contracts(contract("null")));

    assertThat(changes).extracting(ReceivedChange::resource).containsExactly("derivatives-exchange", "contract");
  }

  @Test
  void tickerWithoutTarget_isNotTaken() {
    source.poll(TICKERS, ticker("null"));

    List<ReceivedChange> changes = source.poll(TICKERS, ticker("null").replace("\"target\":\"USDT\",", ""));

    assertThat(changes).isEmpty();
    assertThat(source.changeSet.deadLetters()).hasSize(1);
    assertThat(source.changeSet.deadLetters().getFirst().getReason())
        .isEqualTo("rows that are not taken: 1 ticker identity_missing");
  }

  @Test
  void screenName_isReadByBothItsNames() {
    source.poll(TREASURY, "{\"id\":\"strategy\",\"twitter_screen_name\":\"Strategy\"}");

    assertThat(source.poll(TREASURY, "{\"id\":\"strategy\",\"social_screen_name\":\"Strategy\"}")).isEmpty();
    assertThat(source.memory.known("treasury", "strategy", "description"))
        .isEqualTo(Map.of("social_screen_name", "Strategy"));
  }

  @Test
  void platformsWithEmptyAndNullIds_areDistinguishedByName() {
    String body = """
        [{"id":"","name":"Osmosis"},{"id":null,"name":"Karura"},{"id":"tron","name":"TRON"},{"name":"Nameless"}]""";

    List<ReceivedChange> changes = source.poll(PLATFORMS, body);

    assertThat(changes).extracting(ReceivedChange::key)
        .containsExactly("name:Osmosis", "name:Karura", "tron", "name:Nameless");
    assertThat(source.changeSet.deadLetters()).isEmpty();
  }

  @Test
  void platformsInAnotherOrder_areTheSame() {
    source.poll(PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]");

    assertThat(source.poll(PLATFORMS, "[{\"id\":\"b\",\"name\":\"B\"},{\"id\":\"a\",\"name\":\"A\"}]")).isEmpty();
  }

  @Test
  void indistinguishablePlatforms_areOne_theSecondIsADuplicate() {
    source.poll(PLATFORMS,
        "[{\"id\":\"\",\"name\":\"A\",\"shortname\":\"1\"},{\"id\":null,\"name\":\"A\",\"shortname\":\"2\"}]");

    assertThat(source.memory.known("platform", "name:A", "description")).containsEntry("shortname", "1");
    assertThat(source.changeSet.targetState().getRejections()).singleElement()
        .satisfies(refusal -> assertThat(refusal.getReason()).isEqualTo("duplicate"));
  }

  @Test
  void platformInTheNftList_supportsNfts_untilItIsMissing() {
    source.poll(PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]");

    List<ReceivedChange> supported =
        source.poll(NFT_PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]");
    assertThat(source.poll(NFT_PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"}]")).isEmpty();
    List<ReceivedChange> missing = source.poll(NFT_PLATFORMS, "[{\"id\":\"a\",\"name\":\"A\"}]");

    assertThat(supported).hasSize(2)
        .allSatisfy(changed -> assertThat(changed.after("nft")).isEqualTo(Map.of("supported", true)));
    assertThat(missing).extracting(ReceivedChange::key).containsExactly("b");
    assertThat(missing.getFirst().facets()).containsExactly("nft");
    assertThat(missing.getFirst().after("nft")).isEqualTo(Map.of("supported", false));
    source.memory.assertFoldIsState();
  }

  @Test
  void priceOfTheDeepestPool_isDerivedForItsToken_apartFromThePool() {
    String included = """
        ,"included":[{"id":"eth_0xt","type":"token","attributes":{"address":"0xt","symbol":"T"}}]}""";
    String relationships = ",\"relationships\":{\"base_token\":{\"data\":{\"id\":\"eth_0xt\",\"type\":\"token\"}}}}}";
    String body =
        one("\"base_token_price_usd\":\"1.5\",\"reserve_in_usd\":\"100\"").replace("}}}", "}" + relationships);
    body = body.substring(0, body.length() - 1) + included;
    source.poll(POOL, body);

    List<ReceivedChange> changes = source.poll(POOL, body.replace("1.5", "1.75"));

    assertThat(changes).extracting(ReceivedChange::resource).containsExactly("pool", "token");
    assertThat(changes.getFirst().facets()).containsExactly("price");
    assertThat(changes.getLast().isDerived()).isTrue();
    assertThat(changes.getLast().after("pool_price"))
        .isEqualTo(Map.of("price_usd", 1.75, "pool", "eth_0xa", "reserve_usd", 100.0));
    source.memory.assertFoldIsState();
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
