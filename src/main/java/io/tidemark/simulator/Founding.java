package io.tidemark.simulator;

import io.tidemark.simulator.Addresses.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills the catalogue: with what stands in the tables, and with a crowd of small pools on each network. */
final class Founding {
  private static final Instant DAWN = Instant.parse("2021-05-05T00:00:00Z");
  private static final int FOUNDING_MINUTES = 1_000_000;
  private static final int SMALL = 28;

  private final Noise noise;
  private final Pace pace;
  private final Addresses addresses;
  private final Coins coins;
  private final Incident incident;
  private final Worths worths;
  private final Catalogue catalogue = new Catalogue();

  Founding(Noise noise, Pace pace, Addresses addresses, Coins coins, Incident incident) {
    this.noise = noise;
    this.pace = pace;
    this.addresses = addresses;
    this.coins = coins;
    this.incident = incident;
    this.worths = new Worths(noise.of("fortunes"), coins, pace);
  }

  Catalogue catalogue(Names names) {
    Table.read("exchanges.txt").forEach(row -> catalogue.exchange(Network.of(row.get(0)), row.get(1), row.get(2)));
    Table.read("tokens.txt").forEach(this::token);
    Table.read("pools.txt").forEach(this::pool);
    for (var network : Network.values()) {
      for (int i = 0; i < SMALL; i++) {
        small(network, noise.of(network.id()).of(i), names);
      }
    }
    return catalogue;
  }

  private void token(List<String> row) {
    var network = Network.of(row.get(0));
    var coin = Table.blank(row.get(5)) ? null : coins.coin(row.get(5));
    String address = Table.blank(row.get(2)) ? tokenAddress(network) : row.get(2);
    int decimals = Integer.parseInt(row.get(4));
    double supply = Double.parseDouble(row.get(7));
    var token = new TokenFacts(network, address, row.get(3), row.get(1), decimals, coin, supply);
    catalogue.token(token, coin == null ? worths.fortune(token.id(), number(row.get(6))) : worths.of(coin));
  }

  private void pool(List<String> row) {
    var network = Network.of(row.get(0));
    var size = new PoolSize(
        number(row.get(6)),
        number(row.get(7)),
        Duration.ofSeconds(Long.parseLong(row.get(8))),
        Table.blank(row.get(9)) ? PoolSize.FOR_EVER : Duration.ofDays(Long.parseLong(row.get(9))));
    String fee = Table.blank(row.get(4)) ? null : row.get(4);
    var base = catalogue.token(network, row.get(2));
    found(poolAddress(network, row.get(5)), row.get(1), fee, base, catalogue.token(network, row.get(3)), size);
  }

  private void small(Network network, Noise own, Names names) {
    var name = names.of(own);
    var token = new TokenFacts(network, tokenAddress(network), name.name(), name.symbol(), 18, null, 1e9);
    catalogue.token(token, worths.fortune(token.id(), StrictMath.exp(own.between(-14, 1, 10))));
    var block = Duration.ofSeconds(900 + own.below(2_700, 11));
    var size = new PoolSize(StrictMath.exp(own.between(9, 14, 12)), own.between(0.05, 1, 13), block, PoolSize.FOR_EVER);
    var dexes = List.copyOf(catalogue.exchanges(network).keySet());
    String dex = dexes.get(own.chance(0.8, 14) ? 1 : 0);
    found(poolAddress(network, "-"), dex, null, token, catalogue.wrapped(network), size);
  }

  private void found(
      String address, String dex, @Nullable String fee, TokenFacts base, TokenFacts quote, PoolSize size) {
    var own = noise.of(address);
    var fair = new FairCourse(
        own, catalogue.worth(base), catalogue.worth(quote), size.reserveUsd(), size.turnover(pace), incident.isQuiet());
    var origin = DAWN.plus(Duration.ofMinutes(own.below(FOUNDING_MINUTES, -1)));
    var rhythm = new Rhythm(own.of("rhythm"), origin.toEpochMilli(), size.period(pace));
    var course = incident.strikes(base) ? new StruckCourse(fair, rhythm, incident) : fair;
    var tape = new Tape(own.of("tape"), rhythm, size.blocks(pace), course, size.tradeUsd());
    catalogue.pool(new PoolFacts(address, dex, fee, base, quote, tape, size.traders()));
  }

  private String tokenAddress(Network network) {
    return addresses.address(network, Kind.TOKEN, catalogue.tokens(network).size());
  }

  private String poolAddress(Network network, String cell) {
    long number = catalogue.pools(network).size();
    return switch (cell) {
      case "-" -> addresses.address(network, Kind.POOL, number);
      case "id" -> addresses.poolId(network, number);
      default -> cell;
    };
  }

  private static double number(String cell) {
    return Double.parseDouble(cell);
  }
}
