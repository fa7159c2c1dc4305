package io.tidemark.simulator.exchange;

import io.tidemark.simulator.coin.Coin;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.StatelessRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Which contracts an exchange lists: of every series the next two expiries, and for one more period the last that is
 * over. Perpetual ones of lesser coins come and go.
 */
final class ContractListing {
  /** 08:00 UTC of a Friday, from which series are counted. */
  private static final long FRIDAY = Duration.ofDays(1).plusHours(8).toMillis();

  private static final Duration SEASON = Duration.ofDays(10);
  private static final int ALWAYS = 4;
  private static final int DATED = 2;
  private static final double UNLISTED = 0.1;
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("ddMMMyy", Locale.ROOT);
  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("ddMMMyy-HHmm", Locale.ROOT);

  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final CoinPrices coins;

  ContractListing(StatelessRandom random, MarketSpeed speed, CoinPrices coins) {
    this.random = random;
    this.speed = speed;
    this.coins = coins;
  }

  List<ContractTerms> contracts(DerivativesVenue venue, long at) {
    return Stream.concat(perpetual(venue, at), dated(venue, at)).toList();
  }

  private Stream<ContractTerms> perpetual(DerivativesVenue venue, long at) {
    long season = Math.floorDiv(at, speed.realMillis(SEASON));
    var free = coins.all().stream().filter(coin -> !CoinPrices.stable(coin)).toList();
    return free.stream()
        .limit(venue.coins())
        .filter(coin -> free.indexOf(coin) < ALWAYS
            || !random.derive(venue.id()).derive(coin.id()).chance(UNLISTED, season))
        .map(coin -> new ContractTerms(venue, coin, symbol(venue.perpetual(), coin), null));
  }

  private Stream<ContractTerms> dated(DerivativesVenue venue, long at) {
    return coins.all().stream()
        .filter(coin -> !CoinPrices.stable(coin))
        .limit(DATED)
        .flatMap(coin -> expiries(venue, at).mapToObj(expiry -> dated(venue, coin, expiry)));
  }

  private LongStream expiries(DerivativesVenue venue, long at) {
    return venue.series().stream()
        .map(speed::realMillis)
        .flatMapToLong(period -> LongStream.rangeClosed(0, 2)
            .map(ahead -> FRIDAY + (Math.floorDiv(at - FRIDAY, period) + ahead) * period))
        .distinct();
  }

  private static ContractTerms dated(DerivativesVenue venue, Coin coin, long expiry) {
    var time = Instant.ofEpochMilli(expiry).atOffset(ZoneOffset.UTC);
    var pattern = expiry % Duration.ofDays(1).toMillis() == Duration.ofHours(8).toMillis() ? DAY : MINUTE;
    String date = Objects.requireNonNull(pattern.format(time)).toUpperCase(Locale.ROOT);
    return new ContractTerms(venue, coin, symbol(venue.dated(), coin) + date, expiry);
  }

  private static String symbol(String pattern, Coin coin) {
    return pattern.replace("%s", coin.symbol().toUpperCase(Locale.ROOT));
  }
}
