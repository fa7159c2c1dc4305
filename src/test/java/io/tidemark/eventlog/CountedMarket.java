package io.tidemark.eventlog;

import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.server.MemoryResponseJournal;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache;
import io.tidemark.simulator.server.MarketServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

/** One simulated market with a door for each instance, so that their calls are counted together and apart. */
final class CountedMarket implements AutoCloseable {

  private final List<Door> doors = new CopyOnWriteArrayList<>();
  private final MemoryResponseJournal journal = new MemoryResponseJournal();
  private final EdgeCache cache;

  CountedMarket() {
    var clock = InstantSource.system();
    var market = new Simulator(new SimulatorSettings(7, Scenario.CALM, 100), clock);
    cache = new EdgeCache(market::at, operation -> Objects.requireNonNull(SimulatedMarket.REFRESH.get(operation)),
        FieldNaming.DOCUMENT, clock);
  }

  /**
   * Where one instance comes in.
   *
   * @param received its calls, in the order in which they came
   */
  record Door(MarketServer server, List<Call> received) {
    URI baseUrl() {
      return server.baseUrl();
    }

    int calls() {
      return received.size();
    }

    /** The first call after a time; null where there is none yet. */
    Instant firstAfter(Instant time) {
      return received.stream().map(Call::at).filter(at -> at.isAfter(time)).findFirst().orElse(null);
    }
  }

  /** A call with a key of the service. */
  record Call(String key, Instant at) {}

  Door open() {
    var received = new CopyOnWriteArrayList<Call>();
    var routes = new MarketRoutes(
        MarketRoutes.PREFIX, MarketRoutes.KEY_HEADER, key -> received.add(new Call(key, Instant.now())), cache, journal,
        InstantSource.system());
    var door = new Door(Objects.requireNonNull(MarketServer.start("127.0.0.1", 0, routes).block()), received);
    doors.add(door);
    return door;
  }

  int calls() {
    return doors.stream().mapToInt(Door::calls).sum();
  }

  /** The most calls with a key that any span of this length saw. */
  long most(Duration span, String key) {
    var times = doors.stream().flatMap(door -> door.received().stream())
        .filter(call -> call.key().equals(key)).map(Call::at).sorted().toList();
    var most = 0;
    for (int first = 0, last = 0; last < times.size(); last++) {
      while (!times.get(last).isBefore(times.get(first).plus(span))) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  Bodies bodies() {
    return Bodies.of(journal.all());
  }

  @Override
  public void close() {
    doors.forEach(door -> door.server().close());
  }
}
