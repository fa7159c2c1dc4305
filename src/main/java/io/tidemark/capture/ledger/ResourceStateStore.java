package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.capture.change.KnownStates;
import io.tidemark.capture.ledger.TransactionBuffer.PendingRecord;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest states of a source on this machine's disk, stored as the bytes they have in Kafka and decoded when read.
 * All states are in one {@link LocalStore}. The ledger's thread writes; any thread may read until the store is closed.
 */
public final class ResourceStateStore implements KnownStates, AutoCloseable {

  /**
   * Bytes of the maximum heap for each entry of a cache. One cache holds decoded targets and another holds decoded
   * pages of members, since both are read with each snapshot. An entry takes about 4,000 bytes.
   */
  private static final long HEAP_OF_CACHED_TARGET = 128 << 10;

  private static final int TARGETS_BY_MEMBER = 0xE0;
  private static final int DEADLINES_BY_NAME = 0xF0;
  private static final int DEADLINES_BY_TIME = 0xF1;

  private final LocalStore local;
  private final Map<String, StateTable<?>> resources = new HashMap<>();
  private final Map<String, StateTable<?>> byTopic = new HashMap<>();
  private final StateTable<TargetState> targets;
  private final StateTable<TargetMembers> members;
  private final MemberIndex targetsByMember;
  private final DeadlineQueue deadlines;

  /** @param folder parent folder, in which the store creates its folder; null for the system's temporary folder */
  public ResourceStateStore(Topics topics, SchemaRegistry registry, @Nullable Path folder) {
    local = LocalStore.create(folder);
    topics.resources().forEach(each -> resources.put(each.resource(), table(each.state(), registry, 0)));
    var cached = (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / HEAP_OF_CACHED_TARGET);
    targets = table(topics.targetState(), registry, cached);
    members = table(topics.targetMembers(), registry, cached);
    targetsByMember = new MemberIndex(local, TARGETS_BY_MEMBER);
    deadlines = new DeadlineQueue(local, DEADLINES_BY_NAME, DEADLINES_BY_TIME);
  }

  /** Returns whether a store for the given topics holds the values of the topic with the given name. */
  static boolean holds(Topics topics, String topic) {
    return topics.targetState().name().equals(topic)
        || topics.targetMembers().name().equals(topic)
        || topics.resources().stream().anyMatch(each -> each.state().name().equals(topic));
  }

  @Override
  public @Nullable SpecificRecord find(String resource, String key) {
    return resource(resource).find(key);
  }

  @Override
  public @Nullable TargetState targetState(String name) {
    return targets.find(name);
  }

  @Override
  public List<TargetMembers> members(String target) {
    var pages = new ArrayList<TargetMembers>();
    var along = members.find(memberKey(target, 0));
    if (along != null) {
      pages.add(along);
    }
    for (var page = members.find(memberKey(target, 1)); page != null;) {
      pages.add(page);
      page = members.find(memberKey(target, page.getPage() + 1));
    }
    return pages;
  }

  @Override
  public Set<String> targetsWithMember(String key) {
    return targetsByMember.targets(key);
  }

  /** Returns the number of states of a kind of resource, counted one by one. */
  public int size(String resource) {
    return resource(resource).size();
  }

  /**
   * Visits at most {@code most} states of a kind of resource, in the order of their keys.
   *
   * @param after key after which to begin; null to begin with the first key
   * @return key of the last visited state; null if fewer than {@code most} states were visited, so that none follows
   */
  public @Nullable String visit(
      String resource, @Nullable String after, int most, BiConsumer<String, SpecificRecord> visitor) {
    return resource(resource).visit(after, most, visitor);
  }

  /** Visits every known target. */
  public void forEachTarget(Consumer<TargetState> visitor) {
    targets.visit(null, Integer.MAX_VALUE, (name, state) -> visitor.accept(state));
  }

  /**
   * Puts encoded records that are to be written to Kafka, all in one batch. Ignores records of topics that this store
   * does not hold.
   */
  void putEncoded(List<PendingRecord> records) {
    try (var batch = local.batch()) {
      for (var record : records) {
        var table = byTopic.get(record.topic());
        var key = record.key();
        if (table == members && key != null) {
          putPage(batch, key, record.value());
        } else if (table != null && key != null) {
          table.putEncoded(batch, key, record.value());
        }
      }
      batch.write();
    }
    for (var record : records) {
      var table = byTopic.get(record.topic());
      var key = record.key();
      if (table != null && key != null) {
        table.forget(key);
      }
    }
  }

