package io.tidemark.stream.rollup;

import io.tidemark.event.Sent;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Figures go where their group is; control goes everywhere. */
final class Sending implements StreamPartitioner<String, Sent> {

  @Override
  public Optional<Set<Integer>> partitions(String topic, String group, Sent sent, int partitions) {
    return sent.getControl() == null
        ? Optional.empty()
        : Optional.of(IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet()));
  }
}
