package io.tidemark.stream.rollup;

import io.tidemark.event.Sent;
import io.tidemark.stream.tick.Agenda;
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
final class Members {

  private final KeyValueStore<String, byte[]> known;
  private final Agenda<Sent> waiting;

  Members(KeyValueStore<String, byte[]> known, KeyValueStore<String, Sent> waiting) {
    this.known = known;
    this.waiting = new Agenda<>(waiting);
  }

  void fold(Figures<?> rollup, String member, SpecificRecord change, Instant minute) {
    var key = prefix(rollup) + member;
    var before = known.get(key);
    var after = rollup.fold(before, change);
    if (!Arrays.equals(before, after.figures())) {
      known.put(key, after.figures());
      after.groupsBefore().forEach(group -> tell(rollup, group, member, null, minute));
      after.groups().forEach(group -> tell(rollup, group, member, after.figures(), minute));
    }
  }

  /** Forgets the members of a rollup that are over at a minute. */
  void forget(Figures<?> rollup, Instant minute) {
    over(rollup, minute).forEach((key, figures) -> {
      known.delete(key);
      var member = key.substring(prefix(rollup).length());
      rollup.groups(figures).forEach(group -> tell(rollup, group, member, null, minute));
    });
  }

  /** What is to be told up to the end of a minute. */
  List<Sent> take(Instant minute) {
    return waiting.take(minute);
  }

  private Map<String, byte[]> over(Figures<?> rollup, Instant minute) {
    var over = new HashMap<String, byte[]>();
    try (var all = known.prefixScan(prefix(rollup), new StringSerializer())) {
      all.forEachRemaining(entry -> {
        if (rollup.isOver(entry.value, minute)) {
          over.put(entry.key, entry.value);
        }
      });
    }
    return over;
  }

  /** The last word of a minute counts: a group that is left and entered again was never left. */
  private void tell(Figures<?> rollup, String group, String member, byte @Nullable [] figures, Instant minute) {
    var sent = Sent.newBuilder()
        .setRollup(rollup.rollup().name())
        .setGroup(group)
        .setMember(member)
        .setAt(minute)
        .setFigures(figures == null ? null : ByteBuffer.wrap(figures))
        .build();
    waiting.put(minute, Groups.key(sent), sent);
  }

  private static String prefix(Figures<?> rollup) {
    return rollup.rollup().name() + "/";
  }
}
