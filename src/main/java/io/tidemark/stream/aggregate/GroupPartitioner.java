package io.tidemark.stream.aggregate;

import io.tidemark.event.GroupUpdate;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Figures go where their group is; control goes everywhere. */
final class GroupPartitioner implements StreamPartitioner<String, GroupUpdate> {

  @Override
  public Optional<Set<Integer>> partitions(String topic, String group, GroupUpdate sent, int partitions) {
    return sent.getControl() == null
        ? Optional.empty()
        : Optional.of(IntStream.range(0, partitions).boxed().collect(Collectors.toUnmodifiableSet()));
  }
}
