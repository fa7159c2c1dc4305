package io.tidemark.stream.aggregate;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Streams;
import io.tidemark.event.GroupUpdate;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The members of groups, and which groups may have changed since they were last asked for. */
final class GroupStore {

  /** Stands between group and member; it is in no key of a resource. */
  private static final char SEPARATOR = '\0';

  private final Map<String, SerializedAggregation<?>> aggregations;
  private final KeyValueStore<String, byte[]> members;
  private final KeyValueStore<String, Long> active;

  GroupStore(Map<String, SerializedAggregation<?>> rollups, KeyValueStore<String, byte[]> members,
      KeyValueStore<String, Long> awake) {
    this.aggregations = rollups;
    this.members = members;
    this.active = awake;
  }

  /** A group of a rollup. */
  record GroupKey(String aggregate, String name) {

    static GroupKey of(String key) {
      var slash = key.indexOf('/');
      return new GroupKey(key.substring(0, slash), key.substring(slash + 1));
    }

    String key() {
      return aggregate + "/" + name;
    }
  }

  static String key(GroupUpdate sent) {
    return new GroupKey(sent.getAggregate(), sent.getGroup()).key() + SEPARATOR + sent.getMember();
  }

  /** Takes what is told of a member. */
  void apply(GroupUpdate sent) {
    var rollup = aggregations.get(sent.getAggregate());
    var before = members.get(key(sent));
    if (rollup == null || (before == null && sent.getFigures() == null)) {
      return;
    }
    var now = sent.getFigures() == null ? null : bytes(sent.getFigures());
    var joined = now == null ? null : rollup.withHistory(sent.getGroup(), before, now, sent.getAt());
    members.put(key(sent), joined);
    var until = sent.getAt().plus(rollup.aggregation().recomputedFor()).toEpochMilli();
    active.put(new GroupKey(sent.getAggregate(), sent.getGroup()).key(), until);
  }

  /** The groups that may have changed; those that will not change by time alone fall asleep. */
  List<GroupKey> active(Instant minute) {
    var all = new ArrayList<KeyValue<String, Long>>();
    try (var entries = active.all()) {
      entries.forEachRemaining(all::add);
    }
    all.stream().filter(each -> each.value <= minute.toEpochMilli()).forEach(each -> active.delete(each.key));
    return all.stream().map(each -> GroupKey.of(each.key)).filter(group -> aggregations.containsKey(group.aggregate()))
        .toList();
  }

  @Nullable
  SpecificRecord aggregate(GroupKey group, Instant minute) {
    try (var entries = members.prefixScan(group.key() + SEPARATOR, new StringSerializer())) {
      var figures = Streams.stream(entries).map(entry -> entry.value);
      return requireNonNull(aggregations.get(group.aggregate())).aggregate(group.name(), figures, minute);
    }
  }

  boolean outlivesMembers(GroupKey group) {
    return requireNonNull(aggregations.get(group.aggregate())).aggregation().outlivesMembers();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
