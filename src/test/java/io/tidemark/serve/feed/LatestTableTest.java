package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Launches;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolState;
import io.tidemark.kafka.AggregateTopics;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import io.tidemark.serve.feed.LatestTable.LatestAnswer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The newest records of a topic with two partitions, without a broker. */
class LatestTableTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Topic<PoolState> TOPIC = TOPICS.pool().state();
  static final Uuid ID = Uuid.randomUuid();
  static final String LOOP = "[1,2,3,4,5,6,7,8,9].exists(a, [1,2,3,4,5,6,7,8,9].exists(b, a + b == 99))";
  static final String RESERVE = "known.liquidity.reserve_in_usd";

  final FeedLimits limits = new FeedLimits(4 << 20);
  final LatestTable table = begun(new LatestTable(TOPIC, limits));

  @Test
  void newestRecordOfEachKey_isFound_withTheOffsetsRead() {
    apply(0, 5, "a", pool("1"));
    apply(1, 9, "b", pool("2"));
    apply(0, 6, "a", pool("3"));
    apply(1, 10, "gone", pool("4"));
    apply(1, 11, "gone", null);
    table.reached(List.of(8L, 0L));

    var answer = find(request(Set.of(), null), null);

    assertThat(answer.records()).extracting(CommittedRecord::key).containsExactly("a", "b");
    assertThat(answer.records()).extracting(CommittedRecord::offset).containsExactly(6L, 9L);
    assertThat(answer.records().findFirst()).contains(record(0, 6, "a", pool("3"), null));
    assertThat(answer.lastEvent()).isEqualTo(ID + ".8.12");
    assertThat(table.loaded).isCompletedWithValue(table);
  }

  @Test
  void unreadableRecord_leavesTheOneBefore_andCountsAsRead() {
    apply(0, 5, "a", pool("1"));
    var unreadable = new UnreadableRecord(TOPIC.name(), 0, 6, 0, null, null, UnreadableReason.MALFORMED, "bad");
    table.apply(record(0, 6, "a", null, unreadable));

    assertThat(find(request(Set.of("a"), null), null)).satisfies(answer -> {
      assertThat(answer.records()).extracting(CommittedRecord::offset).containsExactly(5L);
      assertThat(answer.lastEvent()).isEqualTo(ID + ".7.0");
    });
  }

  @Test
  void order_isThatOfTheNumbers_withTheMissingLast() {
    List.of("9", "10", "-1").forEach(each -> apply(0, 1, each, pool(each)));
    apply(0, 2, "none", pool(null));

    assertThat(find(request(Set.of(), null), RESERVE).records()).extracting(CommittedRecord::key)
        .containsExactly("-1", "9", "10", "none");
    assertThat(find(request(Set.of(), null), "-" + RESERVE).records()).extracting(CommittedRecord::key)
        .containsExactly("10", "9", "-1", "none");
    assertThatThrownBy(() -> find(request(Set.of(), null), "known.liquidty")).hasMessageContaining("order");
  }

  @Test
  void tag_changesWithTheRecordsFound_only() {
    apply(0, 1, "a", pool("1"));
    apply(0, 2, "b", pool("1"));
    var before = find(request(Set.of("a"), null), null).tag();
    apply(0, 3, "b", pool("2"));
    var same = find(request(Set.of("a"), null), null).tag();
    apply(0, 4, "a", pool("2"));

    assertThat(same).isEqualTo(before);
    assertThat(find(request(Set.of("a"), null), null).tag()).isNotEqualTo(before);
  }

  @Test
  void tableThatDoesNotFit_isRefused_andReturnsItsMemory() {
    var refusal = IntStream.range(0, 100_000).mapToObj(i -> {
      try {
        apply(0, i, "key" + i, pool("x".repeat(1_000)));
        return null;
      } catch (FeedRefusal e) {
        return e;
      }
    }).filter(each -> each != null).findFirst().orElseThrow();
    assertThat(limits.bytesOfLatest.get()).isBetween(limits.mostBytes() - 10_000, limits.mostBytes());

    table.end(refusal);

    assertThat(refusal).hasMessageContaining("the newest records of t.pool.state do not fit into the 4 MB");
    assertThat(refusal.status()).isEqualTo(503);
    assertThat(limits.bytesOfLatest.get()).isZero();
    assertThatThrownBy(() -> find(request(Set.of(), null), null)).isSameAs(refusal);
    assertThat(table.loaded).isCompletedExceptionally();
  }

  @Test
  void loadedTable_growsWhenOthersUseTheMemory_andAnotherIsRefused() {
    apply(0, 0, "a", pool("1"));
    table.reached(List.of(1L, 0L));
    limits.tryRetainLatest(limits.mostBytes() - limits.bytesOfLatest.get(), true);
    apply(0, 1, "b", pool("x".repeat(1_000)));

    assertThat(find(request(Set.of(), null), null).records()).extracting(CommittedRecord::key)
        .containsExactly("a", "b");
    assertThat(limits.bytesOfLatest.get()).isGreaterThan(limits.mostBytes() + 1_000);
    assertThatThrownBy(() -> new LatestTable(TOPIC, limits)).isInstanceOf(FeedRefusal.class);
    try (var answer = find(request(Set.of(), null), null)) {
      assertThat(answer.json().length).as("can be read").isEqualTo(4);
    }

    limits.tryRetainLatest(2 * limits.mostBytes() - limits.bytesOfLatest.get(), true);
    assertThatThrownBy(find(request(Set.of(), null), null)::json).isInstanceOf(FeedRefusal.class);
  }

  @Test
  void answerBeingSent_countsAsRetained_untilItIsClosed() {
    IntStream.range(0, 1_000).forEach(i -> apply(0, i, "key" + i, pool("x".repeat(3_000))));
    var before = limits.bytesOfLatest.get();
    var answer = find(request(Set.of("key1"), null), null);
    var sent = answer.json();

    assertThat(limits.bytesOfLatest.get()).isGreaterThan(before + sent[1].length);
    answer.close();
    assertThat(limits.bytesOfLatest.get()).isEqualTo(before);
    try (var large = find(request(Set.of(), null), null)) {
      assertThatThrownBy(large::json).isInstanceOf(FeedRefusal.class)
          .hasMessageContaining("tables and answers use all memory");
    }
    assertThat(limits.bytesOfLatest.get()).isEqualTo(before);
  }

  @Test
  void clientThatUsesUpItsTime_isRefused_othersAreNot() {
    IntStream.range(0, 1_000).forEach(i -> apply(0, i, "key" + i, pool("1")));

    assertThatThrownBy(() -> {
      for (var i = 0; i < 10_000; i++) {
        find(request(Set.of(), LOOP), null);
      }
    }).isInstanceOfSatisfying(FeedRefusal.class, refusal -> assertThat(refusal.status()).isEqualTo(429));
    assertThat(table.find(request(Set.of(), null), null, 10, "other").records()).hasSize(10);
  }

  @Test
  void searchWithoutCondition_needsTimeToo() {
    limits.conditions().spend("client", Long.MAX_VALUE);

    assertThatThrownBy(() -> table.find(request(Set.of(), null), record -> true, null, 10, "client"))
        .isInstanceOfSatisfying(FeedRefusal.class, refusal -> assertThat(refusal.status()).isEqualTo(429))
        .hasMessageStartingWith("this client's searches exceeded their time budget");
    assertThatThrownBy(() -> find(request(Set.of(), "true"), null)).hasMessageEndingWith("remove loops from where");
  }

  @Test
  void recordOlderThanTheRetention_isRemoved_becauseKafkaDeletesIt() {
    var launches = begun(new LatestTable(AggregateTopics.aggregate(TOPICS, Launches.class), limits));
    launches.apply(record(0, 1, "a", Launches.newBuilder().build(), null));
    var time = Instant.ofEpochMilli(1_000);
    launches.expire(time.plus(Retention.DEFAULT.changes()));
    var kept = launches.find(request(Set.of(), null), null, 10, "client").records().count();
    launches.expire(time.plus(Retention.DEFAULT.changes()).plusMillis(1));

    assertThat(kept).isEqualTo(1);
    assertThat(launches.find(request(Set.of(), null), null, 10, "client").records()).isEmpty();
  }

  private LatestAnswer find(TopicRequest request, @Nullable String order) {
    return table.find(request, order, 1_000, "client");
  }

  private static TopicRequest request(Set<String> keys, @Nullable String where) {
    return new TopicRequest("", keys, null, Set.of(), where, new StartPosition.End());
  }

  private static LatestTable begun(LatestTable table) {
    table.begin(new FeedOffsets(ID, List.of(0L, 0L)));
    return table;
  }

  private void apply(int partition, long offset, String key, @Nullable SpecificRecord value) {
    table.apply(record(partition, offset, key, value, null));
  }

  private static CommittedRecord record(int partition, long offset, String key, @Nullable SpecificRecord value,
      @Nullable UnreadableRecord unreadable) {
    return new CommittedRecord(TOPIC.name(), partition, offset, 1_000, key, new HashMap<>(Map.of("network", "solana")),
        10, value, unreadable);
  }

  private static PoolState pool(@Nullable String reserve) {
    var liquidity = PoolLiquidity.newBuilder().setReserveInUsd(reserve).build();
    return PoolState.newBuilder().setKnown(Pool.newBuilder().setLiquidity(liquidity).build()).build();
  }
}
