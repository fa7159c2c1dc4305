package io.tidemark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterOptionsTest {

  final ClusterOptions options = new ClusterOptions();

  @Test
  void optionsOfTheDemo_areNotWritten() {
    assertThat(options.written()).isEmpty();
  }

  @Test
  void writtenOptions_areWordsOfAShell() {
    options.config = Path.of("my files/it's.yaml");
    options.bootstrap = "kafka-1:9092,kafka-2:9092";
    options.prefix = "$HOME";

    assertThat(options.written())
        .isEqualTo(" --config 'my files/it'\\''s.yaml' --bootstrap kafka-1:9092,kafka-2:9092 --prefix '$HOME'");
  }

  @Test
  void sourceOfATopic_isWritten_ifThereAreSeveral(@TempDir Path folder) throws IOException {
    options.config = Files.writeString(folder.resolve("tidemark.yaml"), """
        kafka: { bootstrap-servers: "127.0.0.1:1" }
        sources:
          - { name: eth, prefix: m., base-url: "http://127.0.0.1:1", watch: { global: {} } }
          - { name: base, prefix: m.base., base-url: "http://127.0.0.1:1", watch: { global: {} } }
        """);

    assertThat(options.written("m.alerts")).isEqualTo(options.written() + " --source eth");
    assertThat(options.written("m.base.alerts")).isEqualTo(options.written() + " --source base");
    assertThat(options.written("tidemark-schemas")).isEqualTo(options.written());
  }

  @Test
  void onlySource_isNotWritten(@TempDir Path folder) throws IOException {
    options.config = Files.writeString(folder.resolve("tidemark.yaml"), """
        kafka: { bootstrap-servers: "127.0.0.1:1" }
        sources: [ { prefix: m., base-url: "http://127.0.0.1:1", watch: { global: {} } } ]
        """);

    assertThat(options.written("m.alerts")).isEqualTo(options.written());
  }

  @Test
  void passwordOfARegistry_isNotWritten() {
    options.registry = URI.create("https://ann:hidden@registry:8081");

    assertThat(options.written()).isEmpty();
  }
}
