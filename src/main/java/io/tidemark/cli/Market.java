package io.tidemark.cli;

import io.tidemark.http.EdgeCache;
import io.tidemark.http.Journal;
import io.tidemark.http.MarketServer;
import io.tidemark.http.NameStyle;
import io.tidemark.http.Routes;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** A made-up market behind the interface on this machine. */
final class Market {

  static final String LOOPBACK = "127.0.0.1";

  private Market() {}

  /** On this machine only. */
  static MarketServer start(
      int port, @Nullable String key, SimulatorSettings world, Periods periods, Journal journal) {
    return start(LOOPBACK, port, key, world, periods, journal);
  }

  /** @param key what readers have to send; null for nothing */
  static MarketServer start(
      String address, int port, @Nullable String key, SimulatorSettings world, Periods periods, Journal journal) {
    var clock = InstantSource.system();
    var cache = new EdgeCache(new Simulator(world, clock)::at, periods, NameStyle.DOCUMENT, clock);
    var routes = new Routes(
        Routes.PREFIX, Routes.KEY_HEADER, sent -> key == null || key.equals(sent), cache, journal, clock);
    try {
      return Objects.requireNonNull(MarketServer.start(address, port, routes).block());
    } catch (RuntimeException e) {
      throw new Failed(Failed.FOUND_WRONG, "the simulated market " + Exceptions.unwrap(e).getMessage());
    }
  }
}