  private void putPage(LocalStore.StoreBatch batch, byte[] key, byte @Nullable [] value) {
    members.putEncoded(batch, key, value);
    targetsByMember.update(batch, members.find(new String(key, UTF_8)), value == null ? null : members.decode(value));
  }

  /**
   * Puts encoded records that were read from Kafka. Call this method only before the first read, since it updates
   * neither the caches nor the index of members.
   */
  void putAllEncoded(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    try (var batch = local.batch()) {
      for (var record : records) {
        var table = byTopic.get(record.topic());
        if (table != null && record.key() != null) {
          table.putEncoded(batch, record.key(), record.value());
        }
      }
      batch.write();
    }
  }

  /**
   * Forgets, for every target, which bodies its last answers had, so that the next answers are read even if their
   * bodies are unchanged. Call this method if states of resources in these bodies may be missing.
   */
  void forgetBodies() {
    forEachTarget(state -> targets.put(
        state.getTarget(), TargetState.newBuilder(state).setPages(List.of()).build()));
  }

  /**
   * Indexes the members of the targets, and starts to compact the local store. Call this method after everything is
   * restored.
   */
  void loaded() {
    members.visit(null, Integer.MAX_VALUE, (key, page) -> {
      try (var batch = local.batch()) {
        targetsByMember.update(batch, null, page);
        batch.write();
      }
    });
    local.loaded();
  }

  /** Returns the queue of the deadlines of resources and targets, which {@link Deadlines} fills. */
  DeadlineQueue deadlines() {
    return deadlines;
  }

  @Override
  public void close() {
    local.close();
  }

  static String memberKey(TargetMembers page) {
    return memberKey(page.getTarget(), page.getPage());
  }

  private static String memberKey(String target, int page) {
    return target + "#" + page;
  }

  private StateTable<?> resource(String name) {
    var table = resources.get(name);
    if (table == null) {
      throw new IllegalArgumentException(
          "no kind of resource is named '" + name + "'; the kinds are " + resources.keySet());
    }
    return table;
  }

  private <V extends SpecificRecord> StateTable<V> table(Topic<V> topic, SchemaRegistry registry, int cached) {
    var table = new StateTable<>(local, byTopic.size() + 1, topic, registry, cached);
    byTopic.put(topic.name(), table);
    return table;
  }

  /**
   * An index of the targets by the keys of their members, in a local store. The index is derived from the topic
   * {@code target.members}, whose values are in the same store.
   */
  private static final class MemberIndex {

    private final LocalStore local;
    private final byte table;

    /** @param table first byte of the index's keys */
    MemberIndex(LocalStore local, int table) {
      this.local = local;
      this.table = (byte) table;
    }

    /**
     * Replaces a page of a target's members in the index, as part of a batch. {@code before} is null if the page is
     * new, and {@code now} is null if the page is gone.
     */
    void update(LocalStore.StoreBatch batch, @Nullable TargetMembers before, @Nullable TargetMembers now) {
      if (before != null) {
        without(before, now).forEach(key -> batch.put(entry(key, before), null));
      }
      if (now != null) {
        without(now, before).forEach(key -> batch.put(entry(key, now), new byte[0]));
      }
    }

    private static Set<String> without(TargetMembers page, @Nullable TargetMembers other) {
      var members = new HashSet<>(page.getMembers());
      if (other != null) {
        other.getMembers().forEach(members::remove);
      }
      return members;
    }

    Set<String> targets(String key) {
      var prefix = prefix(key.getBytes(UTF_8), 0).array();
      var targets = new HashSet<String>();
      local.scan(prefix, prefix, (entry, nothing) -> {
        targets.add(new String(entry, prefix.length, entry.length - prefix.length - Integer.BYTES, UTF_8));
        return true;
      });
      return targets;
    }

    /**
     * Returns the index's key for a member on a page. The number of the page is part of the index's key, since a member
     * may be on several pages of a target.
     */
    private byte[] entry(String key, TargetMembers page) {
      var target = page.getTarget().getBytes(UTF_8);
      return prefix(key.getBytes(UTF_8), target.length + Integer.BYTES).put(target).putInt(page.getPage()).array();
    }

    /**
     * Returns the first part of a key of the index. This part includes the length of the member's key, so that the
     * first part for one member is never the beginning of the first part for another member.
     */
    private ByteBuffer prefix(byte[] key, int more) {
      return ByteBuffer.allocate(1 + Integer.BYTES + key.length + more).put(table).putInt(key.length).put(key);
    }
  }
}
