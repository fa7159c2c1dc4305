package io.tidemark.simulator;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Coins on spot exchanges. Pairs come and go; some stand still for hours, a few are far off. */
final class SpotOffers {
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

  private final Noise noise;
  private final Pace pace;
  private final Coins coins;
  private final Currencies currencies;
  private final Incident incident;
  private final List<Venue> venues = Venue.all();

  SpotOffers(Noise noise, Pace pace, Coins coins, Currencies currencies, Incident incident) {
    this.noise = noise;
    this.pace = pace;
    this.coins = coins;
    this.currencies = currencies;
    this.incident = incident;
  }

  int markets() {
    return venues.size();
  }

  Stream<Offer> of(Coin coin, long at) {
    return venues.stream().flatMap(venue -> venue.targets().stream()
        .filter(target -> listed(coin, venue, target, at))
        .map(target -> offer(coin, venue, target, at)));
  }

  /** The great are listed everywhere, the small on some exchanges; each pair is taken off for a season now and then. */
  private boolean listed(Coin coin, Venue venue, String target, long at) {
    var own = pair(coin, venue, target);
    double fame = Math.clamp(StrictMath.log10(coin.price() * coin.supply()) - 8.5, 0.3, 3);
    long season = Math.floorDiv(at, pace.real(SEASON));
    return !coin.symbol().equals(target) && own.chance(fame / 3, 0) && !own.of("season").chance(UNLISTED, season);
  }

  private Noise pair(Coin coin, Venue venue, String target) {
    return noise.of(coin.id()).of(venue.id()).of(target);
  }

  private Offer offer(Coin coin, Venue venue, String target, long at) {
    var own = pair(coin, venue, target);
    var looks = new Rhythm(own, 0, Math.max(SHORTEST, pace.real(BEAT)));
    var beats = new Rhythm(own, 0, (long) (looks.period() * own.of("pace").between(1, QUIETEST, 0)));
    long shift = Math.floorDiv(at, pace.real(SHIFT));
    boolean struck = coin.id().equals("bitcoin") && venue.id().equals("kraken") && target.equals("usd");
    boolean stuck = incident.isQuiet()
        ? struck && incident.lasts(Scenario.STALE_TICKER, at)
        : own.of("stuck").chance(STUCK, shift);
    boolean off = !incident.isQuiet() && own.of("off").chance(OFF, shift);
    boolean dear = struck && incident.lasts(Scenario.DISPERSION, at);
    long fetched = looks.time(looks.last(at));
    long beat = beats.last(stuck ? shift * pace.real(SHIFT) : at);
    long traded = beats.time(beat);
    double usd = coins.price(coin.id(), traded) * (1 + SLACK * own.normal(beat)) * (off ? 1.15 : dear ? 1.05 : 1);
    double volumeUsd = coins.volume(coin, traded) * venue.share() / venue.targets().size() * own.between(0.3, 1.7, 1);
    return new Offer(
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
