package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.app.config.Settings;
import io.tidemark.kafka.Retention;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that compose mounts, checked without a container. */
class ComposeFilesTest {

  static final Path FOLDER = Compose.ROOT.resolve("src/main/docker/compose");
  static final Map<String, String> VARIABLES =
      Map.of("MARKET_URL", "https://example.org/api/v3", "MARKET_KEY", "k", "MARKET_KEY_HEADER", "x-key",
          "SIMULATED_KEY", "k");

  @ParameterizedTest
  @ValueSource(strings = {"tidemark.yaml", "tidemark-real.yaml"})
  void configuration_isValid(String file) {
    var settings = Settings.read(FOLDER.resolve(file), VARIABLES::get);

    assertThat(settings.kafka().bootstrapServers()).isEqualTo("kafka:19092");
    assertThat(settings.sources()).singleElement()
        .satisfies(source -> assertThat(source.watch().callsPerRound()).isPositive());
  }

  @Test
  void everyVariable_isPassedToTheContainer() throws IOException {
    assertThat(services()).anySatisfy(
        service -> assertThat(service.path("environment").fieldNames()).toIterable().containsAll(VARIABLES.keySet()));
  }

  @Test
  void everyImage_isPinned() throws IOException {
    assertThat(services()).hasSize(6)
        .allSatisfy(service -> assertThat(service.path("image").asText()).matches(".+:v?\\d+\\.\\d+\\.\\d+(-demo)?"));
  }

  @Test
  void everyMountedFile_isThere() throws IOException {
    var mounted = services().stream()
        .flatMap(service -> service.path("volumes").valueStream())
        .map(volume -> volume.asText().split(":")[0])
        .filter(source -> source.startsWith("./"));

    assertThat(mounted).isNotEmpty().allSatisfy(file -> assertThat(Files.exists(Compose.ROOT.resolve(file))).isTrue());
  }

  @Test
  void offsets_areKeptAsLongAsAlerts() throws IOException {
    assertThat(compose().at("/services/kafka/environment/KAFKA_OFFSETS_RETENTION_MINUTES").asLong())
        .isEqualTo(Retention.DEFAULT.alerts().toMinutes());
  }

  @Test
  void everyPort_isOpenOnThisMachineOnly() throws IOException {
    assertThat(services().stream().flatMap(service -> service.path("ports").valueStream()))
        .isNotEmpty().allSatisfy(port -> assertThat(port.asText()).startsWith("127.0.0.1:"));
  }

  /** Only the image of the demo has the simulated market. Its heap is that of the whole demo, and more than the market has. */
  @Test
  void market_isOfTheDemosImage_withoutItsHeap() throws IOException {
    var market = compose().at("/services/market");

    assertThat(market.path("image").asText()).endsWith("-demo");
    assertThat(market.at("/build/target").asText()).isEqualTo("demo");
    assertThat(market.at("/environment/JDK_JAVA_OPTIONS").asText("absent")).isEmpty();
    assertThat(compose().at("/services/tidemark/build").asText()).isEqualTo(".");
  }

  /** The table of docs/running/containers.md: heap, buffers of sockets, stores, and what is measured or estimated. */
  @ParameterizedTest
  @CsvSource({"tidemark, 4, 241", "market, 0, 100"})
  void boundsOfMemory_fitInTheContainer(String service, int storesOfHeap, int others) throws IOException {
    var limit = mebibytes(compose().at("/services/" + service + "/mem_limit").asText());
    var flags = Files.readString(Compose.ROOT.resolve("src/main/docker/memory.flags"));
    var heap = limit * Integer.parseInt(flag(flags, "MaxRAMPercentage")) / 100;
    var stores = storesOfHeap == 0 ? 0 : heap / storesOfHeap;

    assertThat(heap + mebibytes(flag(flags, "MaxDirectMemorySize")) + stores + others).isLessThanOrEqualTo(limit);
    assertThat(heap).isGreaterThan(limit / 3);
  }

  /** An option that names a collector would conflict with that of who prefers another. */
  @Test
  void collector_isChosenByTheJvm_unlessNamed() throws IOException {
    assertThat(Files.readAllLines(Compose.ROOT.resolve("src/main/docker/memory.flags")))
        .contains("+AlwaysActAsServerClassMachine")
        .noneMatch(line -> line.matches("[+-]Use\\w+GC"));
  }

  /** The check of a release asks every pod, by the addresses of one name. */
  @ParameterizedTest
  @CsvSource({"200, 0", "503, 1"})
  @EnabledOnOs(OS.LINUX)
  void healthCheckOfAHost_fails_ifNoAddressIsReady(int status, int exit) throws Exception {
    var service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/health/ready", exchange -> {
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    });
    service.start();
    try {
      var check = new ProcessBuilder("bash", Compose.ROOT.resolve("src/main/docker/healthy").toString())
          .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
      check.environment().put("TIDEMARK_MANAGEMENT_HOST", "localhost");
      check.environment().put("TIDEMARK_MANAGEMENT_PORT", Integer.toString(service.getAddress().getPort()));

      assertThat(check.start().waitFor()).isEqualTo(exit);
    } finally {
      service.stop(0);
    }
  }

  /** The demo has the same collector with a launcher as in a container. */
  @ParameterizedTest
  @ValueSource(strings = {"tidemark", "tidemark.cmd"})
  void optionsOfTheCollector_areThoseOfTheLauncher(String launcher) throws IOException {
    var script = Files.readString(Compose.ROOT.resolve(launcher));

    assertThat(Files.readAllLines(Compose.ROOT.resolve("src/main/docker/memory.flags")))
        .filteredOn(line -> line.matches("-?(G1|Initiating).*")).hasSize(3)
        .allSatisfy(line -> assertThat(script).contains(" -XX:" + line));
  }

  private static String flag(String flags, String name) {
    return flags.lines().filter(line -> line.startsWith(name + "=")).findFirst().orElseThrow().split("=")[1];
  }

  private static int mebibytes(String size) {
    return Integer.parseInt(size.substring(0, size.length() - 1)) * (size.endsWith("g") ? 1024 : 1);
  }

  /** An option in java.args comes after those of JDK_JAVA_OPTIONS, and would undo them. */
  @Test
  void boundsOfMemory_canBeChanged() throws IOException {
    assertThat(Files.readAllLines(Compose.ROOT.resolve("src/main/docker/java.args")))
        .contains("-XX:Flags=/opt/tidemark/bin/memory.flags")
        .noneMatch(line -> line.contains("MaxRAMPercentage") || line.contains("MaxDirectMemorySize"));
  }

  private static List<JsonNode> services() throws IOException {
    return compose().path("services").valueStream().toList();
  }

  private static JsonNode compose() throws IOException {
    return new YAMLMapper().readTree(Compose.ROOT.resolve("docker-compose.yml").toFile());
  }
}
