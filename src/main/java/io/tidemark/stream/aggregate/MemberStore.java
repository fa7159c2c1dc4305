package io.tidemark.stream.aggregate;

import io.tidemark.event.GroupUpdate;
import io.tidemark.stream.tick.DueQueue;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The figures of the members of a partition, and what their groups will be told of them when a minute is over. */
final class MemberStore {

  private final KeyValueStore<String, byte[]> known;
  private final DueQueue<GroupUpdate> waiting;

  MemberStore(KeyValueStore<String, byte[]> known, KeyValueStore<String, GroupUpdate> waiting) {
    this.known = known;
    this.waiting = new DueQueue<>(waiting);
  }

  void fold(SerializedAggregation<?> rollup, String member, SpecificRecord change, Instant minute) {
    var key = prefix(rollup) + member;
    var before = known.get(key);
    var after = rollup.fold(before, change);
    if (!Arrays.equals(before, after.figures())) {
      known.put(key, after.figures());
      after.groupsBefore().forEach(group -> enqueue(rollup, group, member, null, minute));
      after.groups().forEach(group -> enqueue(rollup, group, member, after.figures(), minute));
    }
  }

  /** Forgets the members of a rollup that are over at a minute. */
  void removeExpired(SerializedAggregation<?> rollup, Instant minute) {
    expired(rollup, minute).forEach((key, figures) -> {
      known.delete(key);
      var member = key.substring(prefix(rollup).length());
      rollup.groups(figures).forEach(group -> enqueue(rollup, group, member, null, minute));
    });
  }

  /** What is to be told up to the end of a minute. */
  List<GroupUpdate> removeDue(Instant minute) {
    return waiting.removeDue(minute);
  }

  private Map<String, byte[]> expired(SerializedAggregation<?> rollup, Instant minute) {
    var over = new HashMap<String, byte[]>();
    try (var all = known.prefixScan(prefix(rollup), new StringSerializer())) {
      all.forEachRemaining(entry -> {
        if (rollup.isExpired(entry.value, minute)) {
          over.put(entry.key, entry.value);
        }
      });
    }
    return over;
  }

  /** The last word of a minute counts: a group that is left and entered again was never left. */
  private void enqueue(SerializedAggregation<?> rollup, String group, String member, byte @Nullable [] figures,
      Instant minute) {
    var sent = GroupUpdate.newBuilder()
        .setAggregate(rollup.aggregation().name())
        .setGroup(group)
        .setMember(member)
        .setAt(minute)
        .setFigures(figures == null ? null : ByteBuffer.wrap(figures))
        .build();
    waiting.put(minute, GroupStore.key(sent), sent);
  }

  private static String prefix(SerializedAggregation<?> rollup) {
    return rollup.aggregation().name() + "/";
  }
}
