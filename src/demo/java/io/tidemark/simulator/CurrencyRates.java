package io.tidemark.simulator;

import io.tidemark.simulator.TextTable.TableRow;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Exchange rates of all currencies of the interface document at any time. */
final class CurrencyRates {

  /**
   * A currency of the interface document.
   *
   * @param coin coin of which the currency is a unit; null if the currency is not a unit of a coin
   * @param units number of units that cost one US dollar, around which a floating rate moves; for a unit of a coin,
   *     number of units that make up one coin
   * @param walk random walk of the exchange rate; null if the rate is fixed
   */
  private record Currency(@Nullable String coin, double units, @Nullable RandomWalk walk) {}

  private final CoinPrices coins;
  private final MarketSpeed speed;
  private final Map<String, Currency> currencies = new HashMap<>();

  CurrencyRates(StatelessRandom random, CoinPrices coins, MarketSpeed speed) {
    this.coins = coins;
    this.speed = speed;
    TextTable.read("currencies.txt").forEach(row -> currencies.put(row.text(0), currency(row, random)));
  }

  private static Currency currency(TableRow row, StatelessRandom random) {
    boolean floating = row.text(3).equals("floating");
    var walk = floating ? RandomWalk.daily(random.derive(row.text(0)), 3_600, 6, 0.002) : null;
    return new Currency(row.textOrNull(1), row.number(2), walk);
  }

  /** Converts an amount of USD to all currencies. */
  Map<String, Double> of(double usd, long at) {
    var amounts = new TreeMap<String, Double>();
    currencies.forEach((code, currency) -> amounts.put(code, AnswerFormats.number(amount(currency, usd, at))));
    return amounts;
  }

  private double amount(Currency currency, double usd, long at) {
    return currency.coin() == null
        ? usd * rate(currency, at)
        : usd / coins.price(currency.coin(), at) * currency.units();
  }

  private double rate(Currency currency, long at) {
    double factor = currency.walk() == null ? 1 : currency.walk().factor(speed.marketSeconds(at));
    return currency.units() * factor;
  }

  /** Returns the number of units of a currency that cost one US dollar. The currency must not be a unit of a coin. */
  double rate(String code, long at) {
    var currency = currencies.get(code);
    if (currency == null) {
      throw new IllegalArgumentException("no such currency: " + code);
    }
    return rate(currency, at);
  }
}
