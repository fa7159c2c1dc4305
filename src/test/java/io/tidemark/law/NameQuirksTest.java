package io.tidemark.law;

import static io.tidemark.law.PoolBodies.POOL;
import static io.tidemark.law.PoolBodies.TRENDING;
import static io.tidemark.law.PoolBodies.list;
import static io.tidemark.law.PoolBodies.one;
import static io.tidemark.law.PoolBodies.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.event.PoolChange;
import io.tidemark.event.RankingChange;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Unusual names, symbols and addresses, which anybody may choose. */
class NameQuirksTest {
  static final List<String> NAMES = List.of(
      "PEPE / WETH 0.3%", "a/b/c", "🐸🚀👩‍👩‍👧", "<script>alert(1)</script>", "\u202eEPEP", "line\nbreak\r\n\ttab",
      "\u0000\u0001",
      "%2F%00", "\"quoted\\\"", "{\"json\":1}", "$1 ${jndi:x}", "x".repeat(500), "\u0000".repeat(500));

  private static final Query<?> ETHEREUM = Endpoints.parseTarget("/coins/ethereum/tickers");
  private static final Query<?> PLATFORMS = Endpoints.parseTarget("/asset_platforms");
  private static final String V4 = "0x4f88f7c99022eace4740c6898f59ce6a2e798a1e64ce54589720b7153eb224a7";

  private final PolledSource source = PolledSource.everything();

