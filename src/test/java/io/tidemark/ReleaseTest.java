package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tidemark.app.Application;
import io.tidemark.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a release is made of is there, and is of one version. */
class ReleaseTest {
  private static final Path WORKFLOWS = Path.of(".github/workflows");
  private static final Path ARCHIVE = Path.of("src/main/release/archive.xml");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "pom.xml                   | <artifactId>tidemark</artifactId>\\s+<version>([^<]+)",
    "Dockerfile                | image\\.version=\"([^\"]+)\"",
    "docker-compose.yml        | image: tidemark:(\\S+)\\n    build: \\.",
    "docker-compose.yml        | image: tidemark:(\\S+)-demo",
    "helm/tidemark/Chart.yaml  | \\nversion: (\\S+)",
    "helm/tidemark/Chart.yaml  | \\nappVersion: (\\S+)",
    "CHANGELOG.md              | \\n## (\\S+)",
  })
  void version_isTheProgramsOwn(String file, String version) throws IOException {
    var found = Pattern.compile(version).matcher(Files.readString(Path.of(file))).results()
        .map(each -> each.group(1)).toList();

    assertThat(found).as("versions in %s", file).isNotEmpty().first().isEqualTo(Application.VERSION);
  }

  /** Who unpacks the archive reads its pages without the sources: links lead to what is in it, or to sources. */
  @Test
  void linksOfTheArchive_leadToFilesInIt() throws IOException {
    var included = Pattern.compile("<include>([^<]+)</include>").matcher(Files.readString(ARCHIVE)).results()
        .map(each -> FileSystems.getDefault().getPathMatcher("glob:" + each.group(1))).toList();
    Predicate<Path> isInTheArchive = file -> included.stream().anyMatch(each -> each.matches(file));
    try (var files = Files.walk(Path.of(""))) {
      var pages = files.filter(file -> file.toString().endsWith(".md")).filter(isInTheArchive).toList();

      assertThat(pages).contains(Path.of("README.md"), Path.of("docs/using/alerts.md"), Path.of("RATIONALE.md"));
      for (var page : pages) {
        assertThat(links(page)).as("links of %s", page)
            .allMatch(link -> link.startsWith("src") || isInTheArchive.test(link));
      }
    }
  }

  private static List<Path> links(Path page) throws IOException {
    var folder = Objects.requireNonNullElse(page.getParent(), Path.of(""));
    return LINK.matcher(Files.readString(page)).results().map(each -> each.group(1))
        .filter(link -> !link.contains("://"))
        .map(link -> folder.resolve(link).normalize())
        .toList();
  }

  @Test
  void optionVersion_printsTheVersionAndTheCommitOfTheBuild() {
    var out = new StringWriter();

    Main.commandLine().setOut(new PrintWriter(out)).execute("--version");

    assertThat(out.toString().strip())
        .matches(Pattern.quote("tidemark " + Application.VERSION)
            + "( \\(commit [0-9a-f]{7,40} of \\d{4}-\\d\\d-\\d\\d\\))?");
  }

  /** The broker of the demo is no part of the image, and of its list of parts. */
  @Test
  void archiveAndImage_haveLicencesAndTheirOwnSbom() throws IOException {
    var image = Files.readString(Path.of("Dockerfile"));
    var production = image.substring(0, image.indexOf("AS demo"));

    assertThat(Files.readString(ARCHIVE))
        .contains("<source>${project.build.directory}/sbom-with-embedded.json</source>")
        .contains("<directory>${project.build.directory}/licenses</directory>");
    assertThat(production).contains("COPY target/sbom.json LICENSE NOTICE /opt/tidemark/")
        .contains("COPY target/licenses/ /opt/tidemark/licenses/");
    assertThat(image).contains("COPY target/sbom-with-embedded.json /opt/tidemark/sbom.json");
  }

  @Test
  void layoutsOfImages_areBuiltForBothTargetsAndPlatforms(@TempDir Path folder) throws Exception {
    var docker = "case $2 in inspect) printf 'Driver:  docker-container\nPlatforms: linux/amd64*, linux/arm64\n' ;;"
        + " build) echo \"$@\" ;; esac";

    assertThat(images(folder, docker)).containsExactly(
        "buildx build --platform linux/amd64,linux/arm64 --target production"
            + " --output type=oci,dest=out/tidemark-1-image.tar .",
        "buildx build --platform linux/amd64,linux/arm64 --target demo"
            + " --output type=oci,dest=out/tidemark-1-demo-image.tar .");
    assertThat(Files.readString(Path.of("Dockerfile"))).contains(" AS production\n", " AS demo\n");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "exit 1                                                                    | docker buildx is not here",
    "[ $2 = version ]                                                          | docker buildx has no builder",
    "echo Driver: docker; echo Platforms: linux/amd64, linux/arm64             | the driver of the builder is docker",
    "echo Driver: docker-container; echo Platforms: linux/amd64, linux/386    | the builder has no linux/arm64",
  })
  void withoutABuilderOfLayouts_noneIsBuiltAndTheReasonIsSaid(String docker, String reason, @TempDir Path folder)
      throws Exception {
    assertThat(images(folder, docker)).singleElement().asString().startsWith("No image layouts: " + reason);
  }

  /** Runs the script with a docker of these commands, and returns what is printed. */
  private static List<String> images(Path folder, String docker) throws Exception {
    var fake = Files.writeString(folder.resolve("docker"), "#!/bin/sh\n" + docker + "\n");
    assertThat(fake.toFile().setExecutable(true)).isTrue();
    var builder = new ProcessBuilder("bash", "src/main/release/images", "out", "1").redirectErrorStream(true);
    builder.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
    var process = builder.start();
    var lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(process.waitFor()).isZero();
    return lines;
  }

  @Test
  void everyCommit_makesTheReleaseTwiceAndRunsItsArchive() throws IOException {
    assertThat(Files.readString(WORKFLOWS.resolve("ci.yml"))).containsSubsequence(
        "./mvnw -B -ntp -Prelease", "tar -xzf target/release/tidemark-*.tar.gz", "./tidemark --version",
        "git clone -q . ", "./mvnw -B -ntp -Prelease", "sha256sum -c \"$GITHUB_WORKSPACE\"/target/release/*.sha256");
  }

  /** A tag may be moved to other code, the digest of a commit may not. */
  @Test
  void actions_areNamedByTheDigestsOfCommits() throws IOException {
    try (var workflows = Files.list(WORKFLOWS)) {
      for (var workflow : workflows.toList()) {
        var actions = Pattern.compile("uses: *(.+)").matcher(Files.readString(workflow)).results()
            .map(each -> each.group(1)).toList();

        assertThat(actions).as("actions of %s", workflow).isNotEmpty()
            .allMatch(each -> each.matches("[\\w./-]+@[0-9a-f]{40} # v\\d+\\.\\d+\\.\\d+"));
      }
    }
  }

  @Test
  void release_isScannedBeforeItIsPublished_byAJobThatMayNotWrite() throws IOException {
    var build = job("build");

    assertThat(build.get("permissions")).hasToString("{\"contents\":\"read\"}");
    assertThat(build.get("steps").toString())
        .containsSubsequence("cp target/sbom-with-embedded.json bom.json", "osv-scanner-action@", "--lockfile=bom.json",
            "actions/upload-artifact@")
        .doesNotContain("secrets.", "continue-on-error");
    assertThat(job("publish").get("needs").asText()).isEqualTo("build");
  }

  @Test
  void release_isSignedAndAttestedBeforeItIsCreated() throws IOException {
    var publish = job("publish");

    assertThat(publish.get("permissions"))
        .hasToString("{\"contents\":\"write\",\"id-token\":\"write\",\"attestations\":\"write\"}");
    assertThat(publish.get("steps").toString())
        .containsSubsequence("sha256sum -c", "cosign sign-blob", "actions/attest@", "sbom-path", "skopeo copy",
            "cosign sign --yes --recursive", "actions/attest@", "push-to-registry", "helm push", "cosign sign --yes",
            "gh release create")
        .doesNotContain("mvnw", ".ci/run", "continue-on-error");
  }

  private static JsonNode job(String name) throws IOException {
    return new YAMLMapper().readTree(WORKFLOWS.resolve("release.yml").toFile()).get("jobs").get(name);
  }

  /** The example in the comment is held to it too. */
  @Test
  void exceptionsFromTheScan_haveAReasonAndAnEnd() throws IOException {
    var lines = Files.readString(Path.of(".github/osv-scanner.toml")).replaceAll("(?m)^# ?", "");
    var exceptions = List.of(lines.split("\n+(?=\\[)")).stream().skip(1).toList();

    assertThat(exceptions).isNotEmpty().allMatch(each -> each.strip().matches(
        "\\[\\[IgnoredVulns]]\nid = \"\\S+\"\nignoreUntil = \\d{4}-\\d\\d-\\d\\d\nreason = \".{20,}\""));
  }
}
