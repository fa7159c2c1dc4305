package io.tidemark.simulator;

import io.tidemark.simulator.TextTable.TableRow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contracts that an exchange lists. Each series of dated contracts has the contracts of the next two expiries and,
 * for one more period, the contract that expired last. Perpetual contracts of small coins are listed and delisted.
 */
record ContractListing(StatelessRandom random, MarketSpeed speed) {

  /**
   * The terms of a contract, which never change.
   *
   * @param expiry time of expiry in epoch milliseconds; null if the contract is perpetual
   */
  record ContractTerms(DerivativesVenue venue, SimulatedCoin coin, String symbol, @Nullable Long expiry) {
    boolean isPerpetual() {
      return expiry == null;
    }

    boolean isExpired(long at) {
      return expiry != null && expiry <= at;
    }
  }

  /** Epoch milliseconds of 08:00 UTC on the Friday from which the expiries of all series are counted. */
  private static final long FRIDAY = Duration.ofDays(1).plusHours(8).toMillis();

  private static final Duration LISTING = Duration.ofDays(10);
  private static final int ALWAYS_LISTED = 4;
  private static final int COINS_WITH_DATED = 2;
  private static final double UNLISTED = 0.1;
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("ddMMMyy", Locale.ROOT);
  private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("ddMMMyy-HHmm", Locale.ROOT);

  List<ContractTerms> contracts(DerivativesVenue venue, long at) {
    return Stream.concat(perpetual(venue, at), dated(venue, at)).toList();
  }

  private Stream<ContractTerms> perpetual(DerivativesVenue venue, long at) {
    long period = Math.floorDiv(at, speed.realMillis(LISTING));
    var free = SimulatedCoin.ALL.stream().filter(coin -> !coin.isStable()).toList();
    return free.stream()
        .limit(venue.coins())
        .filter(coin -> free.indexOf(coin) < ALWAYS_LISTED
            || !random.derive(venue.id()).derive(coin.id()).chance(UNLISTED, period))
        .map(coin -> new ContractTerms(venue, coin, symbol(venue.perpetual(), coin), null));
  }

  private Stream<ContractTerms> dated(DerivativesVenue venue, long at) {
    return SimulatedCoin.ALL.stream()
        .filter(coin -> !coin.isStable())
        .limit(COINS_WITH_DATED)
        .flatMap(coin -> expiries(venue, at).mapToObj(expiry -> dated(venue, coin, expiry)));
  }

  private LongStream expiries(DerivativesVenue venue, long at) {
    return venue.series().stream()
        .map(speed::realMillis)
        .flatMapToLong(period -> LongStream.rangeClosed(0, 2)
            .map(ahead -> FRIDAY + (Math.floorDiv(at - FRIDAY, period) + ahead) * period))
        .distinct();
  }

  private static ContractTerms dated(DerivativesVenue venue, SimulatedCoin coin, long expiry) {
    var time = Instant.ofEpochMilli(expiry).atOffset(ZoneOffset.UTC);
    var pattern = expiry % Duration.ofDays(1).toMillis() == Duration.ofHours(8).toMillis() ? DAY : MINUTE;
    String date = Objects.requireNonNull(pattern.format(time)).toUpperCase(Locale.ROOT);
    return new ContractTerms(venue, coin, symbol(venue.dated(), coin) + date, expiry);
  }

  private static String symbol(String pattern, SimulatedCoin coin) {
    return pattern.replace("%s", coin.symbol().toUpperCase(Locale.ROOT));
  }

  /**
   * A derivatives exchange of the simulated market.
   *
   * @param share approximate ratio of the open interest of a coin's perpetual contract on the exchange to the market
   *     capitalisation of the coin
   * @param coins maximum number of coins with perpetual contracts on the exchange, some of which may be delisted: the
   *     first ones of {@link SimulatedCoin#ALL} without the stable coins
   * @param perpetual pattern of the symbols of perpetual contracts
   * @param dated pattern of the symbols of dated contracts, without the date
   * @param series market time between expiries, for each series of dated contracts
   */
  record DerivativesVenue(
      String id, String name, @Nullable Long year, @Nullable String country, double share, int coins, String perpetual,
      String dated, List<Duration> series) {
    private static final double DAY_MINUTES = 24 * 60;

    /** Returns all exchanges by their ids. */
    static Map<String, DerivativesVenue> all() {
      return TextTable.read("derivatives.txt").stream()
          .map(DerivativesVenue::of)
          .collect(Collectors.toMap(DerivativesVenue::id, Function.identity()));
    }

    private static DerivativesVenue of(TableRow row) {
      return new DerivativesVenue(
          row.text(0), row.text(1), row.longOrNull(2), row.textOrNull(3), row.number(4), (int) row.number(5),
          row.text(6), row.text(7), row.texts(8).stream().map(DerivativesVenue::days).toList());
    }

    private static Duration days(String text) {
      return Duration.ofMinutes(Math.round(DAY_MINUTES * Double.parseDouble(text)));
    }
  }
}
