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

/** The figures of the members of one partition, and the updates that their groups get at the end of the minute. */
final class MemberStore {

  private final KeyValueStore<String, byte[]> members;
  private final DueQueue<GroupUpdate> updates;

  MemberStore(KeyValueStore<String, byte[]> members, KeyValueStore<String, GroupUpdate> updates) {
    this.members = members;
    this.updates = new DueQueue<>(updates);
  }

  void fold(SerializedAggregation<?> aggregation, String member, SpecificRecord change, Instant minute) {
    var key = prefix(aggregation) + member;
    var before = members.get(key);
    var after = aggregation.fold(before, change);
    if (!Arrays.equals(before, after.figures())) {
      members.put(key, after.figures());
      after.groupsBefore().forEach(group -> enqueue(aggregation, group, member, null, minute));
      after.groups().forEach(group -> enqueue(aggregation, group, member, after.figures(), minute));
    }
  }

  void removeExpired(SerializedAggregation<?> aggregation, Instant minute) {
    expired(aggregation, minute).forEach((key, figures) -> {
      members.delete(key);
      var member = key.substring(prefix(aggregation).length());
      aggregation.groups(figures).forEach(group -> enqueue(aggregation, group, member, null, minute));
    });
  }

  /** Takes the updates up to the end of a minute out of the store. */
  List<GroupUpdate> removeDue(Instant minute) {
    return updates.removeDue(minute);
  }

  private Map<String, byte[]> expired(SerializedAggregation<?> aggregation, Instant minute) {
    var expired = new HashMap<String, byte[]>();
    try (var all = members.prefixScan(prefix(aggregation), new StringSerializer())) {
      all.forEachRemaining(entry -> {
        if (aggregation.isExpired(entry.value, minute)) {
          expired.put(entry.key, entry.value);
        }
      });
    }
    return expired;
  }

  /** The last update of a minute counts: a member that leaves a group and enters it again has never left it. */
  private void enqueue(
      SerializedAggregation<?> aggregation, String group, String member, byte @Nullable [] figures, Instant minute) {
    var update = GroupUpdate.newBuilder()
        .setAggregate(aggregation.name())
        .setGroup(group)
        .setMember(member)
        .setAt(minute)
        .setFigures(figures == null ? null : ByteBuffer.wrap(figures))
        .build();
    updates.put(minute, GroupStore.memberKey(update), update);
  }

  private static String prefix(SerializedAggregation<?> aggregation) {
    return aggregation.name() + "/";
  }
}
