package io.tidemark.capture.change;

import static io.tidemark.capture.change.ManualSource.TRENDING;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Pool;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.Token;
import io.tidemark.event.TokenPoolPrice;
import io.tidemark.event.TokenState;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Observation;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The price of a token is that of the deepest visible pool. */
class DeepestPoolPriceTest {
  private static final String WETH = "eth_0xt";

  private final ManualSource source = new ManualSource(PublishSettings.EVERYTHING);

  @Test
  void shallowerPool_isNoInformant() {
    show(pool("eth_0xa", "1.0", "900.0"), pool("eth_0xb", "1.1", "100.0"));
    show(pool("eth_0xa", "1.0", "900.0"), pool("eth_0xb", "1.2", "100.0"));

    assertThat(price())
        .isEqualTo(TokenPoolPrice.newBuilder().setPriceUsd(1.0).setPool("eth_0xa").setReserveUsd(900.0).build());
  }

  @Test
  void deepestPoolThatIsDrained_leavesItToThePoolShownBeforeIt() {
    show(pool("eth_0xb", "1.1", "800.0"), pool("eth_0xa", "1.0", "900.0"));
    show(pool("eth_0xb", "1.1", "800.0"), pool("eth_0xa", "0.1", "5.0"));

    assertThat(price())
        .isEqualTo(TokenPoolPrice.newBuilder().setPriceUsd(1.1).setPool("eth_0xb").setReserveUsd(800.0).build());
  }

  @Test
  void deepestPoolNotVisible_leavesItToTheNext() {
    show(pool("eth_0xa", "1.0", "900.0"), pool("eth_0xb", "1.1", "100.0"));
    show(pool("eth_0xb", "1.1", "100.0"));
    source.now = source.now.plus(Duration.ofMinutes(20));
    var a = source.known.find("pool", "eth_0xa");
    source.known.apply(source.detection().onDeadline("pool", a, source.known, source.now));
    show(pool("eth_0xb", "1.2", "100.0"));

    assertThat(price())
        .isEqualTo(TokenPoolPrice.newBuilder().setPriceUsd(1.2).setPool("eth_0xb").setReserveUsd(100.0).build());
  }

  @Test
  void deepestPoolEvicted_leavesItToTheNext() {
    show(pool("eth_0xa", "1.0", "900.0"), pool("eth_0xb", "1.1", "100.0"));
    source.known.states.remove("pool eth_0xa");
    show(pool("eth_0xb", "1.2", "100.0"));

    assertThat(price())
        .isEqualTo(TokenPoolPrice.newBuilder().setPriceUsd(1.2).setPool("eth_0xb").setReserveUsd(100.0).build());
  }

  @ParameterizedTest
  @CsvSource(nullValues = "null", value = {"1.0, null", "null, 900.0", "NaN, 900.0", "1.0, NaN"})
  void deepestPoolWithoutPriceOrReserve_leavesItToTheNext(String price, String reserve) {
    show(pool("eth_0xb", "1.1", "100.0"), pool("eth_0xa", "1.0", "900.0"));
    show(pool("eth_0xb", "1.1", "100.0"), pool("eth_0xa", price, reserve));

    assertThat(price())
        .isEqualTo(TokenPoolPrice.newBuilder().setPriceUsd(1.1).setPool("eth_0xb").setReserveUsd(100.0).build());
  }

  @Test
  void onlyPoolWithoutReserve_makesItUnknown_untilAPoolHasOne() {
    show(pool("eth_0xa", "1.0", "900.0"));
    show(pool("eth_0xa", "1.0", null));
    assertThat(price()).isEqualTo(new TokenPoolPrice());

    show(pool("eth_0xa", "1.0", null), pool("eth_0xb", "1.1", "100.0"));
    assertThat(price())
        .isEqualTo(TokenPoolPrice.newBuilder().setPriceUsd(1.1).setPool("eth_0xb").setReserveUsd(100.0).build());
  }

  @Test
  void answerWithoutPriceAndReserve_leavesItKnown() {
    show(pool("eth_0xa", "1.0", "900.0"));
    Pool named = pool("eth_0xa", null, null);
    named.getDescription().setName("WETH / PEPE");
    show(List.of(Observation.of(named)));

    assertThat(price())
        .isEqualTo(TokenPoolPrice.newBuilder().setPriceUsd(1.0).setPool("eth_0xa").setReserveUsd(900.0).build());
  }

  private TokenPoolPrice price() {
    return ((TokenState) source.known.find("token", WETH)).getKnown().getPoolPrice();
  }

  /** Shows pools with all their attributes: a price or reserve without a value is null. */
  private void show(Pool... pools) {
    show(Arrays.stream(pools).map(DeepestPoolPriceTest::whole).toList());
  }

  private void show(List<Observation<Pool>> pools) {
    Token token = Token.newBuilder().setId(WETH).setNetwork("eth").setAddress("0xt").build();
    Included included = new Included(List.of(), List.of(Observation.of(token)), List.of());
    source.poll(TRENDING, new OnChainAnswer<>(pools, included));
  }

  private static Observation<Pool> whole(Pool pool) {
    Set<String> nulls = new HashSet<>();
    if (pool.getPrice().getBaseTokenPriceUsd() == null) {
      nulls.add("price.base_token_price_usd");
    }
    if (pool.getLiquidity().getReserveInUsd() == null) {
      nulls.add("liquidity.reserve_in_usd");
    }
    return new Observation<>(pool, nulls);
  }

  private static Pool pool(String id, String price, String reserve) {
    Pool pool = ManualSource.pool(id, price);
    pool.getDescription().setBaseToken(WETH);
    pool.setLiquidity(PoolLiquidity.newBuilder().setReserveInUsd(reserve).build());
    return pool;
  }
}
