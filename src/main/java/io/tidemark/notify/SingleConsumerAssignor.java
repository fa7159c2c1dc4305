package io.tidemark.notify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.internals.AbstractPartitionAssignor;
import org.apache.kafka.common.TopicPartition;

/**
 * An assignor that gives all partitions to one member of a receiver's consumer group, while the other members stand by.
 * So the notification limit applies to the receiver as a whole, and the receiver's notifications have one order. The
 * class is public because Kafka instantiates it by name.
 */
public final class SingleConsumerAssignor extends AbstractPartitionAssignor {

  @Override
  public String name() {
    return "one-reader";
  }

  @Override
  public Map<String, List<TopicPartition>> assign(
      Map<String, Integer> partitionsPerTopic, Map<String, Subscription> subscriptions) {
    var assignment = new HashMap<String, List<TopicPartition>>();
    subscriptions.keySet().forEach(member -> assignment.put(member, new ArrayList<>()));
    var owner = subscriptions.entrySet().stream()
        .min(Comparator.<Map.Entry<String, Subscription>>comparingInt(each -> -each.getValue().ownedPartitions().size())
            .thenComparing(Map.Entry::getKey))
        .orElseThrow()
        .getKey();
    var all = new ArrayList<TopicPartition>();
    partitionsPerTopic.forEach((topic, count) -> IntStream.range(0, count)
        .forEach(partition -> all.add(new TopicPartition(topic, partition))));
    assignment.put(owner, all);
    return assignment;
  }
}
