package io.tidemark.cli.demo;

import io.tidemark.app.CommandFailure;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Operation;
import io.tidemark.market.RefreshRate;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache;
import io.tidemark.simulator.server.EdgeCache.CacheRefresh;
import io.tidemark.simulator.server.KeyAccounts;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/** A factory of HTTP servers for a simulated market in this process. */
public final class SimulatedMarketServer {

  public static final String LOOPBACK = "127.0.0.1";

  private static final Duration SHORTEST_REFRESH = Duration.ofSeconds(1);

  private SimulatedMarketServer() {}

  /** Starts a server over a simulated market, behind a cache that is filled on a schedule. */
  public static MarketServer start(
      String address,
      int port,
      @Nullable String key,
      SimulatorSettings settings,
      Function<Operation, Duration> refresh,
      ResponseJournal journal) {
    return start(address, port, accounts(key), settings, CacheRefresh.ON_SCHEDULE, refresh, journal);
  }

  /**
   * Starts a server over a simulated market.
   *
   * @param accounts accounts of the API keys, one of which every request must carry; null if no key is needed
   * @param refresh returns the period in which the service refreshes an operation
   */
  public static MarketServer start(
      String address,
      int port,
      @Nullable KeyAccounts accounts,
      SimulatorSettings settings,
      CacheRefresh kind,
      Function<Operation, Duration> refresh,
      ResponseJournal journal) {
    var clock = InstantSource.system();
    var cache = new EdgeCache(kind, new Simulator(settings, clock)::at, refresh, FieldNaming.DOCUMENT, clock);
    var routes = accounts == null
        ? new SimulatedRoutes(any -> true, cache, journal, clock)
        : accounts.routes(cache, journal);
    try {
      return Objects.requireNonNull(MarketServer.start(address, port, routes).block());
    } catch (RuntimeException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "the simulated market " + Exceptions.unwrap(e).getMessage());
    }
  }

  /** Returns the account of one key without limits, or null if there is no key. */
  public static @Nullable KeyAccounts accounts(@Nullable String key) {
    return key == null ? null : new KeyAccounts(List.of(key), null, null, InstantSource.system());
  }

  /**
   * Returns the scenario with the given name. If there is no such scenario, throws the exception that
   * {@code wrongUsage} creates from a message.
   */
  public static Scenario scenario(String name, Function<String, ? extends RuntimeException> wrongUsage) {
    return Stream.of(Scenario.values())
        .filter(each -> each.wire().equals(name))
        .findFirst()
        .orElseThrow(() -> wrongUsage.apply("--scenario: '" + name + "' is unknown; known are "
            + Stream.of(Scenario.values()).map(Scenario::wire).collect(Collectors.joining(", "))));
  }

  /**
   * Returns the refresh periods of the public service, divided by the given speed if it is above 1, but at least a
   * second.
   */
  public static Function<Operation, Duration> refreshAt(double speed) {
    return operation -> {
      var millis = (long) (RefreshRate.PUBLIC.period(operation).toMillis() / Math.max(1, speed));
      return millis < SHORTEST_REFRESH.toMillis() ? SHORTEST_REFRESH : Duration.ofMillis(millis);
    };
  }
}
