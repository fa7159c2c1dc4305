package io.tidemark.stream.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Appeared;
import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Removed;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.TaskRun;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

class WaitingUpdatesTest {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int ALL = Integer.MAX_VALUE;

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());
  private static final List<Aggregation<?, ?>> AGGREGATIONS =
      List.of(new MoversByNetwork(), new LiquidityByExchange(), new LaunchesByHour());

  private final CountingStore<byte[]> store = new CountingStore<>(Members.WAITING);
  private final WaitingUpdates updates = new WaitingUpdates(store, REGISTRY);

  @Test
  void twoUpdatesOfAMemberInAMinute_lastOneIsDue() {
    put(updates, update("a", NOON, 1));
    put(updates, update("a", NOON, 2));

    assertThat(updates.removeDue(NOON, ALL)).containsExactly(update("a", NOON, 2));
  }

  @Test
  void updatesOfALaterMinute_wait() {
    put(updates, update("a", NOON.plusSeconds(60), 2));
    put(updates, update("b", NOON, 1));

    assertThat(updates.removeDue(NOON, ALL)).containsExactly(update("b", NOON, 1));
    assertThat(updates.removeDue(NOON.plusSeconds(60), ALL)).containsExactly(update("a", NOON.plusSeconds(60), 2));
  }

  @Test
  void taskThatBeginsAnew_hasAllThatWaits() {
    for (var member = 0; member < 300; member++) {
      put(updates, update("a" + member % 200, NOON.plusSeconds(60L * (member % 2)), member));
    }
    var anew = new WaitingUpdates(store, REGISTRY);
    put(anew, update("z", NOON, 1));
    put(updates, update("z", NOON, 1));

    assertThat(new WaitingUpdates(store, REGISTRY).removeDue(NOON.plusSeconds(60), ALL))
        .isEqualTo(updates.removeDue(NOON.plusSeconds(60), ALL)).hasSize(201);
  }

  @Test
  void updatesOfAMinute_areFewRecords_removedOnceAllAreSent() {
    for (var member = 0; member < 1_000; member++) {
      put(updates, update("a" + member, NOON, member));
    }
    put(updates, update("later", NOON.plusSeconds(60), 1));
    assertThat(store.entries()).hasSizeBetween(10, 50);

    updates.removeDue(NOON, 999);
    updates.removeSentBlocks(ALL);
    assertThat(store.entries()).hasSizeBetween(10, 50);

    updates.removeDue(NOON, ALL);
    assertThat(updates.removeSentBlocks(5)).isEqualTo(5);
    updates.removeSentBlocks(ALL);
    assertThat(store.entries()).hasSize(1);
    assertThat(new WaitingUpdates(store, REGISTRY).removeDue(NOON.plusSeconds(60), ALL)).hasSize(1);
  }

  @Test
  void updateOfAMinuteWhoseBlocksAreRemoved_isStored() {
    put(updates, update("a", NOON, 1));
    updates.removeDue(NOON, ALL);
    updates.removeSentBlocks(ALL);
    put(updates, update("late", NOON, 1));

    assertThat(new WaitingUpdates(store, REGISTRY).removeDue(NOON, ALL)).containsExactly(update("late", NOON, 1));
  }

  @Test
  void whatIsSentByTasksThatBeginAnew_isWhatOneSends() {
    assertThat(sent(13)).isEqualTo(sent(ALL)).hasSizeGreaterThan(1_000);
  }

  /** A task that goes on elsewhere sends a minute from its beginning, of which another one sent a part. */
  @Test
  void updatesThatAreSentAgainBeforeTheirTick_changeNoAggregate() {
    var sent = sent(ALL);
    var sentAgain = new ArrayList<GroupUpdate>();
    var minute = new ArrayList<GroupUpdate>();
    for (var update : sent) {
      if (update.getControl() == null) {
        minute.add(update);
      } else {
        sentAgain.addAll(minute.subList(0, (minute.size() + 1) / 2));
        sentAgain.addAll(minute);
        sentAgain.add(update);
        minute.clear();
      }
    }

    assertThat(sentAgain).hasSizeGreaterThan(sent.size() + 500);
    assertThat(published(sentAgain)).isEqualTo(published(sent)).hasSizeGreaterThan(1_000);
  }

  private static void put(WaitingUpdates to, GroupUpdate update) {
    to.put(update);
    to.save();
  }

  /** The aggregates that updates of the only partition come to, and the ticks behind them. */
  private static List<SpecificRecord> published(List<GroupUpdate> updates) {
    var groups = new TaskRun<GroupUpdate, SpecificRecord>(
        (context, output) -> new Groups(AGGREGATIONS, REGISTRY, context, output)::process, 0, List.of(
            new CountingStore<GroupUpdate>(Groups.HELD), new CountingStore<byte[]>(Groups.GROUPS),
            new CountingStore<Long>(Groups.ACTIVE), new CountingStore<Long>(Groups.PENDING),
            new CountingStore<SpecificRecord>("movers"), new CountingStore<SpecificRecord>("liquidity"),
            new CountingStore<SpecificRecord>("launches")));
    var published = new ArrayList<SpecificRecord>();
    for (var update : updates) {
      published.addAll(groups.process("", update, update.getAt()));
    }
    return published;
  }

  /** What a task sends in 27 hours of pools that appear, move and are removed, and that begins anew now and then. */
  private static List<GroupUpdate> sent(int restart) {
    var random = new Random(5);
    var stores = List.<CountingStore<?>>of(
        TaskRun.resources(),
        new CountingStore<byte[]>(Members.WAITING),
        new CountingStore<Long>(Members.TICK));
    var sent = new ArrayList<GroupUpdate>();
    TaskRun<SpecificRecord, GroupUpdate> task = begin(stores);
    for (var second = 0; second < 27 * 3_600; second += 17) {
      var at = NOON.plusSeconds(second);
      if (random.nextInt(4) == 0) {
        var pool = "pool-" + random.nextInt(200);
        sent.addAll(task.process(pool, change(pool, at, random), at));
      }
      sent.addAll(task.process("", Control.newBuilder().setAt(at).build(), at));
      if (second / 17 % restart == 1) {
        task = begin(stores);
      }
    }
    return sent;
  }

  private static TaskRun<SpecificRecord, GroupUpdate> begin(List<CountingStore<?>> stores) {
    return new TaskRun<SpecificRecord, GroupUpdate>(
        TaskRun.withResources(
            (resources, context, output) -> new Members(AGGREGATIONS, resources, REGISTRY, context, output)::process),
        0, stores);
  }

  private static PoolChange change(String pool, Instant at, Random random) {
    var change = PoolChange.newBuilder()
        .setId(pool)
        .setNetwork("solana")
        .setOrigin(Origins.at(at))
        .setAbout(PoolAbout.newBuilder()
            .setDex(random.nextBoolean() ? "raydium" : "orca")
            .setPriceUsd(random.nextDouble())
            .setReserveUsd(1_000 * random.nextDouble())
            .build())
        .build();
    switch (random.nextInt(8)) {
      case 0 -> change.setRemoved(new Removed("not_found"));
      case 1, 2 -> change.setAppeared(Appeared.newBuilder().setKind("created").build());
      default -> {}
    }
    return change;
  }

  private static GroupUpdate update(String member, Instant minute, int figures) {
    return new GroupUpdate(
        "movers", "solana", member, minute, ByteBuffer.allocate(Integer.BYTES).putInt(0, figures), null, 0);
  }
}
