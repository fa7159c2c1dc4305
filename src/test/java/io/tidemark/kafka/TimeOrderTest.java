package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class TimeOrderTest {

  static final TopicPartition A = new TopicPartition("t", 0);
  static final TopicPartition B = new TopicPartition("t", 1);

  final TimeOrder order = new TimeOrder(Map.of(A, 3L, B, 2L));
  final Map<TopicPartition, Long> positions = new HashMap<>(Map.of(A, 0L, B, 0L));

  @Test
  void records_comeInTheOrderOfTime() {
    add(A, 10);
    add(A, 30);
    add(A, 50);
    add(B, 20);
    add(B, 40);

    assertThat(taken()).containsExactly(10L, 20L, 30L, 40L, 50L);
    assertThat(order.isComplete(positions)).isTrue();
  }

  @Test
  void record_waitsWhileAnEarlierOneMayComeFromAnotherPartition() {
    add(A, 10);
    assertThat(taken()).isEmpty();

    add(B, 5);
    assertThat(taken()).containsExactly(5L);
  }

  @Test
  void transactionMarkerAtTheEnd_completesAPartition() {
    add(A, 10);
    positions.put(B, 2L);

    assertThat(taken()).containsExactly(10L);
  }

  @Test
  void laterRecords_areAppended() {
    positions.putAll(Map.of(A, 3L, B, 2L));
    order.add(record(A, 3, 60));

    assertThat(taken()).containsExactly(60L);
  }

  @Test
  void partitionWithManyWaitingRecords_isFullUntilHalfAreTaken() {
    for (int i = 0; i <= TimeOrder.MOST_WAITING; i++) {
      order.add(record(A, i, 100 + i));
    }
    assertThat(order.full()).containsExactly(A);
    assertThat(order.drained(List.of(A))).isEmpty();

    positions.put(B, 2L);
    for (int i = 0; i <= TimeOrder.MOST_WAITING / 2; i++) {
      order.next(positions);
    }
    assertThat(order.drained(List.of(A))).containsExactly(A);
  }

  private void add(TopicPartition partition, long timestamp) {
    var offset = positions.merge(partition, 1L, Long::sum) - 1;
    order.add(record(partition, offset, timestamp));
  }

  private List<Long> taken() {
    var taken = new ArrayList<Long>();
    for (var next = order.next(positions); next != null; next = order.next(positions)) {
      taken.add(next.timestamp());
    }
    return taken;
  }

  private static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset, long timestamp) {
    return new ConsumerRecord<>(partition.topic(), partition.partition(), offset, timestamp,
        TimestampType.CREATE_TIME, 0, 0, new byte[0], new byte[0], new RecordHeaders(), Optional.empty());
  }
}
