package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.topic.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TidemarkTopologyTest {
  private static final Pattern STORES = Pattern.compile("stores: \\[([^]]*)]");
  private static final Pattern SINKS = Pattern.compile("Sink: \\S+ \\(topic: (\\S+)\\)");

  /** When the shape changes on purpose, the file is changed by hand: renamed stores begin empty. */
  @Test
  void shape_isTheOneOnFile() throws IOException {
    assertThat(ordered(describe().strip()))
        .isEqualToNormalizingNewlines(ordered(onFile().strip()));
  }

  @Test
  void everyDerivedTopic_isWritten_andTheCommandsOfFailedRules() {
    var derived = TopologyRun.TOPICS.derived().stream().<Topic<?>>map(topic -> topic);
    var all = Stream.concat(derived, Stream.of(TopologyRun.TOPICS.watch()));
    assertThat(written()).containsExactlyInAnyOrderElementsOf(all.map(Topic::name).collect(Collectors.toSet()));
  }

  private static Set<String> written() {
    return SINKS.matcher(describe()).results()
        .map(found -> found.group(1))
        .filter(name -> name.startsWith(TopologyRun.TOPICS.prefix()))
        .collect(Collectors.toSet());
  }

  private static String describe() {
    return TidemarkTopology.build(TopologyRun.TOPICS, TopologyRun.REGISTRY).describe().toString();
  }

  /** The stores of a processor are a set: Kafka names them in any order. */
  private static String ordered(String shape) {
    return STORES.matcher(shape).replaceAll(found -> "stores: [" + sorted(found.group(1)) + "]");
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
