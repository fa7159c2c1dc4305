package io.tidemark.cli.deadletters;

import io.tidemark.cli.command.ClusterOptions;
import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.event.DeadLetterCount;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.kafka.Topics;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Reads the dead letters of a source, and the marks of replayed dead letters. */
final class DeadLetterReader {

  @Mixin
  ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME",
      description = "The name of the source (needed if the configuration has several).")
  @Nullable
  String source;

  Topics topics() {
    return cluster.topicsOf(source);
  }

  /** Visits all dead letters. Dead letters of the same target are visited in the order in which they arrived. */
  void forEach(Consumer<StoredDeadLetter> visitor) {
    cluster.readAll(topics().deadLetters(), record -> visitor.accept(StoredDeadLetter.of(record)));
  }

  ReplayMarks replayMarks() {
    return new ReplayMarks(cluster.newest(topics().watch()).values().stream()
        .filter(command -> command.getKind().equals(ReplayMarks.KIND))
        .collect(Collectors.toMap(Watch::getName, command -> String.valueOf(command.getText()))));
  }

  /**
   * Returns the counts of the answers with the same reason as a dead letter, the dead letter included, by the name of
   * the target.
   */
  Map<String, List<DeadLetterCount>> counts() {
    return cluster.newest(topics().targetState()).values().stream()
        .collect(Collectors.toMap(TargetState::getTarget, TargetState::getDeadLetters));
  }

  /** Returns the newest state of a source, or null if no instance has owned it. */
  @Nullable
  SourceState sourceState(String name) {
    return cluster.newest(topics().sourceState()).get(name);
  }

  /**
   * The marks of replayed dead letters, which are commands on the topic {@code watch}.
   *
   * @param texts text of each mark, by the position of the dead letter. The text identifies the dead letter, since a
   *     recreated topic has other dead letters at the same positions
   */
  record ReplayMarks(Map<String, String> texts) {

    static final String KIND = "replayed";

    boolean contains(StoredDeadLetter deadLetter) {
      return text(deadLetter).equals(texts.get(deadLetter.position()));
    }

    static Watch of(StoredDeadLetter deadLetter, String who, Instant at) {
      return Watch.newBuilder()
          .setKind(KIND)
          .setName(deadLetter.position())
          .setText(text(deadLetter))
          .setWho(who)
          .setAt(at)
          .build();
    }

    private static String text(StoredDeadLetter deadLetter) {
      var content = deadLetter.content();
      return "{ digest: %s, received: %s }".formatted(content.getDigest(), content.getReceivedAt());
    }
  }
}
