package io.tidemark.stream.aggregate;

import static io.tidemark.stream.tick.PendingTicks.SLICE_OF_A_TICK;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.event.Liquidity;
import io.tidemark.event.Movers;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.TaskRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store operations of one call do not grow with the number of pools that changed in a minute. */
class AggregateTickCostTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  /** Each update due, and each member read, costs a few operations. */
  static final long MOST_OPERATIONS = 6L * SLICE_OF_A_TICK;

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());
  private static final List<Aggregation<?, ?>> AGGREGATIONS =
      List.of(new MoversByNetwork(), new LiquidityByExchange());

  @ParameterizedTest
  @ValueSource(ints = {1_000, 20_000})
  void changesOfAMinute_areDoneInSlices(int pools) {
    var members = members();
    var groups = groups();
    var sent = new ArrayList<GroupUpdate>();
    for (var pool = 0; pool < pools; pool++) {
      sent.addAll(members.process("pool-" + pool, change(pool), NOON));
    }
    for (var second = 1; second < 60 || sent.isEmpty() || isBefore(sent.getLast(), 62); second++) {
      sent.addAll(members.process("", tick(second), NOON.plusSeconds(second)));
    }
    var published = new ArrayList<SpecificRecord>();
    sent.forEach(update -> published.addAll(groups.process("", update, update.getAt())));
    for (var second = 3_600; published.stream().noneMatch(AggregateTickCostTest::isWhole); second++) {
      var tick = GroupUpdate.newBuilder().setControl(tick(second)).build();
      published.addAll(groups.process("", tick, NOON.plusSeconds(second)));
    }

    assertThat(published.stream().filter(Liquidity.class::isInstance).map(Liquidity.class::cast))
        .extracting(Liquidity::getPools).containsOnly(pools);
    assertThat(published.stream().filter(Movers.class::isInstance).map(Movers.class::cast))
        .extracting(Movers::getPools).containsOnly(pools);
    System.out.printf("%,d pools: at most %,d store operations in a call before the repartition, %,d behind it%n",
        pools, members.mostOperations(), groups.mostOperations());
    assertThat(members.mostOperations()).isLessThanOrEqualTo(MOST_OPERATIONS);
    assertThat(groups.mostOperations()).isLessThanOrEqualTo(MOST_OPERATIONS);
  }

  private static boolean isBefore(GroupUpdate update, int second) {
    return update.getControl() == null || update.getAt().isBefore(NOON.plusSeconds(second));
  }

  /** A tick comes out behind all that it covers. */
  private static boolean isWhole(SpecificRecord record) {
    return record instanceof Control control && !control.getAt().isBefore(NOON.plusSeconds(62));
  }

  private static TaskRun<SpecificRecord, GroupUpdate> members() {
    return new TaskRun<SpecificRecord, GroupUpdate>(
        TaskRun.withResources(
            (resources, context, output) -> new Members(AGGREGATIONS, resources, REGISTRY, context, output)::process),
        0, List.of(
            TaskRun.resources(),
            new CountingStore<byte[]>(Members.WAITING),
            new CountingStore<Long>(Members.TICK)));
  }

  private static TaskRun<GroupUpdate, SpecificRecord> groups() {
    return new TaskRun<GroupUpdate, SpecificRecord>(
        (context, output) -> new Groups(AGGREGATIONS, REGISTRY, context, output)::process, 0, List.of(
            new CountingStore<GroupUpdate>(Groups.HELD), new CountingStore<byte[]>(Groups.GROUPS),
            new CountingStore<Long>(Groups.ACTIVE), new CountingStore<Long>(Groups.PENDING),
            new CountingStore<SpecificRecord>("movers"), new CountingStore<SpecificRecord>("liquidity")));
  }

  private static Control tick(int second) {
    return Control.newBuilder().setAt(NOON.plusSeconds(second)).build();
  }

  private static PoolChange change(int pool) {
    return PoolChange.newBuilder()
        .setId("pool-" + pool)
        .setNetwork("solana")
        .setOrigin(Origins.at(NOON))
        .setAbout(PoolAbout.newBuilder().setDex("raydium").setPriceUsd(1.0 + pool).setReserveUsd(5_000.0).build())
        .build();
  }
}
