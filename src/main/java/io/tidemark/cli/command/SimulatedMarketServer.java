package io.tidemark.cli.command;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.http.server.EdgeCache;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.server.MarketServer;
import io.tidemark.http.server.ResponseJournal;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** A made-up market behind the interface on this machine. */
public final class SimulatedMarketServer {

  public static final String LOOPBACK = "127.0.0.1";

  private SimulatedMarketServer() {}

  /** On this machine only. */
  public static MarketServer start(
      int port, @Nullable String key, SimulatorSettings world, SimulatedRefresh periods, ResponseJournal journal) {
    return start(LOOPBACK, port, key, world, periods, journal);
  }

  /** @param key what readers have to send; null for nothing */
  static MarketServer start(
      String address, int port, @Nullable String key, SimulatorSettings world, SimulatedRefresh periods,
      ResponseJournal journal) {
    var clock = InstantSource.system();
    var cache = new EdgeCache(new Simulator(world, clock)::at, periods, FieldNaming.DOCUMENT, clock);
    var routes = new MarketRoutes(
        MarketRoutes.PREFIX, MarketRoutes.KEY_HEADER, sent -> key == null || key.equals(sent), cache, journal, clock);
    try {
      return Objects.requireNonNull(MarketServer.start(address, port, routes).block());
    } catch (RuntimeException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "the simulated market " + Exceptions.unwrap(e).getMessage());
    }
  }
}
