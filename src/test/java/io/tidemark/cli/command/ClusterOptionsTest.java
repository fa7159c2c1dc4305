package io.tidemark.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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
  void passwordOfARegistry_isNotWritten() {
    options.registry = URI.create("https://ann:hidden@registry:8081");

    assertThat(options.written()).isEmpty();
  }
}
