package io.tidemark.stream.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.TaskRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tick records between tasks: each task sends its tick to every partition, once a second. */
class TickRecordsTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int SECONDS = 10;

  @ParameterizedTest
  @ValueSource(ints = {6, 12, 24, 48})
  void tickRecordsOfASecond_areOneOfEachTaskForEachPartition(int partitions) {
    var upstream = IntStream.range(0, partitions).mapToObj(TickRecordsTest::upstream).toList();
    var ticks = new ArrayList<GroupUpdate>();
    for (var second = 0; second <= SECONDS; second++) {
      var tick = new Control("tick", NOON.plusSeconds(second), 0L, null, partitions);
      upstream.forEach(task -> ticks.addAll(task.process("", tick, tick.getAt())));
    }

    assertThat(ticks).hasSize(SECONDS * partitions).allMatch(tick -> tick.getControl() != null);
    var sent = ticks.stream().mapToInt(tick -> Groups.partitions(tick, partitions).orElseThrow().size()).sum();
    assertThat(sent / SECONDS).isEqualTo(partitions * partitions);
    System.out.printf("%d partitions: %d tick records a second%n", partitions, sent / SECONDS);
  }

  private static TaskRun<SpecificRecord, GroupUpdate> upstream(int partition) {
    return new TaskRun<SpecificRecord, GroupUpdate>(
        TaskRun.withResources((resources, context,
            output) -> new Members(List.of(), resources, new BuiltInRegistry(List.of()), context, output)::process),
        partition, List.of(
            TaskRun.resources(),
            new CountingStore<byte[]>(Members.WAITING),
            new CountingStore<Long>(Members.TICK)));
  }
}
