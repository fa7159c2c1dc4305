package io.tidemark.law;

import static io.tidemark.law.PoolBodies.POOL;
import static io.tidemark.law.PoolBodies.one;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.PoolChange;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Query;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unusual numbers that the real service sends. */
class NumberQuirksTest {
  private static final String PRICE = "base_token_price_usd";
  private static final Query<?> TICKERS = Endpoints.parseTarget("/coins/bitcoin/tickers");
  private static final Query<?> HISTORY = Endpoints.parseTarget("/coins/bitcoin/history?date=01-10-2026");
  private static final Query<?> EXCHANGE = Endpoints.parseTarget("/derivatives/exchanges/bybit");

  private final PolledSource source = PolledSource.everything();

  @ParameterizedTest
  @ValueSource(strings = {
    "NaN", "", "0.0", "-0", "1.95378e-05", "2.70016521312815e+15", "1.10", "abc", "Infinity", "1e400000",
    "0.0000566673284218277368707532612867396024960039002528290815078515286",
    "1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890.5"})
  void decimal_isKeptDigitForDigit(String decimal) {
    source.poll(POOL, one("\"" + PRICE + "\":\"1.0\""));

    List<ReceivedChange> changes = source.poll(POOL, one("\"" + PRICE + "\":\"" + decimal + "\""));

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().after("price")).containsEntry(PRICE, decimal);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1.10", "2.70016521312815e+15", "0", "-0.0", "1e400000", "12345678901234567890.12345678901234567890"})
  void numberWhereAStringIsDue_keepsItsDigits(String number) {
    source.poll(POOL, one("\"" + PRICE + "\":\"1.0\""));

    List<ReceivedChange> changes = source.poll(POOL, one("\"" + PRICE + "\":" + number));

    assertThat(changes.getFirst().after("price")).containsEntry(PRICE, number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"NaN\"", "null", "\"0.0\"", "\"abc\"", "\"1e400000\""})
  void moveFromWhatIsNoFigure_isNoFigure(String before) {
    source.poll(POOL, one("\"" + PRICE + "\":" + before + ",\"base_token_price_native_currency\":\"1\""));

    PoolChange change = (PoolChange) source.poll(POOL, one("\"" + PRICE + "\":\"2.0\"")).getFirst().change();

    assertThat(change.getPrice().getMovePercent()).isNull();
    assertThat(change.getAbout().getPriceUsd()).isEqualTo(2.0);
  }

  @Test
  void nullPriceBesideOthers_isOneChangeOfThePrice() {
    source.poll(POOL, one("\"base_token_price_quote_token\":\"3.5\",\"fdv_usd\":null"));

    List<ReceivedChange> changes = source.poll(POOL, one("\"base_token_price_quote_token\":null,\"fdv_usd\":null"));

    assertThat(changes).hasSize(1);
    assertThat(changes.getFirst().facets()).containsExactly("price");
    assertThat(changes.getFirst().after("price")).isEmpty();
  }

  @Test
  void wholeNumber_changesWithAFraction_notWithATrailingZero() {
    source.poll(TICKERS, ticker("\"volume\":4812"));

    assertThat(source.poll(TICKERS, ticker("\"volume\":4812.0"))).isEmpty();
    List<ReceivedChange> changes = source.poll(TICKERS, ticker("\"volume\":4812.7"));

    assertThat(changes.getFirst().before("volume")).containsEntry("volume", 4812.0);
    assertThat(changes.getFirst().after("volume")).containsEntry("volume", 4812.7);
  }

  @Test
  void stringWhereANumberIsDue_isRead_andKeptWhereItIsNone() {
    source.poll(HISTORY, community("14074"));

    assertThat(source.poll(HISTORY, community("\"14074.0\""))).isEmpty();
    List<ReceivedChange> changes = source.poll(HISTORY, community("\"many\""));

    assertThat(changes.getFirst().facets()).containsExactly("community", "extra");
    assertThat(changes.getFirst().after("community")).isEmpty();
    assertThat(changes.getFirst().after("extra"))
        .containsEntry("json", "{\"community_data\":{\"reddit_accounts_active_48h\":\"many\"}}");
  }

  @Test
  void numberBeyondDouble_isKeptAndNullInItsPlace() {
    source.poll(TICKERS, ticker("\"volume\":1"));

    List<ReceivedChange> changes = source.poll(TICKERS, ticker("\"volume\":1e400000"));

    assertThat(changes.getFirst().after("volume")).isEmpty();
    assertThat(changes.getFirst().after("extra")).containsEntry("json", "{\"volume\":1e400000}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"512.5", "9223372036854775808", "1e400000", "true", "\"many\"", "[]"})
  void whatIsNoWholeNumberWhereOneIsDue_isKeptAndNullInItsPlace(String number) {
    source.poll(EXCHANGE, "{\"number_of_futures_pairs\":512}");

    List<ReceivedChange> changes = source.poll(EXCHANGE, "{\"number_of_futures_pairs\":" + number + "}");

    assertThat(changes.getFirst().facets()).containsExactly("extra", "listings");
    assertThat(changes.getFirst().after("listings")).isEmpty();
    assertThat(changes.getFirst().after("extra")).containsEntry("json", "{\"number_of_futures_pairs\":" + number + "}");
  }

  @Test
  void volumeAsANumber_isTheSameAsAString() {
    source.poll(EXCHANGE, "{\"trade_volume_24h_btc\":\"703120.50\",\"open_interest_btc\":251113}");

    assertThat(source.poll(EXCHANGE, "{\"trade_volume_24h_btc\":703120.50,\"open_interest_btc\":251113.0}")).isEmpty();
  }

  @Test
  void numberOfThousandsOfDigitsThatNobodyDocumented_isKept() {
    String number = "9".repeat(1500);
    source.poll(EXCHANGE, "{\"a\":1}");

    List<ReceivedChange> changes = source.poll(EXCHANGE, "{\"b\":" + number + "}");

    assertThat(changes.getFirst().after("extra")).isEqualTo(Map.of("json", "{\"a\":1,\"b\":" + number + "}"));
  }

  private static String ticker(String more) {
    return """
        {"name":"Bitcoin","tickers":[{"base":"BTC","target":"USDT","market":{"identifier":"binance"},%s}]}"""
        .formatted(more);
  }

  private static String community(String active) {
    return "{\"id\":\"bitcoin\",\"community_data\":{\"reddit_accounts_active_48h\":" + active + "}}";
  }
}
