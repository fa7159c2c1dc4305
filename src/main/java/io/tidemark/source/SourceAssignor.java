package io.tidemark.source;

import static java.util.Comparator.comparingInt;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;

/**
 * Shares slots out over the instances that say they can work them: cooperative and sticky. A slot that nobody can work is
 * nobody's, and one that is to move stays out of this round until its owner has given it back.
 */
public final class SourceAssignor implements ConsumerPartitionAssignor, Configurable {

  /** In a consumer's configuration: a {@code Supplier<Set<Integer>>} of the slots that this instance can work now. */
  static final String ELIGIBLE_SLOTS = "tidemark.slots";

  private Supplier<Set<Integer>> eligibleSlots = Set::of;

  @Override
  @SuppressWarnings("unchecked")
  public void configure(Map<String, ?> configs) {
    if (configs.get(ELIGIBLE_SLOTS) instanceof Supplier<?> slots) {
      eligibleSlots = (Supplier<Set<Integer>>) slots;
    }
  }

  @Override
  public String name() {
    return "tidemark-sources";
  }

  @Override
  public List<RebalanceProtocol> supportedProtocols() {
    return List.of(RebalanceProtocol.COOPERATIVE);
  }

  @Override
  public ByteBuffer subscriptionUserData(Set<String> topics) {
    var slots = new TreeSet<>(eligibleSlots.get());
    var bytes = ByteBuffer.allocate(Integer.BYTES * slots.size());
    slots.forEach(bytes::putInt);
    return bytes.flip();
  }

  @Override
  public GroupAssignment assign(Cluster cluster, GroupSubscription group) {
    var members = new TreeMap<>(group.groupSubscription());
    var owners = owners(members);
    var plan = SlotPlan.of(eligibleSlots(members), owners);
    var assignment = new HashMap<String, Assignment>();
    members.forEach(
        (member, subscription) -> assignment.put(member, new Assignment(slots(member, subscription, plan, owners))));
    return new GroupAssignment(assignment);
  }

  private static List<TopicPartition> slots(
      String member, Subscription subscription, Map<Integer, String> plan, Map<Integer, String> owners) {
    var slots = new ArrayList<TopicPartition>();
    plan.forEach((slot, planned) -> {
      if (planned.equals(member) && owners.getOrDefault(slot, member).equals(member)) {
        slots.add(new TopicPartition(subscription.topics().getFirst(), slot));
      }
    });
    return slots;
  }

  private static Map<String, Set<Integer>> eligibleSlots(Map<String, Subscription> members) {
    var canWork = new TreeMap<String, Set<Integer>>();
    members.forEach((member, subscription) -> canWork.put(member, slots(subscription.userData())));
    return canWork;
  }

  private static Set<Integer> slots(ByteBuffer said) {
    var slots = new HashSet<Integer>();
    for (var bytes = said == null ? ByteBuffer.allocate(0) : said.duplicate(); bytes.remaining() >= Integer.BYTES;) {
      slots.add(bytes.getInt());
    }
    return slots;
  }

  /** Of two that say a slot is theirs, the one who heard of the group later is right. */
  private static Map<Integer, String> owners(Map<String, Subscription> members) {
    var owners = new HashMap<Integer, String>();
    members.entrySet().stream()
        .sorted(comparingInt(member -> generation(member.getValue())))
        .forEach(member -> member.getValue().ownedPartitions()
            .forEach(slot -> owners.put(slot.partition(), member.getKey())));
    return owners;
  }

  private static int generation(Subscription subscription) {
    return subscription.generationId().orElse(-1);
  }
}