  @ParameterizedTest
  @FieldSource("NAMES")
  void name_isKeptAsItIs(String name) {
    source.poll(POOL, one("\"name\":\"before\""));

    List<ReceivedChange> changes = source.poll(POOL, one("\"name\":" + json(name)));

    assertThat(changes.getFirst().after("description")).containsEntry("name", name);
    assertThat(((PoolChange) changes.getFirst().change()).getAbout().getName()).isEqualTo(name);
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void searchForAName_isAListOfItsOwn(String name) {
    Query<?> search = new Query.SearchPools(name, null, Set.of(IncludedResource.BASE_TOKEN), 1);

    List<ReceivedChange> changes = source.poll(search, list(pool("0xa", "")));

    RankingChange ranking = (RankingChange) changes.getLast().change();
    assertThat(ranking.getQuery()).isEqualTo(name);
    assertThat(ranking.getId()).startsWith("search/*/").matches("[ -~]+");
    assertThat(source.poll(search, list(pool("0xb", "")))).extracting(ReceivedChange::resource).containsExactly("pool",
        "ranking");
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void tickerOfAnyName_isKnownAgain(String name) {
    String body = tickers(ticker(name, "USD", 1), ticker("USD", name, 2));

    List<ReceivedChange> changes = source.poll(ETHEREUM, body);

    assertThat(changes).hasSize(2).allSatisfy(changed -> assertThat(changed.key()).doesNotContain("\n", "\u0000"));
    assertThat(source.poll(ETHEREUM, body + " ")).isEmpty();
  }

  @ParameterizedTest
  @FieldSource("NAMES")
  void platformWithoutId_isKnownByItsName(String name) {
    source.poll(PLATFORMS, "[{\"id\":\"\",\"name\":" + json(name) + ",\"shortname\":\"a\"}]");

    List<ReceivedChange> changes =
        source.poll(PLATFORMS, "[{\"id\":null,\"name\":" + json(name) + ",\"shortname\":\"b\"}]");

    assertThat(changes).extracting(ReceivedChange::key).containsExactly("name:" + name);
    assertThat(changes.getFirst().facets()).containsExactly("description");
  }

  @Test
  void halfACharacter_isNoChangeByItself() {
    String half = "\"name\":\"a\\ud83d\",\"odd\":\"\\ud83d\"";
    source.poll(POOL, one(half + ",\"pool_fee_percentage\":\"1\""));

    assertThat(source.poll(POOL, one(half))).isEmpty();
    assertThat(source.poll(POOL, one(half + ",\"even\":1"))).singleElement()
        .satisfies(changed -> assertThat(changed.facets()).containsExactly("extra"));
    assertThat(source.poll(POOL, one(half + ",\"pool_fee_percentage\":\"1\""))).isEmpty();
  }

  @Test
  void slashesInSymbols_doNotMakeTwoTickersOne() {
    List<ReceivedChange> changes = source.poll(ETHEREUM, tickers(ticker("A/B", "C", 1), ticker("A", "B/C", 2)));

    assertThat(changes).extracting(ReceivedChange::key).doesNotHaveDuplicates().hasSize(2);
  }

  @Test
  void addressesThatDifferInCaseOnly_areTwoPools() {
    Query<?> solana = Endpoints.parseTarget("/networks/eth/new_pools");

    List<ReceivedChange> changes = source.poll(solana, list(
        pool("4w2cysotX6czaUGmmWg13hDpY4QEMG2CzeKYEQyK9Ama", "\"name\":\"one\""),
        pool("4w2cysotX6czaUGmmWg13hDpY4QEMG2CzeKYEQyK9AMA", "\"name\":\"two\"")));

    assertThat(changes).filteredOn(changed -> changed.resource().equals("pool")).hasSize(2);
    assertThat(source.memory.known("pool", "eth_4w2cysotX6czaUGmmWg13hDpY4QEMG2CzeKYEQyK9AMA", "description"))
        .containsEntry("name", "two");
  }

  @Test
  void idOf32Bytes_isAnIdLikeAnyOther() {
    Query<?> query = Endpoints.parseTarget("/networks/eth/pools/" + V4);
    source.poll(query, "{\"data\":" + pool(V4, "\"reserve_in_usd\":\"1\"") + "}");

    List<ReceivedChange> changes = source.poll(query, "{\"data\":" + pool(V4, "\"reserve_in_usd\":\"2\"") + "}");

    assertThat(changes).extracting(ReceivedChange::key).containsExactly("eth_" + V4);
  }

  @Test
  void checksummedAddress_isThePoolOfItsLowerCaseId() {
    source.poll(POOL, one("\"name\":\"a\"").replace("\"address\":\"0xa\"", "\"address\":\"0xA\""));

    assertThat(source.memory.keys("pool")).containsExactly("eth_0xa");
    assertThat(source.memory.known("pool", "eth_0xa", "extra")).isEmpty();
  }

  @Test
  void addressThatIsNotThatOfTheId_isKept_andObservedWhenItChanges() {
    source.poll(POOL, one("\"name\":\"a\""));

    List<ReceivedChange> changes =
        source.poll(POOL, one("\"name\":\"a\"").replace("\"address\":\"0xa\"", "\"address\":\"0xb\""));

    assertThat(changes.getFirst().facets()).containsExactly("extra");
    assertThat(changes.getFirst().after("extra")).containsEntry("json", "{\"address\":\"0xb\"}");
  }

  @Test
  void nameOfLists_isTheSameWhateverTheOrder() {
    source.poll(TRENDING, list(pool("0xa", "\"name\":\"a\""), pool("0xb", "\"name\":\"b\"")));

    List<ReceivedChange> changes =
        source.poll(TRENDING, list(pool("0xb", "\"name\":\"b\""), pool("0xa", "\"name\":\"a\"")));

    assertThat(changes).extracting(ReceivedChange::resource).containsExactly("ranking");
  }

  private static String json(String text) {
    return new TextNode(text).toString();
  }

  private static String ticker(String base, String target, int last) {
    return """
        {"base":%s,"target":%s,"market":{"identifier":"uniswap_v3","name":"Uniswap"},"last":%d}"""
        .formatted(json(base), json(target), last);
  }

  private static String tickers(String... tickers) {
    return "{\"name\":\"Ethereum\",\"tickers\":[" + String.join(",", tickers) + "]}";
  }
}
