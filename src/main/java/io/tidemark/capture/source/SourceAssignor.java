package io.tidemark.capture.source;

import static java.util.Comparator.comparingInt;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
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
import org.jspecify.annotations.Nullable;

/**
 * A cooperative and sticky assignor of slots to the instances that are eligible for them. A slot is the partition that
 * stands for one source. Kafka's cooperative-sticky assignor would also assign a source to an instance that has no key
 * for the source, and this instance could not pass the source on. A slot without an eligible instance stays unassigned.
 * A slot that moves to another instance is assigned only in the rebalance after its previous owner has released it.
 */
public final class SourceAssignor implements ConsumerPartitionAssignor, Configurable {

  /**
   * Key of a consumer's configuration: a {@code Supplier<Set<Integer>>} of the slots that this instance can run now.
   */
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
    var eligible = new TreeMap<String, Set<Integer>>();
    members.forEach((member, subscription) -> eligible.put(member, slots(subscription.userData())));
    return eligible;
  }

  private static Set<Integer> slots(ByteBuffer userData) {
    var slots = new HashSet<Integer>();
    for (var bytes = userData == null ? ByteBuffer.allocate(0) : userData.duplicate();
        bytes.remaining() >= Integer.BYTES;) {
      slots.add(bytes.getInt());
    }
    return slots;
  }

  /** If two members claim a slot, the owner is the member with the later generation of the group. */
  private static Map<Integer, String> owners(Map<String, Subscription> members) {
    var owners = new HashMap<Integer, String>();
    members.entrySet().stream()
        .sorted(comparingInt(member -> member.getValue().generationId().orElse(-1)))
        .forEach(member -> member.getValue().ownedPartitions()
            .forEach(slot -> owners.put(slot.partition(), member.getKey())));
    return owners;
  }

  /**
   * A plan that names the future owner of each slot: the current owner, or the eligible member with the fewest slots if
   * the slot has no eligible owner or its owner has at least two slots more than this member.
   */
  static final class SlotPlan {

    private final Map<String, Set<Integer>> eligible;
    private final Map<String, Integer> loads = new HashMap<>();
    private final Map<Integer, String> plan = new TreeMap<>();

    private SlotPlan(Map<String, Set<Integer>> eligible) {
      this.eligible = eligible;
    }

    /**
     * Returns the planned owner of each slot. The plan depends on the arguments alone, so that every member makes the
     * same plan.
     *
     * @param eligible slots that a member can run, by member
     * @param owners current owner, by slot
     */
    static Map<Integer, String> of(Map<String, Set<Integer>> eligible, Map<Integer, String> owners) {
      var slots = new TreeSet<Integer>();
      eligible.values().forEach(slots::addAll);
      var plan = new SlotPlan(eligible);
      slots.forEach(slot -> plan.retain(slot, owners.get(slot)));
      slots.forEach(plan::assignUnowned);
      new TreeMap<>(plan.plan).forEach(plan::balance);
      return plan.plan;
    }

    private void retain(int slot, @Nullable String owner) {
      if (owner != null && eligible.getOrDefault(owner, Set.of()).contains(slot)) {
        assign(slot, owner);
      }
    }

    private void assignUnowned(int slot) {
      if (!plan.containsKey(slot)) {
        assign(slot, candidates(slot).getFirst());
      }
    }

    /** Moves a slot if its owner has at least two slots more than another eligible member. */
    private void balance(int slot, String owner) {
      var idlest = candidates(slot).getFirst();
      if (load(owner) - load(idlest) > 1) {
        loads.merge(owner, -1, Integer::sum);
        assign(slot, idlest);
      }
    }

    private void assign(int slot, String member) {
      plan.put(slot, member);
      loads.merge(member, 1, Integer::sum);
    }

    /** Returns the members eligible for a slot, those with the fewest slots first. */
    private List<String> candidates(int slot) {
      return eligible.entrySet().stream()
          .filter(each -> each.getValue().contains(slot))
          .map(Map.Entry::getKey)
          .sorted(Comparator.comparingInt(this::load).thenComparing(Comparator.naturalOrder()))
          .toList();
    }

    private int load(String member) {
      return loads.getOrDefault(member, 0);
    }
  }
}
