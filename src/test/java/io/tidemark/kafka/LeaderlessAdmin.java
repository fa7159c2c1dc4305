package io.tidemark.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.ForwardingAdmin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** An admin client that gets no offsets of some partitions, as if they had no leader. */
final class LeaderlessAdmin extends ForwardingAdmin {

  private final Predicate<TopicPartition> isLeaderless;

  LeaderlessAdmin(String bootstrapServers, Predicate<TopicPartition> isLeaderless) {
    super(Map.of("bootstrap.servers", bootstrapServers));
    this.isLeaderless = isLeaderless;
  }

  @Override
  public ListOffsetsResult listOffsets(Map<TopicPartition, OffsetSpec> specs, ListOffsetsOptions options) {
    var answered = super.listOffsets(specs, options);
    var results = new HashMap<TopicPartition, KafkaFuture<ListOffsetsResultInfo>>();
    specs.keySet().forEach(each -> results.put(each,
        answered.partitionResult(each).thenApply(offset -> {
          if (isLeaderless.test(each)) {
            throw new TimeoutException("no leader");
          }
          return offset;
        })));
    return new ListOffsetsResult(results);
  }
}
