package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.wiring.Application;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the build puts together for image and archive: each library has its licence, and stands in the list of parts. */
class PackageIT {

  private static final Path TARGET = Path.of(System.getProperty("basedir", ".")).resolve("target");
  private static final Path LIB = TARGET.resolve("lib");
  private static final Path EMBEDDED = LIB.resolve("embedded");

  /** Jars there that are ours. */
  private static final Set<String> OWN = Set.of("classpath.jar", "tidemark-bench.jar");

  private static final Path LICENCES = TARGET.resolve("licenses");

  /** Licences whose text is the same for all; others have a line with the owner, and so a file for each library. */
  private static final Set<String> SHARED = Set.of("Apache-2.0", "EPL-2.0");

  @Test
  void everyLibrary_hasALicence() throws IOException {
    var components = components("sbom-with-embedded.json");

    assertThat(components).allSatisfy((jar, component) -> assertThat(licences(jar, component)).as(jar)
        .anyMatch(Files::exists));
  }

  /** Where the licence of a library may be. */
  private static List<Path> licences(String jar, JsonNode component) {
    var folder = jar.replaceFirst("\\.jar$", "");
    var own = Stream.of(LICENCES, EMBEDDED.resolve("licenses"))
        .flatMap(each -> Stream.of("LICENSE", "LICENSE.txt", "LICENSE-2.0.txt")
            .map(name -> each.resolve(folder).resolve(name)));
    var ofName = LICENCES.resolve(component.path("name").asText() + ".txt");
    var shared = component.path("licenses").findValuesAsText("id").stream().filter(SHARED::contains)
        .map(id -> LICENCES.resolve(id + ".txt"));
    return Stream.of(own, Stream.of(ofName), shared).flatMap(each -> each).toList();
  }

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

  @Test
  void bench_isBesideTheEmbeddedBrokerAlone() throws IOException {
    var command = "io/tidemark/bench/BenchCommand.class";

    assertThat(entries(EMBEDDED.resolve("tidemark-bench.jar"))).contains(command)
        .allMatch(name -> name.startsWith("io/tidemark/bench/"));
    assertThat(entries(TARGET.resolve("tidemark-" + Application.VERSION + ".jar")))
        .contains("io/tidemark/cli/Main.class")
        .noneMatch(name -> name.startsWith("io/tidemark/bench/"));
  }

  /** The files in a jar, but for what describes it. */
  private static List<String> entries(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      return file.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName)
          .filter(name -> !name.startsWith("META-INF/")).toList();
    }
  }

  private static List<String> jars(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar") && !OWN.contains(name)).toList();
    }
  }

  /** By the name of the jar. */
  private static Map<String, JsonNode> components(String sbom) throws IOException {
    return new ObjectMapper().readTree(TARGET.resolve(sbom).toFile()).path("components").valueStream()
        .collect(Collectors.toMap(
            each -> each.path("name").asText() + "-" + each.path("version").asText() + ".jar", each -> each));
  }
}
