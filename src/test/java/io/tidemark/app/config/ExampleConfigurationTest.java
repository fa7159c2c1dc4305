package io.tidemark.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents show as configuration is one. */
class ExampleConfigurationTest {

  static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/running/configuration.md"})
  void everyExample_isAccepted(String document) throws IOException {
    var examples = YAML.matcher(Files.readString(Path.of(document))).results().map(match -> match.group(1)).toList();

    assertThat(examples).isNotEmpty()
        .allSatisfy(example -> assertThat(
            Settings.parse(document, example, name -> name.startsWith("TIDEMARK_") ? null : "secret").sources())
            .isNotEmpty());
  }
}
