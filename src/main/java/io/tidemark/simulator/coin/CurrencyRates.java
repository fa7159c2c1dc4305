package io.tidemark.simulator.coin;

import io.tidemark.simulator.generator.AnswerFormats;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.RandomWalk;
import io.tidemark.simulator.generator.StatelessRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Exchange rates of all currencies of the interface document at any time. */
public final class CurrencyRates {
  /** Currencies that are coins. */
  private static final Map<String, String> COINS = Map.ofEntries(
      Map.entry("btc", "bitcoin"),
      Map.entry("eth", "ethereum"),
      Map.entry("ltc", "litecoin"),
      Map.entry("bch", "bitcoin-cash"),
      Map.entry("bnb", "binancecoin"),
      Map.entry("eos", "eos"),
      Map.entry("xrp", "ripple"),
      Map.entry("xlm", "stellar"),
      Map.entry("link", "chainlink"),
      Map.entry("dot", "polkadot"),
      Map.entry("yfi", "yearn-finance"),
      Map.entry("sol", "solana"));

  /** Units that cost one US dollar; the rates wander around these. */
  private static final String RATES = """
      aed 3.6725 ars 1015 aud 1.54 bdt 119.5 bhd 0.3769 brl 5.8 cad 1.39 chf 0.885
      clp 975 cny 7.24 czk 24.1 dkk 7.1 eur 0.951 gbp 0.792 gel 2.74 hkd 7.78
      huf 391 idr 15870 ils 3.72 inr 84.4 jpy 154.2 krw 1396 kwd 0.3076 lkr 291
      mmk 2098 mxn 20.3 myr 4.47 ngn 1665 nok 11.05 nzd 1.7 php 58.8 pkr 278
      pln 4.12 rub 100.5 sar 3.755 sek 11.0 sgd 1.34 thb 34.7 try 34.4 twd 32.5
      uah 41.3 vnd 25400 zar 18.1 xdr 0.76 xag 0.0325 xau 0.000378""";

  private static final Map<String, Double> PEGGED = Map.of("usd", 1.0, "bmd", 1.0, "vef", 0.10013);
  private static final int BITS = 1_000_000;
  private static final int SATS = 100_000_000;

  private final CoinPrices coins;
  private final MarketSpeed speed;
  private final Map<String, Double> rates = new LinkedHashMap<>();
  private final Map<String, RandomWalk> walks = new LinkedHashMap<>();

  public CurrencyRates(StatelessRandom random, CoinPrices coins, MarketSpeed speed) {
    this.coins = coins;
    this.speed = speed;
    var cells = RATES.split("\\s+");
    for (int i = 0; i < cells.length; i += 2) {
      rates.put(cells[i], Double.valueOf(cells[i + 1]));
      walks.put(cells[i], new RandomWalk(random.derive(cells[i]), 3_600, 6, 0.002 / Math.sqrt(86_400)));
    }
  }

  /** An amount of USD in all currencies. */
  Map<String, Double> of(double usd, long at) {
    var amounts = new TreeMap<String, Double>();
    PEGGED.forEach((currency, rate) -> amounts.put(currency, AnswerFormats.number(usd * rate)));
    rates.keySet().forEach(currency -> amounts.put(currency, AnswerFormats.number(usd * rate(currency, at))));
    COINS.forEach((currency, coin) -> amounts.put(currency, AnswerFormats.number(usd / coins.price(coin, at))));
    double btc = usd / coins.price("bitcoin", at);
    amounts.put("bits", AnswerFormats.number(btc * BITS));
    amounts.put("sats", AnswerFormats.number(btc * SATS));
    return amounts;
  }

  /** Units of a state's currency that cost one US dollar. */
  public double rate(String currency, long at) {
    var walk = walks.get(currency);
    return walk == null
        ? PEGGED.getOrDefault(currency, 1.0)
        : rates.getOrDefault(currency, 1.0) * StrictMath.exp(walk.at(speed.marketSeconds(at)));
  }
}
