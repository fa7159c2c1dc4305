package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TidemarkTopologyTest {
  private static final Pattern SETS = Pattern.compile("(stores|topics): \\[([^]]*)]");

  /** When the shape changes on purpose, the file is changed by hand: renamed stores begin empty. */
  @Test
  void shape_isTheOneOnFile() throws IOException {
    assertThat(ordered(describe().strip()))
        .isEqualToNormalizingNewlines(ordered(onFile().strip()));
  }

  private static String describe() {
    return TidemarkTopology.build(TopologyRun.TOPICS, TopologyRun.REGISTRY).describe().toString();
  }

  /** Stores and topics are sets: Kafka names them in any order. */
  private static String ordered(String shape) {
    return SETS.matcher(shape).replaceAll(found -> found.group(1) + ": [" + sorted(found.group(2)) + "]");
  }

  private static String sorted(String names) {
    return Stream.of(names.split(", ")).sorted().collect(Collectors.joining(", "));
  }

  private static String onFile() throws IOException {
    try (var file = TidemarkTopologyTest.class.getResourceAsStream("topology.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
