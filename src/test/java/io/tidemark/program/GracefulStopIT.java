package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.Main;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a container runs it: a process of its own that logs JSON and gets SIGTERM. */
class GracefulStopIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final Duration GRACE = Duration.ofSeconds(10);
  static final int STOPPED_BY_SIGTERM = 143;
  static final String KEY = "secret-of-the-market";
  static final Pattern MANAGEMENT = Pattern.compile("management port (\\d+)");

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 1 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { key: "${KEY}", per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s, global: 1s }
          watch: { global: {}, networks: { solana: { new-pools: {} } } }
      """;

  @TempDir
  Path folder;

  final ObjectMapper json = new ObjectMapper();
  final HttpClient http = HttpClient.newHttpClient();
  MarketServer market;
  Process process;

  @BeforeEach
  void openMarket() {
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market = SimulatedMarketServer.start(
        SimulatedMarketServer.LOOPBACK, 0, KEY, world, operation -> Duration.ofSeconds(1), ResponseJournal.none());
  }

  @AfterEach
  void close() {
    process.destroyForcibly();
    market.close();
  }

  @Test
  void sigterm_stopsTheProcessWithinTheGracePeriod() throws Exception {
    process = start();
    await().atMost(TIMEOUT).until(() -> get("/health/ready").startsWith("{\"status\":\"up\""));
    await().atMost(TIMEOUT).until(() -> get("/metrics").contains("tidemark_changes_total"));
    var arguments = process.info().commandLine().orElse("");
    var figures = get("/metrics");

    var signalledAt = System.nanoTime();
    process.destroy();
    var code = process.waitFor();
    var took = Duration.ofNanos(System.nanoTime() - signalledAt);

    System.out.println("stopped within " + took.toMillis() + " ms");
    assertThat(took).isLessThan(GRACE);
    assertThat(code).isEqualTo(STOPPED_BY_SIGTERM);
    assertThat(messages()).anyMatch(message -> message.startsWith("stop requested"))
        .endsWith("stopped")
        .noneMatch(message -> message.contains("did not stop"));
    assertThat(Files.readString(log()) + arguments + figures).doesNotContain(KEY);
  }

  private Process start() throws IOException {
    var config = Files.writeString(folder.resolve("tidemark.yaml"), CONFIG);
    var java = ProcessHandle.current().info().command().orElseThrow();
    var builder = new ProcessBuilder(java, "-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
        "-cp", System.getProperty("java.class.path"), Main.class.getName(),
        "run", "--config", config.toString(), "--stream-states", folder.resolve("streams").toString());
    builder.environment().put("TIDEMARK_LOG", "json");
    builder.environment().put("KAFKA", SharedBroker.bootstrapServers());
    builder.environment().put("PREFIX", SharedBroker.freshPrefix());
    builder.environment().put("MARKET", market.baseUrl().toString());
    builder.environment().put("KEY", KEY);
    return builder.redirectErrorStream(true).redirectOutput(log().toFile()).start();
  }

  private Path log() {
    return folder.resolve("log");
  }

  /** The messages of all lines; every line must be JSON, except warnings of the JVM. */
  private List<String> messages() throws IOException {
    return Files.readString(log()).lines()
        .filter(line -> !line.isEmpty() && !line.startsWith("WARNING: "))
        .map(this::line)
        .map(line -> line.get("message").asText())
        .toList();
  }

  private JsonNode line(String text) {
    try {
      return json.readTree(text);
    } catch (IOException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  /** Empty while nothing listens. */
  private String get(String path) throws Exception {
    var port = MANAGEMENT.matcher(Files.readString(log()));
    if (!port.find()) {
      return "";
    }
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + path)).build();
    return http.send(request, BodyHandlers.ofString()).body();
  }
}
