package io.tidemark.law;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.law.Upstream.Response;
import io.tidemark.market.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service's own timestamps: answers of caches that are behind, and answers without a timestamp. */
class TimeQuirksTest {
  private static final Query<?> TICKERS = Endpoints.parseTarget("/coins/bitcoin/tickers");
  private static final Query<?> EXCHANGE =
      Endpoints.parseTarget("/derivatives/exchanges/binance_futures?include_tickers=all");
  private static final String YESTERDAY = "\"2026-10-03T18:00:00+00:00\"";

  private final PolledSource source = PolledSource.everything();

  @Test
  void ownTimeThatIsMissingForOnce_doesNotMakeTheNextOneOld() {
    source.poll(TICKERS, ticker(1, YESTERDAY));
    source.poll(TICKERS, ticker(2, "null"));

    List<ReceivedChange> changes = source.poll(TICKERS, ticker(3, YESTERDAY));

    assertThat(changes).singleElement()
        .satisfies(changed -> assertThat(changed.facets()).containsExactly("times", "volume"));
    assertThat(source.changeSet.targetState().getRejections()).isEmpty();
  }

  @Test
  void ownTimeThatGoesBack_isRefused_andCounted() {
    source.poll(TICKERS, ticker(1, "\"2026-10-04T18:00:00+00:00\""));

    List<ReceivedChange> changes = source.poll(TICKERS, ticker(2, YESTERDAY));

    assertThat(changes).isEmpty();
    assertThat(source.changeSet.targetState().getRejections()).isNotEmpty();
  }

  @Test
  void lastTradeThatGoesBack_doesNotFreezeTheContract() {
    source.poll(EXCHANGE, contract("0.01", PolledSource.START.minusSeconds(60)));

    List<ReceivedChange> changes =
        source.poll(EXCHANGE, contract("0.02", PolledSource.START.minusSeconds(60).minus(Duration.ofHours(3))));

    assertThat(changes).singleElement()
        .satisfies(changed -> assertThat(changed.facets()).contains("times").hasSize(2));
    assertThat(source.changeSet.targetState().getRejections()).isEmpty();
  }

  @Test
  void contractOfACacheThatIsBehind_isRejected_evenIfItsLastTradeIsLater() {
    source.poll(EXCHANGE, Response.of(contract("0.01", PolledSource.START.minusSeconds(60))).with("Age", "0"));

    List<ReceivedChange> changes = source.poll(
        EXCHANGE, Response.of(contract("0.02", PolledSource.START.minusSeconds(30))).with("Age", "300"));

    assertThat(changes).isEmpty();
    assertThat(source.changeSet.targetState().getRejections()).isNotEmpty();
  }

  @Test
  void ageOfACache_isRejected_whereItGoesBack() {
    source.poll(TICKERS, Response.of(ticker(1, "null")).with("Age", "0"));

    List<ReceivedChange> changes = source.poll(TICKERS, Response.of(ticker(2, "null")).with("Age", "300"));

    assertThat(changes).isEmpty();
    assertThat(source.poll(TICKERS, Response.of(ticker(3, "null")).with("Age", "0"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"+300000000-01-01T00:00:00Z", "-999999999-01-01T00:00:00Z"})
  void timeBeyondAllCalendars_isKeptAsText(String time) {
    List<ReceivedChange> tickers = source.poll(TICKERS, ticker(1, "\"" + time + "\""));
    List<ReceivedChange> pools = source.poll(PoolBodies.POOL, """
        {"data":{"id":"eth_0xa","type":"pool","attributes":{"address":"0xa","pool_created_at":"%s"}}}"""
        .formatted(time));

    assertThat(tickers).hasSize(1);
    assertThat(pools).hasSize(1);
  }

  private static String contract(String fundingRate, Instant lastTraded) {
    return """
        {"name":"Binance","tickers":[{"symbol":"BTCUSDT","funding_rate":%s,"last_traded":%d}]}"""
        .formatted(fundingRate, lastTraded.getEpochSecond());
  }

  private static String ticker(int volume, String lastFetchAt) {
    return """
        {"tickers":[{"base":"BTC","target":"USDT","market":{"identifier":"binance"},"volume":%d,"last_fetch_at":%s}]}"""
        .formatted(volume, lastFetchAt);
  }
}
