package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.law.RecordedAnswers.Recording;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two recorded answers, two seconds apart, that show different values of one pool: only a change of either counts. */
class ConflictingAnswersTest {
  private static final String KEY = "eth_0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640";

  private final PolledSource source = PolledSource.everything();
  private Recording pool;
  private Recording search;

  @BeforeEach
  void seeBoth() {
    pool = RecordedAnswers.of("pool/gt-20261004T183956Z-eth-weth-usdc.json");
    search = RecordedAnswers.of("search_pools/gt-20261004T183958Z-weth-usdc-eth-first4of20.json");
    source.poll(pool.question(), pool.body());
    source.poll(search.question(), search.body());
  }

  @Test
  void firstObservation_isOfTheFirstTarget_completedByTheOther() {
    assertThat(source.memory.known("pool", KEY, "liquidity")).isEqualTo(Map.of("reserve_in_usd", "98049483.9936"));
    assertThat(source.memory.keys("pool")).hasSize(4);
  }

  @Test
  void bothStandingStill_giveNothing() {
    for (int i = 0; i < 5; i++) {
      assertThat(source.poll(pool.question(), pool.document().spaced())).isEmpty();
      assertThat(source.poll(search.question(), search.document().spaced())).isEmpty();
    }
    source.memory.assertFoldIsState();
  }

  @Test
  void oneOfThemAltered_isThatAttribute_andNoOther() {
    JsonBody altered = pool.document().with("/data/attributes/reserve_in_usd", "\"98049000.5\"");

    List<ReceivedChange> changes = source.poll(pool.question(), altered);

    assertAltered(changes, "98049483.9936", "98049000.5");
    assertThat(source.poll(search.question(), search.document().spaced())).isEmpty();
    assertThat(source.poll(pool.question(), altered.spaced())).isEmpty();
  }

  @Test
  void theOtherAltered_isThatAttribute_andNoOther() {
    JsonBody altered = search.document().with("/data/0/attributes/reserve_in_usd", "\"98125000.5\"");

    List<ReceivedChange> changes = source.poll(search.question(), altered);

    assertAltered(changes, "98049483.9936", "98125000.5");
    assertThat(source.poll(pool.question(), pool.document().spaced())).isEmpty();
    assertThat(source.poll(search.question(), altered.spaced())).isEmpty();
  }

  @Test
  void oneOfThemAltered_thenTheOther_areTwoChangesInTheirOrder() {
    source.poll(search.question(), search.document().with("/data/0/attributes/reserve_in_usd", "\"98125000.5\""));

    List<ReceivedChange> changes =
        source.poll(pool.question(), pool.document().with("/data/attributes/reserve_in_usd", "\"98049000.5\""));

    assertAltered(changes, "98125000.5", "98049000.5");
    source.memory.assertFoldIsState();
  }

  /** The second answer is newer than the first, or always of an older copy. */
  @ParameterizedTest
  @ValueSource(strings = {"0", "15"})
  void pricesOfBothTokens_followTheAnswersOfTheirTokens(String age) {
    source.poll(tokenPools("0xbase"), priced("1.0"));
    source.poll(tokenPools("0xquote"), Response.of(priced("3000.0")).with("Age", age));
    for (int round = 1; round <= 3; round++) {
      String base = "1.0" + round;
      String quote = "3000.0" + round;
      source.poll(tokenPools("0xbase"), Response.of(priced(base)).with("Age", "0"));

      List<ReceivedChange> changes =
          source.poll(tokenPools("0xquote"), Response.of(priced(quote)).with("Age", age));

      assertThat(changes).singleElement()
          .satisfies(
              changed -> assertThat(changed.after("token_price")).isEqualTo(Map.of("base", base, "quote", quote)));
    }
    source.memory.assertFoldIsState();
  }

  private static Query<?> tokenPools(String token) {
    return Endpoints.parseTarget("/networks/eth/tokens/" + token + "/pools");
  }

  private static String priced(String tokenPrice) {
    return """
        {"data":[{"id":"eth_0xa","type":"pool","attributes":{"address":"0xa","token_price_usd":"%s"},"relationships":{
          "base_token":{"data":{"id":"eth_0xbase","type":"token"}},
          "quote_token":{"data":{"id":"eth_0xquote","type":"token"}}}}]}""".formatted(tokenPrice);
  }

  private static void assertAltered(List<ReceivedChange> changes, String before, String after) {
    assertThat(changes).filteredOn(changed -> !changed.isDerived()).singleElement().satisfies(changed -> {
      assertThat(changed.key()).isEqualTo(KEY);
      assertThat(changed.facets()).containsExactly("liquidity");
      assertThat(changed.before("liquidity")).isEqualTo(Map.of("reserve_in_usd", before));
      assertThat(changed.after("liquidity")).isEqualTo(Map.of("reserve_in_usd", after));
    });
  }
}
