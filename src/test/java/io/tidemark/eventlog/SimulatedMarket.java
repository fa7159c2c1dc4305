package io.tidemark.eventlog;

import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Operation;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.MemoryResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;

/** A simulated market over HTTP, with edge caches that fill at different times; it records every body that it sends. */
final class SimulatedMarket implements AutoCloseable {
  /** Different intervals, so that caches disagree and some answers are older than what is known. */
  static final Map<Operation, Duration> REFRESH = Map.ofEntries(
      Map.entry(Operation.TOKEN, Duration.ofMillis(2_500)),
      Map.entry(Operation.POOL, Duration.ofSeconds(2)),
      Map.entry(Operation.DEX_POOLS, Duration.ofSeconds(3)),
      Map.entry(Operation.TRENDING_POOLS, Duration.ofSeconds(4)),
      Map.entry(Operation.NEW_POOLS, Duration.ofSeconds(2)),
      Map.entry(Operation.SEARCH_POOLS, Duration.ofSeconds(7)),
      Map.entry(Operation.TOKEN_POOLS, Duration.ofSeconds(6)),
      Map.entry(Operation.GLOBAL, Duration.ofSeconds(3)),
      Map.entry(Operation.COIN_HISTORY, Duration.ofSeconds(3)),
      Map.entry(Operation.COIN_TICKERS, Duration.ofSeconds(3)),
      Map.entry(Operation.DERIVATIVES_EXCHANGE, Duration.ofSeconds(2)),
      Map.entry(Operation.TREASURY, Duration.ofSeconds(3)),
      Map.entry(Operation.ASSET_PLATFORMS, Duration.ofSeconds(4)));

  private final MemoryResponseJournal journal = new MemoryResponseJournal();
  private final MarketServer server;

  SimulatedMarket(Scenario scenario, double speed) {
    this(new SimulatorSettings(7, scenario, speed), InstantSource.system());
  }

  /** @param clock the service's clock */
  SimulatedMarket(SimulatorSettings settings, InstantSource clock) {
    var market = new Simulator(settings, clock);
    var cache = new EdgeCache(
        market::at, operation -> Objects.requireNonNull(REFRESH.get(operation)), FieldNaming.DOCUMENT, clock);
    var routes = new SimulatedRoutes(key -> true, cache, journal, clock);
    server = Objects.requireNonNull(MarketServer.start("127.0.0.1", 0, routes).block());
  }

  URI baseUrl() {
    return server.baseUrl();
  }

  Bodies bodies() {
    return Bodies.of(journal.all());
  }

  @Override
  public void close() {
    server.close();
  }
}
