package io.tidemark.capture.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.capture.ledger.TestSource;
import io.tidemark.event.SourceSlot;
import io.tidemark.fault.NetworkConditions;
import io.tidemark.fault.Proxy;
import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.ClassicGroup;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.embedded.EmbeddedBroker;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two and three instances in one group, in one JVM. */
class GroupMembershipIT {

  static final Duration LATE = Duration.ofSeconds(3);

  /** Kafka's clients keep the longest response time for 30 s if they are not told otherwise. */
  static final Duration LESS_THAN_A_SAMPLE = Duration.ofSeconds(20);

  final String prefix = SharedBroker.freshPrefix();
  final List<String> events = new CopyOnWriteArrayList<>();
  final List<Instance> instances = new ArrayList<>();
  Map<String, Object> kafka = TestSource.KAFKA;

  @AfterEach
  void close() {
    instances.forEach(Instance::close);
  }

  @Test
  void instancesJoinAndLeave_everySourceIsOneInstances() {
    var slots = slots(4);
    var a = new Instance("a", slots);
    await().until(() -> a.owns() == 4);
    var b = new Instance("b", slots);
    await().until(() -> a.owns() == 2 && b.owns() == 2);
    var c = new Instance("c", slots);
    await().until(() -> a.owns() + b.owns() + c.owns() == 4 && c.owns() == 1);
    a.close();
    await().atMost(ClassicGroup.SESSION_TIMEOUT).until(() -> b.owns() == 2 && c.owns() == 2);
    b.close();
    await().atMost(ClassicGroup.SESSION_TIMEOUT).until(() -> c.owns() == 4);

    assertThat(overlaps()).isEmpty();
  }

  @Test
  void sourceRevoked_isAssignedOnlyWhenItWasReleased() {
    var slots = slots(2);
    var finish = new CompletableFuture<Void>();
    var a = new Instance("a", slots, finish);
    await().until(() -> a.owns() == 2);
    var b = new Instance("b", slots);
    await().until(() -> events.stream().anyMatch(event -> event.startsWith("a polled")));

    assertThat(b.owns()).isZero();
    assertThat(a.leases().stream().filter(Lease::held)).as("stops asking at once").hasSize(1);
    finish.complete(null);
    await().until(() -> b.owns() == 1);
    assertThat(overlaps()).isEmpty();
  }

  @Test
  void memberExpelled_losesAtOnceAndRejoins() throws Exception {
    var slot = slots(1).getFirst();
    var a = new Instance("a", List.of(slot));
    await().until(() -> a.owns() == 1);

    try (var admin = Admin.create(TestSource.KAFKA)) {
      admin
          .removeMembersFromConsumerGroup(ClusterTopics.UNPREFIXED.sources().name(),
              new RemoveMembersFromConsumerGroupOptions())
          .all()
          .get();
    }

    await().atMost(ClassicGroup.SESSION_TIMEOUT)
        .untilAsserted(
            () -> assertThat(events).containsExactly("a acquired " + slot, "a lost " + slot, "a acquired " + slot));
    assertThat(a.leases()).first().matches(lease -> !lease.held());
    assertThat(a.leases()).last().matches(Lease::held);
  }

  @Test
  void instancesWithOtherSources_eachWorksItsOwn() {
    var slots = slots(3);
    var a = new Instance("a", slots.subList(0, 2));
    var b = new Instance("b", slots.subList(2, 3));

    await().until(() -> a.owns() == 2 && b.owns() == 1);
    b.close();
    var c = new Instance("c", slots.subList(1, 2));
    await().until(() -> c.owns() == 1 && a.owns() == 1);

    assertThat(events).filteredOn(event -> event.endsWith("acquired " + slots.get(2)))
        .containsExactly("b acquired " + slots.get(2));
  }

  @Test
  void sourceGivenUp_isAssignedToEligibleInstances() {
    var slots = slots(1);
    var a = new Instance("a", slots);
    await().until(() -> a.owns() == 1);
    var b = new Instance("b", slots);

    a.ownership.withdraw(slots.getFirst());
    await().until(() -> b.owns() == 1);
    b.ownership.withdraw(slots.getFirst());
    await().until(() -> b.owns() == 0);

    assertThat(a.owns()).isZero();
  }

