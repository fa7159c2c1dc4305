package io.tidemark.http.client;

import io.tidemark.http.server.QueryResponder;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.MarketData;
import io.tidemark.market.MarketDataContract;
import io.tidemark.market.ServiceClock;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import reactor.core.publisher.Mono;

/** The client over the routes over the simulator: what goes over the wire is all there. */
@TestInstance(Lifecycle.PER_CLASS)
class HttpContractTest extends MarketDataContract {
  private static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  private static final InstantSource CLOCK = InstantSource.fixed(NOW);
  private static final String KEY = "CG-key";

  private MarketServer server;
  private HttpMarketData client;

  @BeforeAll
  void start() {
    var simulator =
        new Simulator(new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), CLOCK);
    var replies = QueryResponder.of(simulator, FieldNaming.DOCUMENT, CLOCK);
    var routes = new SimulatedRoutes(KEY::equals, replies,
        ResponseJournal.none(), CLOCK);
    server = MarketServer.start("127.0.0.1", 0, routes).block();
    var settings = HttpClientSettings.of(server.baseUrl(), new ApiKey(KEY)).withRetries(0, Duration.ZERO);
    client = new HttpMarketData(settings, Mono::empty, CLOCK, new ServiceClock(System::nanoTime));
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  @Override
  protected MarketData market() {
    return client;
  }

  @Override
  protected Instant now() {
    return NOW;
  }
}
