package io.tidemark.stream.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolActivityChange;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import io.tidemark.event.Windows;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.TaskRun;
import io.tidemark.stream.TaskRun.TaskPart;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Figures that are kept from minute to minute are the same as those of a task that begins with all members. */
class RunningSummaryTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int HOURS = 27;
  static final int POOLS = 30;
  static final int ABORTED_EVERY = 7;

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());

  @Test
  void movers_areThoseOfATaskThatBeginsAnew() {
    assertThat(published(MoversByNetwork::new, Duration.ofMinutes(97)))
        .isEqualTo(published(MoversByNetwork::new, null)).hasSizeGreaterThan(500);
  }

  @Test
  void sums_areThoseOfATaskThatBeginsAnew() {
    assertThat(published(LiquidityByExchange::new, Duration.ofMinutes(97)))
        .isEqualTo(published(LiquidityByExchange::new, null)).hasSizeGreaterThan(500);
  }

  @Test
  void sumsAfterAnAbortedTransaction_areThoseWithoutIt() {
    assertThat(published(LiquidityByExchange::new, null, true)).isEqualTo(published(LiquidityByExchange::new, null));
  }

  @Test
  void moversAfterAnAbortedTransaction_areThoseWithoutIt() {
    assertThat(published(MoversByNetwork::new, null, true)).isEqualTo(published(MoversByNetwork::new, null));
  }

  private static List<SpecificRecord> published(Supplier<Aggregation<?, ?>> aggregation, Duration restart) {
    return published(aggregation, restart, false);
  }

  /**
   * What comes out of a day of pools that move, vanish, come back and are removed, beside a restart now and then. Where
   * transactions abort, the task begins again before what it did, as Kafka Streams does.
   */
  private static List<SpecificRecord> published(
      Supplier<Aggregation<?, ?>> aggregation, Duration restart, boolean isAborted) {
    var random = new Random(3);
    var members =
        new TaskRun<SpecificRecord, GroupUpdate>(
            TaskRun.withResources((resources, context,
                output) -> new Members(List.of(aggregation.get()), resources, REGISTRY, context, output)::process),
            0,
            List.of(
                TaskRun.resources(),
                new CountingStore<byte[]>(Members.WAITING),
                new CountingStore<Long>(Members.TICK)));
    var stores = List.<CountingStore<?>>of(
        new CountingStore<GroupUpdate>(Groups.HELD), new CountingStore<byte[]>(Groups.GROUPS),
        new CountingStore<Long>(Groups.ACTIVE), new CountingStore<Long>(Groups.PENDING),
        new CountingStore<SpecificRecord>(aggregation.get().name()));
    TaskPart<GroupUpdate, SpecificRecord> part =
        (context, output) -> new Groups(List.of(aggregation.get()), REGISTRY, context, output)::process;
    var groups = new TaskRun<>(part, 0, stores);
    var published = new ArrayList<SpecificRecord>();
    for (var minute = 0; minute < 60 * HOURS; minute++) {
      var at = NOON.plus(Duration.ofMinutes(minute));
      var sent = new ArrayList<GroupUpdate>();
      for (var changes = random.nextInt(4) * random.nextInt(2); changes > 0; changes--) {
        var pool = "pool-" + random.nextInt(POOLS);
        sent.addAll(members.process(pool, change(pool, at.plusSeconds(7), random), at.plusSeconds(7)));
      }
      sent.addAll(members.process("", Control.newBuilder().setAt(at.plusSeconds(20)).build(), at.plusSeconds(20)));
      if (isAborted && minute % ABORTED_EVERY == 1) {
        var before = stores.stream().map(CountingStore::entries).toList();
        for (var update : sent) {
          groups.process("", update, update.getAt());
        }
        for (var store = 0; store < stores.size(); store++) {
          stores.get(store).goBackTo(before.get(store));
        }
        groups.init();
      }
      for (var update : sent) {
        groups.process("", update, update.getAt()).stream()
            .filter(record -> !(record instanceof Control)).forEach(published::add);
      }
      if (restart != null && minute % restart.toMinutes() == 0) {
        groups = new TaskRun<>(part, 0, stores);
      }
    }
    return published;
  }

  private static PoolChange change(String id, Instant at, Random random) {
    var volume = Windows.newBuilder().setH1(Double.toString(1e6 * random.nextDouble())).setH24("0.1").build();
    var change = PoolChange.newBuilder()
        .setId(id)
        .setNetwork("solana")
        .setOrigin(Origins.at(at))
        .setAbout(PoolAbout.newBuilder()
            .setDex("raydium")
            .setPriceUsd(random.nextInt(20) == 0 ? null : Math.exp(random.nextGaussian()))
            .setReserveUsd(4_000 * random.nextDouble())
            .build())
        .setActivity(PoolActivityChange.newBuilder()
            .setAfter(PoolActivity.newBuilder().setVolumeUsd(volume).build())
            .build())
        .build();
    switch (random.nextInt(12)) {
      case 0 -> change.setRemoved(new Removed("not_found"));
      case 1 -> change.setVisibility(new Visibility(false, at));
      case 2, 3 -> change.setVisibility(new Visibility(true, at));
      default -> {}
    }
    return change;
  }
}
