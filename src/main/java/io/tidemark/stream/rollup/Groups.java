package io.tidemark.stream.rollup;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Streams;
import io.tidemark.event.Sent;
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
final class Groups {

  /** Stands between group and member; it is in no key of a resource. */
  private static final char BORDER = '\0';

  private final Map<String, Figures<?>> rollups;
  private final KeyValueStore<String, byte[]> members;
  private final KeyValueStore<String, Long> awake;

  Groups(Map<String, Figures<?>> rollups, KeyValueStore<String, byte[]> members, KeyValueStore<String, Long> awake) {
    this.rollups = rollups;
    this.members = members;
    this.awake = awake;
  }

  /** A group of a rollup. */
  record Group(String rollup, String name) {

    static Group of(String key) {
      var slash = key.indexOf('/');
      return new Group(key.substring(0, slash), key.substring(slash + 1));
    }

    String key() {
      return rollup + "/" + name;
    }
  }

  static String key(Sent sent) {
    return new Group(sent.getRollup(), sent.getGroup()).key() + BORDER + sent.getMember();
  }

  /** Takes what is told of a member. */
  void apply(Sent sent) {
    var rollup = rollups.get(sent.getRollup());
    var before = members.get(key(sent));
    if (rollup == null || (before == null && sent.getFigures() == null)) {
      return;
    }
    var now = sent.getFigures() == null ? null : bytes(sent.getFigures());
    var joined = now == null ? null : rollup.joined(sent.getGroup(), before, now, sent.getAt());
    members.put(key(sent), joined);
    var until = sent.getAt().plus(rollup.rollup().lasts()).toEpochMilli();
    awake.put(new Group(sent.getRollup(), sent.getGroup()).key(), until);
  }

  /** The groups that may have changed; those that will not change by time alone fall asleep. */
  List<Group> awake(Instant minute) {
    var all = new ArrayList<KeyValue<String, Long>>();
    try (var entries = awake.all()) {
      entries.forEachRemaining(all::add);
    }
    all.stream().filter(each -> each.value <= minute.toEpochMilli()).forEach(each -> awake.delete(each.key));
    return all.stream().map(each -> Group.of(each.key)).filter(group -> rollups.containsKey(group.rollup())).toList();
  }

  @Nullable
  SpecificRecord aggregate(Group group, Instant minute) {
    try (var entries = members.prefixScan(group.key() + BORDER, new StringSerializer())) {
      var figures = Streams.stream(entries).map(entry -> entry.value);
      return requireNonNull(rollups.get(group.rollup())).of(group.name(), figures, minute);
    }
  }

  boolean stands(Group group) {
    return requireNonNull(rollups.get(group.rollup())).rollup().stands();
  }

  private static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }
}
