package io.tidemark.simulator.exchange;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.coin.Coin;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.coin.CurrencyRates;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.JitteredSchedule;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.StatelessRandom;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Coins on spot exchanges. Pairs come and go; some stand still for hours, a few are far off. */
public final class SpotOffers {
  private static final Map<String, String> COINS =
      Map.of("usdt", "tether", "usdc", "usd-coin", "btc", "bitcoin", "eth", "ethereum");
  private static final Duration BEAT = Duration.ofMinutes(1);

  /** Some pairs are traded so many times less often than others. */
  private static final double QUIETEST = 25;
  private static final long SHORTEST = 4_000;
  private static final Duration SEASON = Duration.ofDays(7);
  private static final Duration SHIFT = Duration.ofHours(6);
  private static final double UNLISTED = 0.03;
  private static final double STUCK = 0.01;
  private static final double OFF = 0.005;
  private static final double SLACK = 0.0006;

  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final CoinPrices coins;
  private final CurrencyRates currencies;
  private final Incident incident;
  private final List<SpotExchange> venues = SpotExchange.all();

  public SpotOffers(StatelessRandom random, MarketSpeed speed, CoinPrices coins, CurrencyRates currencies,
      Incident incident) {
    this.random = random;
    this.speed = speed;
    this.coins = coins;
    this.currencies = currencies;
    this.incident = incident;
  }

  public int markets() {
    return venues.size();
  }

  Stream<TickerOffer> of(Coin coin, long at) {
    return venues.stream().flatMap(venue -> venue.targets().stream()
        .filter(target -> listed(coin, venue, target, at))
        .map(target -> offer(coin, venue, target, at)));
  }

  /** The great are listed everywhere, the small on some exchanges; each pair is taken off for a season now and then. */
  private boolean listed(Coin coin, SpotExchange venue, String target, long at) {
    var own = pair(coin, venue, target);
    double fame = Math.clamp(StrictMath.log10(coin.price() * coin.supply()) - 8.5, 0.3, 3);
    long season = Math.floorDiv(at, speed.realMillis(SEASON));
    return !coin.symbol().equals(target) && own.chance(fame / 3, 0) && !own.derive("season").chance(UNLISTED, season);
  }

  private StatelessRandom pair(Coin coin, SpotExchange venue, String target) {
    return random.derive(coin.id()).derive(venue.id()).derive(target);
  }

  private TickerOffer offer(Coin coin, SpotExchange venue, String target, long at) {
    var own = pair(coin, venue, target);
    var looks = new JitteredSchedule(own, 0, Math.max(SHORTEST, speed.realMillis(BEAT)));
    var beats = new JitteredSchedule(own, 0, (long) (looks.period() * own.derive("pace").between(1, QUIETEST, 0)));
    long shift = Math.floorDiv(at, speed.realMillis(SHIFT));
    boolean affected = coin.id().equals("bitcoin") && venue.id().equals("kraken") && target.equals("usd");
    boolean stuck = incident.isQuiet()
        ? affected && incident.isOngoing(Scenario.STALE_TICKER, at)
        : own.derive("stuck").chance(STUCK, shift);
    boolean off = !incident.isQuiet() && own.derive("off").chance(OFF, shift);
    boolean dear = affected && incident.isOngoing(Scenario.DISPERSION, at);
    long fetched = looks.timeOf(looks.numberAt(at));
    long beat = beats.numberAt(stuck ? shift * speed.realMillis(SHIFT) : at);
    long traded = beats.timeOf(beat);
    double usd = coins.price(coin.id(), traded) * (1 + SLACK * own.normal(beat)) * (off ? 1.15 : dear ? 1.05 : 1);
    double volumeUsd = coins.volume(coin, traded) * venue.share() / venue.targets().size() * own.between(0.3, 1.7, 1);
    return new TickerOffer(
        venue.id(),
        venue.name(),
        coin.symbol().toUpperCase(Locale.ROOT),
        target.toUpperCase(Locale.ROOT),
        COINS.get(target),
        usd,
        targetUsd(target, traded),
        volumeUsd / usd,
        own.between(0.01, 0.08, ~beat),
        Math.min(volumeUsd, StrictMath.pow(volumeUsd, 0.8)) * own.between(0.7, 1.3, beat),
        traded,
        fetched,
        stuck,
        off);
  }

  private double targetUsd(String target, long at) {
    String coin = COINS.get(target);
    return coin == null ? 1 / currencies.rate(target, at) : coins.price(coin, at);
  }
}
