package io.tidemark.law;

import static io.tidemark.law.PoolBodies.POOL;
import static io.tidemark.law.PoolBodies.TRENDING;
import static io.tidemark.law.PoolBodies.list;
import static io.tidemark.law.PoolBodies.one;
import static io.tidemark.law.PoolBodies.pool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Windows, currencies and languages that come and go: a missing window stays known, a missing map entry is removed. */
class MissingEntriesTest {
  private static final Query<?> GLOBAL = Endpoints.parseTarget("/global");
  private static final Query<?> HISTORY = Endpoints.parseTarget("/coins/bitcoin/history?date=01-10-2026");

  private final PolledSource source = PolledSource.everything();

  @Test
  void windowThatIsMissing_isUnknown_andNoChange() {
    source.poll(POOL, one("\"volume_usd\":{\"m5\":\"1\",\"h6\":\"6\"}"));

    assertThat(source.poll(POOL, one("\"volume_usd\":{\"m5\":\"1\"}"))).isEmpty();
    assertThat(source.poll(POOL, one("\"volume_usd\":{}"))).isEmpty();
  }

  @Test
  void windowThatIsAdded_isAChangeOfThatWindowAlone() {
    source.poll(POOL, one("\"transactions\":{\"m5\":{\"buys\":1}}"));

    List<ReceivedChange> changes = source.poll(POOL, one("\"transactions\":{\"m15\":{\"buys\":4,\"sells\":null}}"));

    assertThat(changes.getFirst().facets()).containsExactly("activity");
    assertThat(changes.getFirst().after("activity"))
        .isEqualTo(Map.of("transactions.m5.buys", 1L, "transactions.m15.buys", 4L));
  }

  @Test
  void windowShownByOneOperation_isKeptWhenTheOtherShowsTheRest() {
    source.poll(POOL, one("\"volume_usd\":{\"m5\":\"1\",\"h6\":\"6\"}"));
    source.poll(TRENDING, list(pool("0xa", "\"volume_usd\":{\"m5\":\"1\"}")));

    List<ReceivedChange> changes = source.poll(TRENDING, list(pool("0xa", "\"volume_usd\":{\"m5\":\"2\"}")));

    assertThat(changes.getFirst().after("activity")).isEqualTo(Map.of("volume_usd.m5", "2", "volume_usd.h6", "6"));
  }

  @Test
  void allWindowsNull_andAsAWholeNull_areTheSame() {
    source.poll(POOL, one("\"volume_usd\":{\"m5\":\"1\",\"h1\":\"2\"}"));
    source.poll(POOL, one("\"volume_usd\":{\"m5\":null,\"h1\":null}"));

    assertThat(source.poll(POOL, one("\"volume_usd\":null"))).isEmpty();
  }

  @Test
  void coinThatLeavesTheTopTen_isMissing_andOneThatEntersIsThere() {
    source.poll(GLOBAL, dominance("{\"btc\":56.5,\"steth\":1.1}"));

    List<ReceivedChange> changes = source.poll(GLOBAL, dominance("{\"btc\":56.5,\"trx\":1.2}"));

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().facets()).containsExactly("dominance");
    assertThat(changes.getFirst().before("dominance").get("market_cap_percentage"))
        .isEqualTo(Map.of("btc", 56.5, "steth", 1.1));
    assertThat(changes.getFirst().after("dominance").get("market_cap_percentage"))
        .isEqualTo(Map.of("btc", 56.5, "trx", 1.2));
  }

  @Test
  void coinWithoutAShare_isThereWithoutAValue() {
    source.poll(GLOBAL, dominance("{\"btc\":56.5}"));

    List<ReceivedChange> changes = source.poll(GLOBAL, dominance("{\"btc\":56.5,\"odd\":null}"));

    assertThat(changes.getFirst().after("dominance").get("market_cap_percentage"))
        .asInstanceOf(MAP)
        .containsEntry("odd", null).containsEntry("btc", 56.5);
  }

  @Test
  void entriesInAnotherOrder_areTheSame() {
    source.poll(GLOBAL, dominance("{\"btc\":56.5,\"eth\":12}"));

    assertThat(source.poll(GLOBAL, dominance("{\"eth\":12.0,\"btc\":56.5}"))).isEmpty();
  }

  @Test
  void currencyThatIsAdded_isOneChangeOfTheMarket() {
    source.poll(HISTORY, day("{\"usd\":1,\"eur\":2}"));

    List<ReceivedChange> changes = source.poll(HISTORY, day("{\"usd\":1,\"eur\":2,\"sol\":3}"));

    assertThat(changes.getFirst().facets()).containsExactly("market");
    assertThat(changes.getFirst().after("market").get("current_price"))
        .isEqualTo(Map.of("usd", 1.0, "eur", 2.0, "sol", 3.0));
  }

  @Test
  void dayWithoutAnyData_isKnownByItsName() {
    List<ReceivedChange> changes = source.poll(HISTORY, "{\"id\":\"bitcoin\",\"symbol\":\"btc\",\"name\":\"Bitcoin\"}");

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().facets()).containsExactly("description");
  }

  private static String dominance(String map) {
    return "{\"data\":{\"market_cap_percentage\":" + map + "}}";
  }

  private static String day(String prices) {
    return "{\"id\":\"bitcoin\",\"market_data\":{\"current_price\":" + prices + "}}";
  }
}
