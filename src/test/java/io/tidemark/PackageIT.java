package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the build puts together for image and archive: each library stands in the list of parts. */
class PackageIT {

  private static final Path TARGET = Path.of(System.getProperty("basedir", ".")).resolve("target");
  private static final Path LIB = TARGET.resolve("lib");
  private static final Path EMBEDDED = LIB.resolve("embedded");

  @Test
  void sbomOfTheImage_isThatOfProduction() throws IOException {
    assertThat(components("sbom.json").keySet()).containsExactlyInAnyOrderElementsOf(jars(LIB));
  }

  @Test
  void sbomOfTheArchive_hasTheEmbeddedBrokerToo() throws IOException {
    var all = Stream.concat(jars(LIB).stream(), jars(EMBEDDED).stream()).toList();

    assertThat(jars(EMBEDDED)).contains("commons-collections-3.2.2.jar").hasSizeGreaterThan(20);
    assertThat(components("sbom-with-embedded.json").keySet()).containsExactlyInAnyOrderElementsOf(all);
  }

  private static List<String> jars(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar") && !name.equals("classpath.jar")).toList();
    }
  }

  /** By the name of the jar. */
  private static Map<String, JsonNode> components(String sbom) throws IOException {
    return new ObjectMapper().readTree(TARGET.resolve(sbom).toFile()).path("components").valueStream()
        .collect(Collectors.toMap(
            each -> each.path("name").asText() + "-" + each.path("version").asText() + ".jar", each -> each));
  }
}
