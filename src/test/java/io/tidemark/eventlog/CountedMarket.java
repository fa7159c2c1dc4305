package io.tidemark.eventlog;

import io.tidemark.http.wire.FieldNaming;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.MemoryResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A simulated market with a server for each instance, which counts the calls of each and of all. */
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
   * The server for one instance.
   *
   * @param received its calls, in the order of their arrival
   */
  record Door(MarketServer server, List<Call> received) {
    URI baseUrl() {
      return server.baseUrl();
    }

    int calls() {
      return received.size();
    }

    /** Returns the time of the first call after a time; null if there is none yet. */
    @Nullable
    Instant firstAfter(Instant time) {
      return received.stream().map(Call::at).filter(at -> at.isAfter(time)).findFirst().orElse(null);
    }
  }

  /** A call, with the API key that it used. */
  record Call(String key, Instant at) {}

  Door open() {
    var received = new CopyOnWriteArrayList<Call>();
    var routes = new SimulatedRoutes(key -> received.add(new Call(key, Instant.now())), cache, journal,
        InstantSource.system());
    var door = new Door(Objects.requireNonNull(MarketServer.start("127.0.0.1", 0, routes).block()), received);
    doors.add(door);
    return door;
  }

  int calls() {
    return doors.stream().mapToInt(Door::calls).sum();
  }

  /** Returns the highest number of calls with a key within any span of this length. */
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
