package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that compose mounts, checked without a container. */
class ComposeFilesTest {

  static final Path FOLDER = Compose.ROOT.resolve("src/main/docker/compose");
  static final Map<String, String> VARIABLES =
      Map.of("MARKET_URL", "https://example.org/api/v3", "MARKET_KEY", "k", "SIMULATED_KEY", "k");

  @ParameterizedTest
  @ValueSource(strings = {"tidemark.yaml", "tidemark-real.yaml"})
  void configuration_isValid(String file) {
    var settings = Settings.read(FOLDER.resolve(file), VARIABLES::get);

    assertThat(settings.kafka().bootstrapServers()).isEqualTo("kafka:19092");
    assertThat(settings.sources()).singleElement()
        .satisfies(source -> assertThat(source.watch().callsPerRound()).isPositive());
  }

  @Test
  void everyImage_isPinned() throws IOException {
    assertThat(services()).hasSize(6)
        .allSatisfy(service -> assertThat(service.path("image").asText()).matches(".+:v?\\d+\\.\\d+\\.\\d+"));
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
  void everyPort_isOpenOnThisMachineOnly() throws IOException {
    assertThat(services().stream().flatMap(service -> service.path("ports").valueStream()))
        .isNotEmpty().allSatisfy(port -> assertThat(port.asText()).startsWith("127.0.0.1:"));
  }

  private static List<JsonNode> services() throws IOException {
    return new YAMLMapper().readTree(Compose.ROOT.resolve("docker-compose.yml").toFile())
        .path("services").valueStream().toList();
  }
}
