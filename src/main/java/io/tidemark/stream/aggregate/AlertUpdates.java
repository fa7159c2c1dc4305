package io.tidemark.stream.aggregate;

import io.tidemark.event.Alert;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.GroupUpdate;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.tick.DueQueue;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.Record;

/** The alerts that go to the groups in which rules on alerts read them, in the form of updates of members. */
record AlertUpdates(AvroSerde<Alert> serde) {

  private static final String NAME = "alerts";

  AlertUpdates(SchemaRegistry registry) {
    this(new AvroSerde<>(Alert.class, registry));
  }

  /**
   * Returns the update with which an alert reaches its group. The member is one transition of the alert. Its key begins
   * with the event time, because a group reads updates with the same {@code at} in the order of their members' keys.
   */
  GroupUpdate update(Record<String, Alert> alert, Instant at) {
    return GroupUpdate.newBuilder()
        .setAggregate(NAME)
        .setGroup(alert.key())
        .setMember(member(alert.value()))
        .setAt(at)
        .setFigures(ByteBuffer.wrap(serde.encode(NAME, alert.value())))
        .build();
  }

  private static String member(Alert alert) {
    return String.join("/", DueQueue.sortable(alert.getEventTime()), alert.getId(), alert.getStatus());
  }

  static boolean isAlert(GroupUpdate update) {
    return update.getAggregate().equals(NAME);
  }

  Record<String, Alert> alert(GroupUpdate update) {
    var bytes = AvroRecords.bytes(Objects.requireNonNull(update.getFigures()));
    return new Record<>(update.getGroup(), serde.decode(NAME, bytes), update.getAt().toEpochMilli());
  }
}
