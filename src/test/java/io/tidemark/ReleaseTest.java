package io.tidemark;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cli.Main;
import io.tidemark.cli.wiring.Application;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a release is made of is there, and is of one version. */
class ReleaseTest {

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

  @Test
  void optionVersion_printsTheVersionAndTheCommitOfTheBuild() {
    var out = new StringWriter();

    Main.commandLine().setOut(new PrintWriter(out)).execute("--version");

    assertThat(out.toString().strip())
        .matches(Pattern.quote("tidemark " + Application.VERSION)
            + "( \\(commit [0-9a-f]{7,40} of \\d{4}-\\d\\d-\\d\\d\\))?");
  }
}
