package io.tidemark.simulator;

import io.tidemark.simulator.CoinTickersOperation.TickerFigures;

import io.tidemark.simulator.TextTable.TableRow;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Tickers of coins on spot exchanges. Pairs are listed and delisted. Some pairs are stale for hours, and a few pairs
 * are anomalous.
 *
 * @param quiet whether pairs are stale or anomalous only in an incident
 * @param staleTicker incident in which one pair is stale
 * @param dispersion incident in which one pair costs more than all others
 */
record SpotTickers(
    StatelessRandom random, MarketSpeed speed, CoinPrices coins, CurrencyRates currencies, boolean quiet,
    Incident staleTicker, Incident dispersion) {

  /**
   * An exchange on which coins are traded.
   *
   * @param share share of the exchange in the volume of each coin
   * @param targets currencies for which coins are traded on the exchange
   */
  private record SpotExchange(String id, String name, double share, List<String> targets) {
    static SpotExchange of(TableRow row) {
      return new SpotExchange(row.text(0), row.text(1), row.number(2), row.texts(3));
    }
  }

  private static final Map<String, String> TARGET_COINS =
      Map.of("usdt", "tether", "usdc", "usd-coin", "btc", "bitcoin", "eth", "ethereum");

  private static final Duration FETCH = Duration.ofMinutes(1);
  private static final long SHORTEST_FETCH = 4_000;

  /** Maximum period of the trades of a pair, as a multiple of the period in which the service fetches its ticker. */
  private static final double LONGEST_TRADE = 25;

  private static final Duration LISTING = Duration.ofDays(7);
  private static final double UNLISTED = 0.03;

  /** Market time for which a pair stays stale, stays anomalous, or stays without a fault. */
  private static final Duration FAULT = Duration.ofHours(6);
  private static final double STALE = 0.01;
  private static final double ANOMALOUS = 0.005;

  private static final double DEVIATION = 0.0006;

  private static final List<SpotExchange> EXCHANGES =
      TextTable.read("venues.txt").stream().map(SpotExchange::of).toList();

  int markets() {
    return EXCHANGES.size();
  }

  Stream<TickerFigures> of(SimulatedCoin coin, long at) {
    return EXCHANGES.stream().flatMap(exchange -> exchange.targets().stream()
        .filter(target -> isListed(coin, exchange, target, at))
        .map(target -> figures(coin, exchange, target, at)));
  }

  /**
   * Returns whether a pair is listed. Large coins are listed on all exchanges, small ones on some. Each pair is
   * delisted for a period now and then.
   */
  private boolean isListed(SimulatedCoin coin, SpotExchange exchange, String target, long at) {
    var own = pair(coin, exchange, target);
    double weight = Math.clamp(StrictMath.log10(coin.price() * coin.supply()) - 8.5, 0.3, 3);
    long period = Math.floorDiv(at, speed.realMillis(LISTING));
    return !coin.symbol().equals(target) && own.chance(weight / 3, 0) && !own.derive("season").chance(UNLISTED, period);
  }

  private StatelessRandom pair(SimulatedCoin coin, SpotExchange exchange, String target) {
    return random.derive(coin.id()).derive(exchange.id()).derive(target);
  }

  private TickerFigures figures(SimulatedCoin coin, SpotExchange exchange, String target, long at) {
    var own = pair(coin, exchange, target);
    boolean affected = coin.id().equals("bitcoin") && exchange.id().equals("kraken") && target.equals("usd");
    long period = Math.floorDiv(at, speed.realMillis(FAULT));
    boolean stale = quiet ? affected && staleTicker.isOngoing(at) : own.derive("stuck").chance(STALE, period);
    boolean anomaly = !quiet && own.derive("off").chance(ANOMALOUS, period);
    double factor = anomaly ? 1.15 : affected && dispersion.isOngoing(at) ? 1.05 : 1;
    var fetches = new JitteredSchedule(own, 0, Math.max(SHORTEST_FETCH, speed.realMillis(FETCH)));
    var trades =
        new JitteredSchedule(own, 0, (long) (fetches.period() * own.derive("pace").between(1, LONGEST_TRADE, 0)));
    long trade = trades.numberAt(stale ? period * speed.realMillis(FAULT) : at);
    long traded = trades.timeOf(trade);
    double usd = coins.price(coin.id(), traded) * (1 + DEVIATION * own.normal(trade)) * factor;
    double volumeUsd =
        coins.volume(coin, traded) * exchange.share() / exchange.targets().size() * own.between(0.3, 1.7, 1);
    return new TickerFigures(
        exchange.id(), exchange.name(), coin.symbol().toUpperCase(Locale.ROOT), target.toUpperCase(Locale.ROOT),
        TARGET_COINS.get(target), usd, targetUsd(target, traded), volumeUsd / usd, own.between(0.01, 0.08, ~trade),
        Math.min(volumeUsd, StrictMath.pow(volumeUsd, 0.8)) * own.between(0.7, 1.3, trade), traded,
        fetches.timeOf(fetches.numberAt(at)), stale, anomaly);
  }

  private double targetUsd(String target, long at) {
    String coin = TARGET_COINS.get(target);
    return coin == null ? 1 / currencies.rate(target, at) : coins.price(coin, at);
  }
}
