package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.Application;
import io.tidemark.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the build puts together for image and archive: each library has its licence, and stands in the list of parts. */
class PackageIT {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "."));
  private static final Path TARGET = ROOT.resolve("target");
  private static final Path LIB = TARGET.resolve("lib");
  private static final Path EMBEDDED = LIB.resolve("embedded");

  /** Jars there that are ours. */
  private static final Set<String> OWN = Set.of("classpath.jar", "tidemark-bench.jar", "tidemark-demo.jar");

  private static final String PROGRAM = "tidemark-" + Application.VERSION + ".jar";

  private static final Path LICENCES = TARGET.resolve("licenses");

  /** Licences whose text is the same for all; others have a line with the owner, and so a file for each library. */
  private static final Set<String> SHARED = Set.of("Apache-2.0", "EPL-2.0");

  @TempDir
  Path installation;

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

  @ParameterizedTest
  @ValueSource(strings = {"demo", "bench"})
  void sourceFolder_isInAJarOfItsOwn_besideTheEmbeddedBrokerAlone(String folder) throws IOException {
    var files = files(folder);

    assertThat(sources(EMBEDDED.resolve("tidemark-" + folder + ".jar"))).isEqualTo(files);
    assertThat(sources(TARGET.resolve(PROGRAM))).contains("io/tidemark/cli/Main.java")
        .doesNotContainAnyElementsOf(files);
  }

  /** Whoever builds the same commit gets the same bytes: no order of a file system, no clock, no name of a machine. */
  @ParameterizedTest
  @ValueSource(strings = {"tidemark-" + Application.VERSION + ".jar", "lib/embedded/tidemark-demo.jar",
    "lib/embedded/tidemark-bench.jar", "lib/embedded/classpath.jar"})
  void ownJars_sayNothingOfTheirBuild(String jar) throws IOException {
    try (var file = new JarFile(TARGET.resolve(jar).toFile())) {
      var manifest = file.getManifest().getMainAttributes();

      assertThat(file.stream()).isNotEmpty()
          .allMatch(entry -> entry.getTimeLocal().equals(LocalDateTime.of(2025, 1, 1, 0, 0)));
      assertThat(manifest.getValue("Created-By")).matches("Apache Ant|Maven JAR Plugin [\\d.]+");
      assertThat(Objects.requireNonNullElse(manifest.getValue("Class-Path"), "").split(" "))
          .filteredOn(each -> !each.startsWith("lib/")).isSorted();
    }
  }

  @Test
  void sboms_haveNoTimeAndNoRandomNumber() throws IOException {
    for (var sbom : List.of("sbom.json", "sbom-with-embedded.json")) {
      assertThat(new ObjectMapper().readTree(TARGET.resolve(sbom).toFile()).at("/metadata/timestamp").asText("2025"))
          .as(sbom).startsWith("2025");
    }
  }

  /** The files of a source folder, by their names in a jar. */
  private static Set<String> files(String folder) throws IOException {
    var found = new TreeSet<String>();
    for (var part : List.of("java", "resources")) {
      var root = ROOT.resolve("src").resolve(folder).resolve(part);
      try (var files = Files.walk(root)) {
        files.filter(Files::isRegularFile).map(file -> root.relativize(file).toString()).forEach(found::add);
      }
    }
    return found;
  }

  /** The files that a jar is made from, but for its manifest. */
  private static Set<String> sources(Path jar) throws IOException {
    try (var file = new JarFile(jar.toFile())) {
      return file.stream().filter(entry -> !entry.isDirectory()).map(ZipEntry::getName)
          .filter(name -> !name.equals(JarFile.MANIFEST_NAME))
          .map(name -> name.replaceFirst("(\\$.*)?\\.class$", ".java"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "simulate --port 0", "bench --list"})
  void withoutTheFolderEmbedded_itsCommandsSayWhereTheyAre(String command) throws Exception {
    assertThat(runForProduction(command)).isEqualTo("tidemark: this installation has no " + command.split(" ")[0]
        + "; a release archive and the image with the tag demo have it, in lib/embedded\n1");
  }

  @Test
  void withoutTheFolderEmbedded_theHelpIsTheSame() throws Exception {
    assertThat(runForProduction("--help")).isEqualTo(Main.commandLine().getUsageMessage() + "0");
  }

  @Test
  void withoutTheFolderEmbedded_anEmbeddedKafkaIsRefused() throws Exception {
    var config = Files.writeString(installation.resolve("tidemark.yaml"), """
        kafka: { embedded: { port: 0 } }
        sources: [ { base-url: "http://127.0.0.1:1", watch: { global: {} } } ]
        """);

    assertThat(runForProduction("run --config " + config))
        .contains("tidemark: this installation has no embedded Kafka (lib/embedded is missing)").endsWith("\n2");
  }

  /** Runs a command with the program's jar, beside which there is no such folder; returns the output and the exit code. */
  private String runForProduction(String command) throws Exception {
    var jar = Files.copy(TARGET.resolve(PROGRAM), installation.resolve(PROGRAM));
    var java = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-cp", jar + File.pathSeparator + LIB.toAbsolutePath() + "/*", Main.class.getName());
    var process = new ProcessBuilder(Stream.concat(java.stream(), Stream.of(command.split(" "))).toList())
        .redirectErrorStream(true).start();
    var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return printed + process.waitFor();
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
