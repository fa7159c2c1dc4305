package io.tidemark.program;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** The page of a program over a simulated market, and a browser. */
final class SimulatedPage implements AutoCloseable {

  private static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: "${WEB_PORT}", keys: [KEYS] }
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { per-minute: 3000, per-month: 100000000 } ]
      """;

  private final Path folder;
  private final String config;
  private final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  private final Chromium browser;
  private final MarketServer market;
  private final HttpClient http = HttpClient.newHttpClient();
  private RunningComponents capture = new RunningComponents();
  private RunningComponents web = new RunningComponents();

  /** 0 until the web server has got one, which it has again after a restart. */
  private int port;

  /**
   * Starts the market and the browser; the test is skipped if there is none.
   *
   * @param source settings of the source: what it watches, and how often
   */
  SimulatedPage(Path folder, Scenario scenario, String source) throws Exception {
    this(folder, scenario, source, "");
  }

  /** @param keys lines of the keys of the web port */
  SimulatedPage(Path folder, Scenario scenario, String source, String keys) throws Exception {
    this.folder = folder;
    this.config = CONFIG.replace("KEYS", keys) + source.indent(4);
    this.browser = Chromium.start(folder.resolve("profile"));
    this.market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "",
        new SimulatorSettings(7, scenario, 50), operation -> Duration.ofSeconds(1), ResponseJournal.none());
  }

  /** Starts the roles that fill the topics. */
  void startCapture(Role... roles) {
    capture = new RunningComponents();
    new Application(settings(), folder.resolve("capture"), capture).start(EnumSet.copyOf(List.of(roles)));
  }

  void stopCapture() {
    capture.close();
  }

  void startWeb() {
    web = new RunningComponents();
    var application = new Application(settings(), folder.resolve("web"), web);
    application.start(EnumSet.of(Role.WEB));
    port = application.webPort();
  }

  void stopWeb() {
    web.close();
  }

  private Settings settings() {
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", topics.prefix(), "MARKET",
        market.baseUrl().toString(), "WEB_PORT", Integer.toString(port));
    return Settings.parse("test.yaml", config, environment::get);
  }

  Topics topics() {
    return topics;
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** Sends a request of its own, beside the browser's, and returns the status of the answer. */
  int status(String path) throws Exception {
    return http.send(HttpRequest.newBuilder(URI.create(address() + path)).build(), BodyHandlers.discarding())
        .statusCode();
  }

  /** The first tab of the browser. */
  Chromium browser() {
    return browser;
  }

  @Override
  public void close() {
    http.shutdownNow();
    browser.close();
    web.close();
    capture.close();
    market.close();
  }
}
