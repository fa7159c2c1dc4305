package io.tidemark.cli.deadletters;

import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.cli.wiring.FoundRecord;
import io.tidemark.cli.wiring.KafkaCluster;
import io.tidemark.cli.wiring.TopicReader;
import io.tidemark.event.SourceState;
import io.tidemark.event.Watch;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The dead letters of a source, as they are in Kafka, and what is said of them there. */
record DeadLetterReader(KafkaCluster cluster, SchemaRegistry registry, Topics topics) {

  /** Visits all, those of a target in the order in which they came. */
  void forEach(Consumer<StoredDeadLetter> visitor) {
    read(topics.deadLetters(), found -> visitor.accept(StoredDeadLetter.of(found)));
  }

  ReplayMarks marks() {
    var digests = new HashMap<String, String>();
    read(topics.watch(), found -> {
      if (found.value() instanceof Watch word && word.getKind().equals(ReplayMarks.KIND)) {
        digests.put(word.getName(), String.valueOf(word.getText()));
      }
    });
    return new ReplayMarks(Map.copyOf(digests));
  }

  /** What was last said of the source; null where nothing ever wrote it. */
  @Nullable
  SourceState source() {
    var states = Stream.<SourceState>builder();
    read(topics.sourceState(), found -> {
      if (found.value() instanceof SourceState state) {
        states.add(state);
      }
    });
    return states.build().reduce((earlier, later) -> later).orElse(null);
  }

  private void read(Topic<?> topic, Consumer<FoundRecord> visitor) {
    new TopicReader(cluster.clientConfig(), List.of(topic), registry).readAll(visitor);
  }
}