  @Test
  void heartbeat_renewsTheLease() {
    var a = new Instance("a", slots(1));
    await().until(() -> a.owns() == 1);
    var until = a.leases().getFirst().until();

    await().until(() -> a.leases().getFirst().until() > until);
  }

  /** A lease that stays short would keep an owner from polling long after its network is well again. */
  @Test
  void heartbeatAnsweredLate_theNextRenewTheLeaseInFull(@TempDir Path folder) throws IOException {
    var port = new AtomicInteger();
    try (var network = Proxy.to(port::get, (connection, bytes, length) -> true);
        var broker = EmbeddedBroker.start(new BrokerSettings(0, network.port(), folder, -1))) {
      port.set(URI.create("kafka://" + broker.bootstrapServers()).getPort());
      kafka = Map.of("bootstrap.servers", "127.0.0.1:" + network.port());
      try (var a = new Instance("a", slots(1))) {
        await().until(() -> a.owns() == 1 && a.ownership.sinceHeartbeat().compareTo(LATE) < 0);

        network.set(NetworkConditions.CUT);
        await().until(() -> a.ownership.sinceHeartbeat().compareTo(LATE) > 0);
        network.set(NetworkConditions.FAIR);

        var nearlyFull = GroupSettings.LEASE.minus(LATE.dividedBy(2)).toNanos();
        await().atMost(LESS_THAN_A_SAMPLE).until(() -> a.leases().getFirst().until() - System.nanoTime() > nearlyFull);
      }
    }
  }

  private List<Integer> slots(int count) {
    var sources = IntStream.range(0, count)
        .mapToObj(number -> SourceSlot.newBuilder().setSource("s" + number).setPrefix(prefix).build())
        .toList();
    return SourceSlots.claim(sources, kafka, ClusterTopics.UNPREFIXED,
        new BuiltInRegistry(List.of(ClusterTopics.UNPREFIXED.sources())), (short) 1)
        .stream()
        .map(SourceSlot::getSlot)
        .toList();
  }

  /** Events where a source is assigned while another instance owns it. */
  private List<String> overlaps() {
    var owned = new HashMap<String, String>();
    var overlaps = new ArrayList<String>();
    for (var event : events) {
      var parts = event.split(" ");
      var source = parts[parts.length - 1];
      if (parts[1].equals("acquired") && owned.put(source, parts[0]) != null) {
        overlaps.add(event);
      } else if (parts[1].equals("released") || parts[1].equals("lost")) {
        owned.remove(source);
      }
    }
    return overlaps;
  }

  /** One instance. */
  private final class Instance implements AutoCloseable {

    final String name;
    final Map<Integer, Work> work;
    final GroupMembership ownership;

    Instance(String name, List<Integer> slots) {
      this(name, slots, CompletableFuture.completedFuture(null));
    }

    Instance(String name, List<Integer> slots, CompletableFuture<Void> finished) {
      this.name = name;
      this.work = slots.stream().collect(Collectors.toMap(slot -> slot, slot -> new Work(slot, finished)));
      this.ownership =
          GroupMembership.start(new GroupSettings(kafka, ClusterTopics.UNPREFIXED, name), Map.copyOf(work));
      instances.add(this);
    }

    long owns() {
      return work.values().stream().filter(each -> each.lease != null).count();
    }

    List<Lease> leases() {
      return work.values().stream().flatMap(each -> each.leases.stream()).toList();
    }

    @Override
    public void close() {
      ownership.close();
    }

    private final class Work implements OwnershipListener {

      final int number;
      final CompletableFuture<Void> finished;
      final List<Lease> leases = new CopyOnWriteArrayList<>();
      volatile @Nullable Lease lease;

      Work(int number, CompletableFuture<Void> finished) {
        this.number = number;
        this.finished = finished;
      }

      @Override
      public void onAssigned(Lease lease) {
        events.add(name + " acquired " + number);
        leases.add(lease);
        this.lease = lease;
      }

      @Override
      public CompletableFuture<Void> onRevoked() {
        events.add(name + " polled " + number);
        return finished.thenRun(() -> {
          events.add(name + " released " + number);
          lease = null;
        });
      }

      @Override
      public void onLost() {
        events.add(name + " lost " + number);
        lease = null;
      }
    }
  }
}
