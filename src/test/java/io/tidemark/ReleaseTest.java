package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Main;
import io.tidemark.cli.wiring.Application;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a release is made of is there, and is of one version. */
class ReleaseTest {
  private static final Path ARCHIVE = Path.of("src/main/release/archive.xml");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)(?:#[^)]*)?\\)");

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "pom.xml                   | <artifactId>tidemark</artifactId>\\s+<version>([^<]+)",
    "Dockerfile                | image\\.version=\"([^\"]+)\"",
    "docker-compose.yml        | image: tidemark:(\\S+)",
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
}
