package io.tidemark.stream.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Appeared;
import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.event.Launches;
import io.tidemark.event.Liquidity;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.TaskRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes out behind a repartition does not depend on which of the partitions before it is ahead. */
class PartitionOrderTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int PARTITIONS = 3;
  static final int SECONDS = 200;

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());
  private static final List<Aggregation<?, ?>> AGGREGATIONS =
      List.of(new LiquidityByExchange(), new LaunchesByHour());

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void partitionThatIsFarBehind_changesNothing(int slow) {
    var inStep = gathered(sentInStep());

    var delayed = new ArrayList<GroupUpdate>();
    for (var partition = 0; partition < PARTITIONS; partition++) {
      if (partition != slow) {
        delayed.addAll(sentBy(partition, 0));
      }
    }
    delayed.addAll(sentBy(slow, 0));

    assertThat(gathered(delayed)).isEqualTo(inStep);
    assertThat(inStep.stream().filter(Liquidity.class::isInstance)).hasSizeGreaterThan(5);
    assertThat(inStep.stream().filter(Alert.class::isInstance)).hasSizeGreaterThan(PARTITIONS * SECONDS / 6);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anyInterleaving_givesTheSame(long seed) {
    assertThat(gathered(shuffled(seed))).isEqualTo(gathered(sentInStep()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void taskThatMovesAgainAndAgain_givesTheSame(long seed) {
    assertThat(gathered(shuffled(seed), 5)).isEqualTo(gathered(sentInStep()));
  }

  @Test
  void recordsThatAreReadATickLate_changeNothing() {
    var sent = new ArrayList<GroupUpdate>();
    for (var partition = 0; partition < PARTITIONS; partition++) {
      sent.addAll(sentBy(partition, 1));
    }

    assertThat(gathered(sent)).isEqualTo(gathered(sentInStep()));
  }

  /** All pools of an hour expire at once, and the last row of the hour stays for good. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void poolsOfAnHourThatExpire_leaveTheSameRow_whicheverPartitionIsBehind(int slow) {
    var byPartition = IntStream.range(0, PARTITIONS).mapToObj(PartitionOrderTest::sentUntilExpiry).toList();
    var inStep = new ArrayList<>(byPartition.stream().flatMap(List::stream).toList());
    inStep.sort(Comparator.comparing(GroupUpdate::getAt));
    var delayed = new ArrayList<GroupUpdate>();
    IntStream.range(0, PARTITIONS).filter(each -> each != slow).forEach(each -> delayed.addAll(byPartition.get(each)));
    delayed.addAll(byPartition.get(slow));

    assertThat(launches(delayed)).isEqualTo(launches(inStep)).last()
        .satisfies(last -> assertThat(last.getPools()).isEqualTo(PARTITIONS));
  }

  private static List<Launches> launches(List<GroupUpdate> sent) {
    return gathered(sent).stream().filter(Launches.class::isInstance).map(Launches.class::cast).toList();
  }

  @Test
  void nothingIsPublished_beforeEveryPartitionSentATick() {
    assertThat(gathered(sentBy(0, 0))).isEmpty();
  }

  /** Of all partitions, each as far as the others. */
  private static List<GroupUpdate> sentInStep() {
    var sent = new ArrayList<GroupUpdate>();
    for (var partition = 0; partition < PARTITIONS; partition++) {
      sent.addAll(sentBy(partition, 0));
    }
    sent.sort(Comparator.comparing(GroupUpdate::getAt));
    return sent;
  }

  private static List<GroupUpdate> shuffled(long seed) {
    var random = new Random(seed);
    var queues = new ArrayList<List<GroupUpdate>>();
    for (var partition = 0; partition < PARTITIONS; partition++) {
      queues.add(new ArrayList<>(sentBy(partition, 0)));
    }
    var sent = new ArrayList<GroupUpdate>();
    while (queues.stream().anyMatch(queue -> !queue.isEmpty())) {
      var queue = queues.get(random.nextInt(PARTITIONS));
      if (!queue.isEmpty()) {
        sent.add(queue.removeFirst());
      }
    }
    return sent;
  }

  /**
   * What the task of a partition sends: a pool of it changes every seventh second.
   *
   * @param behind how many ticks late changes are read
   */
  private static List<GroupUpdate> sentBy(int partition, int behind) {
    var task = membersOf(partition);
    var sent = new ArrayList<GroupUpdate>();
    for (var second = 0; second < SECONDS; second++) {
      var at = NOON.plusSeconds(second);
      var late = at.minusSeconds(behind);
      if (behind == 0 && second % 7 == 0) {
        sent.addAll(task.process("pool-" + partition, change(partition, at), at));
      }
      if (second % 5 == 0) {
        sent.addAll(task.process("solana", alert(partition, at), at));
      }
      sent.addAll(task.process("", tick(at), at));
      if (behind > 0 && second >= behind && (second - behind) % 7 == 0) {
        sent.addAll(task.process("pool-" + partition, change(partition, late), late));
      }
    }
    return sent;
  }

  /** What the task of a partition sends until more than a day after its pool was created, when the pool has expired. */
  private static List<GroupUpdate> sentUntilExpiry(int partition) {
    var task = membersOf(partition);
    var created = change(partition, NOON.plusSeconds(60));
    created.setOrigin(Origins.at(NOON.plusSeconds(60)));
    created.setAppeared(new Appeared("created", null, null, 30.0));
    var sent = new ArrayList<>(task.process("pool-" + partition, created, NOON.plusSeconds(60)));
    for (var at = NOON.plusSeconds(61); at.isBefore(NOON.plus(Duration.ofHours(28))); at = at.plusSeconds(30)) {
      sent.addAll(task.process("", tick(at), at));
    }
    return sent;
  }

  private static TaskRun<SpecificRecord, GroupUpdate> membersOf(int partition) {
    return new TaskRun<SpecificRecord, GroupUpdate>(
        TaskRun.withResources(
            (resources, context, output) -> {
              var members = new Members(AGGREGATIONS, resources, REGISTRY, context, output);
              return record -> {
                if (record.value() instanceof Alert alert) {
                  members.send(record.withValue(alert));
                } else {
                  members.process(record);
                }
              };
            }),
        partition, List.of(
            TaskRun.resources(),
            new CountingStore<byte[]>(Members.WAITING),
            new CountingStore<Long>(Members.TICK)));
  }

  private static List<SpecificRecord> gathered(List<GroupUpdate> sent) {
    return gathered(sent, Integer.MAX_VALUE);
  }

  /** @param restartedAfter number of updates after which the task begins elsewhere with its stores */
  private static List<SpecificRecord> gathered(List<GroupUpdate> sent, int restartedAfter) {
    var stores = List.<CountingStore<?>>of(
        new CountingStore<GroupUpdate>(Groups.HELD), new CountingStore<byte[]>(Groups.GROUPS),
        new CountingStore<Long>(Groups.ACTIVE), new CountingStore<Long>(Groups.PENDING),
        new CountingStore<SpecificRecord>("liquidity"), new CountingStore<SpecificRecord>("launches"));
    var gathered = new ArrayList<SpecificRecord>();
    var task = task(stores);
    for (var n = 0; n < sent.size(); n++) {
      task = n > 0 && n % restartedAfter == 0 ? task(stores) : task;
      gathered.addAll(task.process(sent.get(n).getGroup(), sent.get(n), sent.get(n).getAt()));
    }
    return gathered;
  }

  private static TaskRun<GroupUpdate, SpecificRecord> task(List<CountingStore<?>> stores) {
    return new TaskRun<>(
        (context, output) -> new Groups(AGGREGATIONS, REGISTRY, context, output)::process, 0, stores);
  }

  private static Control tick(Instant at) {
    return Control.newBuilder().setAt(at).setPartitions(PARTITIONS).build();
  }

  private static Alert alert(int partition, Instant at) {
    return Alert.newBuilder().setId("pulled/" + partition + "/" + at).setSubject("pool-" + partition).build();
  }

  private static PoolChange change(int partition, Instant at) {
    return PoolChange.newBuilder()
        .setId("pool-" + partition)
        .setNetwork("solana")
        .setAbout(PoolAbout.newBuilder()
            .setDex("raydium")
            .setReserveUsd((double) (at.getEpochSecond() % 1_000 * (partition + 1)))
            .build())
        .build();
  }
}
