package io.tidemark.simulator.pool;

import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.JitteredSchedule;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.StatelessRandom;
import io.tidemark.simulator.generator.TextTable;
import io.tidemark.simulator.pool.AddressCodec.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fills the catalogue: with what stands in the tables, and with a crowd of small pools on each network. */
public final class PoolCatalogueBuilder {
  private static final Instant DAWN = Instant.parse("2021-05-05T00:00:00Z");
  private static final int FOUNDING_MINUTES = 1_000_000;
  private static final int SMALL = 28;

  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final AddressCodec addresses;
  private final CoinPrices coins;
  private final Incident incident;
  private final TokenValues values;
  private final PoolCatalogue catalogue = new PoolCatalogue();

  public PoolCatalogueBuilder(StatelessRandom random, MarketSpeed speed, AddressCodec addresses, CoinPrices coins,
      Incident incident) {
    this.random = random;
    this.speed = speed;
    this.addresses = addresses;
    this.coins = coins;
    this.incident = incident;
    this.values = new TokenValues(random.derive("fortunes"), coins, speed);
  }

  public PoolCatalogue catalogue(TokenNames names) {
    TextTable.read("exchanges.txt").forEach(row -> catalogue.exchange(Network.of(row.get(0)), row.get(1), row.get(2)));
    TextTable.read("tokens.txt").forEach(this::token);
    TextTable.read("pools.txt").forEach(this::pool);
    for (var network : Network.values()) {
      for (int i = 0; i < SMALL; i++) {
        small(network, random.derive(network.id()).derive(i), names);
      }
    }
    return catalogue;
  }

  private void token(List<String> row) {
    var network = Network.of(row.get(0));
    var coin = TextTable.blank(row.get(5)) ? null : coins.coin(row.get(5));
    String address = TextTable.blank(row.get(2)) ? tokenAddress(network) : row.get(2);
    int decimals = Integer.parseInt(row.get(4));
    double supply = Double.parseDouble(row.get(7));
    var token = new SimulatedToken(network, address, row.get(3), row.get(1), decimals, coin, supply);
    catalogue.token(token, coin == null ? values.independent(token.id(), number(row.get(6))) : values.of(coin));
  }

  private void pool(List<String> row) {
    var network = Network.of(row.get(0));
    var size = new PoolSize(
        number(row.get(6)),
        number(row.get(7)),
        Duration.ofSeconds(Long.parseLong(row.get(8))),
        TextTable.blank(row.get(9)) ? PoolSize.FOR_EVER : Duration.ofDays(Long.parseLong(row.get(9))));
    String fee = TextTable.blank(row.get(4)) ? null : row.get(4);
    var base = catalogue.token(network, row.get(2));
    found(poolAddress(network, row.get(5)), row.get(1), fee, base, catalogue.token(network, row.get(3)), size);
  }

  private void small(Network network, StatelessRandom own, TokenNames names) {
    var name = names.of(own);
    var token = new SimulatedToken(network, tokenAddress(network), name.name(), name.symbol(), 18, null, 1e9);
    catalogue.token(token, values.independent(token.id(), StrictMath.exp(own.between(-14, 1, 10))));
    var block = Duration.ofSeconds(900 + own.intBelow(2_700, 11));
    var size = new PoolSize(StrictMath.exp(own.between(9, 14, 12)), own.between(0.05, 1, 13), block, PoolSize.FOR_EVER);
    var dexes = List.copyOf(catalogue.exchanges(network).keySet());
    String dex = dexes.get(own.chance(0.8, 14) ? 1 : 0);
    found(poolAddress(network, "-"), dex, null, token, catalogue.wrapped(network), size);
  }

  private void found(
      String address, String dex, @Nullable String fee, SimulatedToken base, SimulatedToken quote, PoolSize size) {
    var own = random.derive(address);
    var fair = new EstablishedPoolDynamics(
        own, catalogue.value(base), catalogue.value(quote), size.reserveUsd(), size.turnover(speed),
        incident.isQuiet());
    var origin = DAWN.plus(Duration.ofMinutes(own.intBelow(FOUNDING_MINUTES, -1)));
    var rhythm = new JitteredSchedule(own.derive("rhythm"), origin.toEpochMilli(), size.period(speed));
    var course = incident.affects(base) ? new IncidentDynamics(fair, rhythm, incident) : fair;
    var trades = new TradeHistory(own.derive("tape"), rhythm, size.blocks(speed), course, size.tradeUsd());
    catalogue.pool(new SimulatedPool(address, dex, fee, base, quote, trades, size.traders()));
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
