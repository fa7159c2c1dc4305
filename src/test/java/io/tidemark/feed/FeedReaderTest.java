package io.tidemark.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Appeared;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicReader.LostRange;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of one topic with two partitions, without a broker. */
class FeedReaderTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Topic<PoolChange> TOPIC = TOPICS.pool().changes();
  static final Uuid ID = Uuid.randomUuid();
  static final Pattern OFFSET = Pattern.compile("\"partition\":(\\d+),\"offset\":(\\d+)");

  final TopicTail tail = new TopicTail(TOPIC);
  final IdentityHashMap<FeedReader, MergedFeed> feeds = new IdentityHashMap<>();

  @BeforeEach
  void open() {
    tail.open(offsets(100, 200), new LongList(100, 200));
  }

  @Test
  void readers_getEachRecordOnce_inTheSameOrder_withTheOffsetsOfAllPartitions() {
    var first = now(FeedFilter.NONE);
    append(0, 100);
    var second = now(FeedFilter.NONE);
    append(1, 200);
    append(0, 101);

    assertThat(read(first)).satisfies(text -> {
      assertThat(places(text)).containsExactly("0/100", "1/200", "0/101");
      assertThat(text).contains("id: " + offsets(102, 201).id() + "\nevent: record\n");
    });
    assertThat(places(read(second))).containsExactly("1/200", "0/101");
    assertThat(read(first)).isEmpty();
  }

  @Test
  void start_isSaidWithAnId_andThatAllOfThatTimeIsSent() {
    append(0, 100);

    assertThat(read(now(FeedFilter.NONE))).isEqualTo(
        "id: %1$s\n\nid: %1$s\nevent: caught-up\ndata: {\"topic\":\"t.pool.changes\"}\n\n"
            .formatted(offsets(101, 200).id()));
  }

  @Test
  void heartbeat_countsWhatWasRead_notWhatPassed() {
    var reader = now(FeedFilter.of(TOPIC, Set.of("other"), null, Set.of(), null));
    read(reader);
    append(0, 100);

    assertThat(read(reader)).isEmpty();
    assertThat(new String(feed(reader).next(1_000, true).toByteArray(), UTF_8))
        .isEqualTo("id: " + offsets(101, 200).id() + "\n\n");
  }

  @Test
  void readerThatResumesAtAnyEvent_getsExactlyTheRest() {
    IntStream.range(0, 20).forEach(i -> append(i % 2, (i % 2 == 0 ? 100 : 200) + i / 2));
    var all = resumed(offsets(100, 200));
    var ids = ids(all);

    for (var seen = 1; seen < 20; seen++) {
      var rest = resumed(FeedOffsets.parse(ids.get(seen)));
      assertThat(places(rest)).isEqualTo(places(all).subList(seen, 20));
    }
  }

  /** As after a restart, or at another instance: what the reader has come to is read by nobody here yet. */
  @Test
  void readerAheadOfTheSharedConsumer_getsNothingTwice_andItsIdsNeverGoBack() {
    tail.open(offsets(100, 200), new LongList(110, 210));
    var reader = reader(FeedFilter.NONE);
    reader.begin(offsets(103, 201));
    assertThat(tail.placeFor(new LongList(103, 201))).isZero();
    assertThat(tail.unread()).hasSize(2);
    reader.share(0, 0);
    IntStream.range(0, 5).forEach(i -> append(0, 100 + i));
    IntStream.range(0, 3).forEach(i -> append(1, 200 + i));

    var text = read(reader);

    assertThat(places(text)).containsExactly("0/103", "0/104", "1/201", "1/202");
    assertThat(ids(text).stream().map(FeedOffsets::parse).map(FeedOffsets::next))
        .allMatch(each -> each.covers(new LongList(103, 201)));
  }

  @Test
  void offsetsThatTheLogNeverHad_areNotWaitedFor() {
    assertThat(tail.placeFor(new LongList(100, 201))).isNull();
    assertThat(tail.placeFor(new LongList(99, 200))).isNull();
    assertThat(tail.placeFor(new LongList(100, 200))).isZero();
  }

  @Test
  void readerThatStopsReading_isCutOffWithAReason_andNobodyElseNotices() {
    var slow = now(FeedFilter.NONE);
    var fast = now(FeedFilter.NONE);
    var got = new ArrayList<String>();
    for (var i = 0; i < TopicTail.MOST_ENTRIES + 1; i++) {
      append(0, 100 + i);
      got.addAll(places(read(fast)));
    }

    assertThat(got).hasSize(TopicTail.MOST_ENTRIES + 1);
    assertThat(slow.hasToEnd()).isTrue();
    assertThat(read(slow)).startsWith("event: end\ndata: {\"reason\":\"too slow: ");
    assertThat(feed(slow).isEnded()).isTrue();
    assertThat(slow.isTooSlow()).isTrue();
    assertThat(fast.hasToEnd()).isFalse();
  }

  @Test
  void memory_isBoundedByBytes() {
    var reader = now(FeedFilter.NONE);
    var huge = "x".repeat(TopicTail.MOST_BYTES / 4);
    IntStream.range(0, 4).forEach(i -> append(record(0, 100 + i, huge, null)));

    assertThat(tail.holds(0)).isFalse();
    assertThat(reader.hasToEnd()).isTrue();
  }

  /** A consumer of its own never reads further ahead of a client than the queue holds. */
  @Test
  void readerThatTakesNothingWhileItCatchesUp_isCutOff() {
    var reader = new FeedReader(tail, FeedFilter.NONE, Duration.ofMillis(1));
    reader.begin(offsets(0, 0));
    var offered = 0;
    while (reader.offer(record(0, offered, "key", null))) {
      offered++;
    }

    assertThat(offered).isLessThan(FeedReader.MOST_QUEUED_BYTES / 100);
    assertThat(read(reader)).contains("event: end").contains("it took nothing for");
  }

  @Test
  void gap_isSaid_whateverTheFilter() {
    var reader = now(FeedFilter.of(TOPIC, Set.of("other"), null, Set.of(), null));
    read(reader);
    tail.append(new LostRange(new TopicPartition(TOPIC.name(), 1), 200, 250));

    assertThat(read(reader)).isEqualTo("id: " + offsets(100, 250).id()
        + "\nevent: gap\ndata: {\"topic\":\"t.pool.changes\",\"partition\":1,\"from\":200,\"to\":250,\"records\":50}\n\n");
  }

  @Test
  void filters_takeKeysNetworksFacetsAndConditions_andTombstonesOfTheirKeys() {
    var eth = record(0, 100, "eth_0xa", change("eth", true));
    var base = record(0, 101, "base_0xa", change("base", false));
    var tombstone = record(0, 102, "eth_0xa", null);

    assertThat(passing(Set.of("eth_0xa"), null, Set.of(), null, eth, base, tombstone)).containsExactly(eth, tombstone);
    assertThat(passing(Set.of(), "base", Set.of(), null, eth, base, tombstone)).containsExactly(base);
    assertThat(passing(Set.of(), null, Set.of("appeared"), null, eth, base)).containsExactly(eth);
    assertThat(passing(Set.of(), null, Set.of(), "network == 'base'", eth, base)).containsExactly(base);
  }

  /** The name of one network begins as that of another does. */
  @Test
  void tombstone_isOfTheNetworkInItsHeader() {
    var states = FeedFilter.of(TOPICS.pool().state(), Set.of(), "polygon", Set.of(), null);

    assertThat(states.passes(tombstone("polygon_pos_0xa", "polygon_pos"))).isFalse();
    assertThat(states.passes(tombstone("polygon_0xa", "polygon"))).isTrue();
    assertThat(states.passes(state("polygon_pos"))).isFalse();
    assertThat(states.passes(state("polygon"))).isTrue();
  }

  private static CommittedRecord tombstone(String key, String network) {
    return new CommittedRecord(TOPICS.pool().state().name(), 0, 1, 0, key, Map.of("network", network), 0, null, null);
  }

  private static CommittedRecord state(String network) {
    var state = new PoolState();
    state.setKnown(new Pool());
    state.getKnown().setNetwork(network);
    return new CommittedRecord(TOPICS.pool().state().name(), 0, 1, 0, "key", Map.of(), 0, state, null);
  }

  @Test
  void filtersThatFitNoRecord_areRefusedWithTheWayOut() {
    assertThatThrownBy(() -> FeedFilter.of(TOPIC, Set.of(), null, Set.of("prize"), null))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining("price");
    assertThatThrownBy(() -> FeedFilter.of(TOPICS.alerts(), Set.of(), null, Set.of("price"), null))
        .hasMessageContaining("only changes have facets");
    assertThatThrownBy(() -> FeedFilter.of(TOPICS.global().changes(), Set.of(), "eth", Set.of(), null))
        .hasMessageContaining("have no network");
    assertThatThrownBy(() -> FeedFilter.of(TOPIC, Set.of(), null, Set.of(), "moved(price, '1h') > 1.0"))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining("where");
  }

  private List<CommittedRecord> passing(Set<String> keys, @Nullable String network, Set<String> facets,
      @Nullable String where, CommittedRecord... records) {
    var filter = FeedFilter.of(TOPIC, keys, network, facets, where);
    return List.of(records).stream().filter(filter::passes).toList();
  }

  private FeedReader reader(FeedFilter filter) {
    return new FeedReader(tail, filter, Duration.ofSeconds(30));
  }

  private FeedReader now(FeedFilter filter) {
    var reader = reader(filter);
    var now = tail.end();
    reader.begin(now.offsets());
    reader.share(now.place(), now.place());
    return reader;
  }

  private String resumed(FeedOffsets last) {
    var reader = reader(FeedFilter.NONE);
    reader.begin(last);
    reader.share(tail.placeFor(last.next()), -1);
    return read(reader);
  }

  /** What a client gets of a reader. */
  private MergedFeed feed(FeedReader reader) {
    return feeds.computeIfAbsent(reader, one -> new MergedFeed(List.of(one), closed -> {}));
  }

  private String read(FeedReader reader) {
    return new String(feed(reader).next(Integer.MAX_VALUE, false).toByteArray(), UTF_8);
  }

  private static List<String> ids(String text) {
    return text.lines().filter(line -> line.startsWith("id: ")).map(line -> line.substring(4)).toList();
  }

  private static List<String> places(String text) {
    return OFFSET.matcher(text).results().map(found -> found.group(1) + "/" + found.group(2)).toList();
  }

  private void append(int partition, long offset) {
    append(record(partition, offset, "key", null));
  }

  private void append(CommittedRecord record) {
    tail.append(record);
  }

  private static PoolChange change(String network, boolean appeared) {
    var change = new PoolChange();
    change.setNetwork(network);
    change.setAppeared(appeared ? new Appeared() : null);
    return change;
  }

  private static CommittedRecord record(int partition, long offset, String key, @Nullable PoolChange value) {
    return new CommittedRecord(TOPIC.name(), partition, offset, 0, key, Map.of(), 0, value, null);
  }

  private static FeedOffsets offsets(long... next) {
    return new FeedOffsets(ID, new LongList(next));
  }
}
