package io.tidemark.serve.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Appeared;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader.LostRange;
import io.tidemark.kafka.Topics;
import io.tidemark.serve.feed.Feed.TopicCursor;
import io.tidemark.serve.feed.FeedRequest.TopicRequest;
import io.tidemark.serve.feed.LiveReader.LiveTopic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Feeds of one topic with two partitions, without a broker. */
class FeedTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Topic<PoolChange> TOPIC = TOPICS.pool().changes();
  static final Uuid ID = Uuid.randomUuid();
  static final Pattern OFFSET = Pattern.compile("\"partition\":(\\d+),\"offset\":(\\d+)");

  static final FeedFilter ALL = filter(TOPIC, Set.of(), null, Set.of(), null);

  final FeedLimits limits = new FeedLimits(16 << 20);
  final LiveTopic live = new LiveTopic(TOPIC);

  @BeforeEach
  void open() {
    live.open(offsets(100, 200));
  }

  @Test
  void readers_getEachRecordOnceInOrder_withAllPartitionOffsets() {
    var first = now(ALL);
    append(0, 100);
    var second = now(ALL);
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

    assertThat(read(now(ALL))).isEqualTo(
        "id: %1$s\n\nid: %1$s\nevent: caught-up\ndata: {\"topic\":\"t.pool.changes\"}\n\n"
            .formatted(offsets(101, 200).id()));
  }

  @Test
  void heartbeat_countsWhatWasRead_notWhatPassed() {
    var reader = now(filter(TOPIC, Set.of("other"), null, Set.of(), null));
    read(reader);
    append(0, 100);

    assertThat(read(reader)).isEmpty();
    assertThat(written(reader, true))
        .isEqualTo("id: " + offsets(101, 200).id() + "\n\n");
  }

  /** A consumer of its own reads what is earlier, then the shared consumer adds what follows. */
  @Test
  void readerThatResumesAtAnyEvent_getsExactlyTheRest() {
    var log =
        IntStream.range(0, 20).mapToObj(i -> record(i % 2, (i % 2 == 0 ? 100 : 200) + i / 2, "key", null)).toList();
    var first = reader(ALL);
    cursor(first).begin(offsets(100, 200));
    log.forEach(cursor(first)::offer);
    var all = read(first);
    var ids = ids(all);

    for (var seen = 1; seen < 20; seen++) {
      var last = FeedOffsets.parse(ids.get(seen));
      var joined = new LiveTopic(TOPIC);
      joined.open(offsets(105, 205));
      var rest = reader(ALL);
      joined.follow(cursor(rest));
      cursor(rest).begin(last);
      var end = joined.join(cursor(rest));
      log.stream().filter(each -> each.offset() >= end.next().get(each.partition()))
          .forEach(each -> joined.add(each, limits));
      log.stream().filter(each -> each.offset() < end.next().get(each.partition()))
          .filter(each -> each.offset() >= last.next().get(each.partition())).forEach(cursor(rest)::offer);
      cursor(rest).unhold();

      assertThat(places(read(rest))).containsExactlyInAnyOrderElementsOf(places(all).subList(seen, 20));
      assertThat(cursor(rest).offsets()).isEqualTo(offsets(110, 210));
    }
  }

  @Test
  void readerThatHasEverything_needsNoConsumerOfItsOwn() {
    var complete = reader(ALL);
    var behind = reader(ALL);
    live.follow(cursor(complete));

    assertThat(live.joinAt(cursor(complete), offsets(100, 200))).isTrue();
    assertThat(live.joinAt(cursor(behind), offsets(99, 200))).isFalse();
    assertThat(live.joinAt(cursor(behind), offsets(101, 200))).isFalse();
    append(0, 100);
    assertThat(places(read(complete))).containsExactly("0/100");
  }

  /** As after a restart, or at another instance: what the reader has come to is read by nobody here yet. */
  @Test
  void readerAheadOfTheSharedConsumer_getsNothingTwice_idsOnlyGrow() {
    var reader = reader(ALL);
    live.follow(cursor(reader));
    cursor(reader).begin(offsets(103, 201));
    live.join(cursor(reader));
    cursor(reader).unhold();
    IntStream.range(0, 5).forEach(i -> append(0, 100 + i));
    IntStream.range(0, 3).forEach(i -> append(1, 200 + i));

    var text = read(reader);

    assertThat(places(text)).containsExactly("0/103", "0/104", "1/201", "1/202");
    assertThat(ids(text).stream().map(FeedOffsets::parse).map(FeedOffsets::next))
        .allMatch(each -> each.get(0) >= 103 && each.get(1) >= 201);
  }

  @Test
  void readerThatStopsReading_isCutOffWithAReason_othersAreNot() {
    var slow = now(ALL);
    var fast = now(ALL);
    var got = new ArrayList<String>();
    var written = 0;
    while (!slow.isDone()) {
      append(0, 100 + written++);
      got.addAll(places(read(fast)));
    }

    assertThat(got).hasSize(written);
    assertThat(read(slow)).startsWith("event: end\ndata: {\"reason\":\"too slow: ");
    assertThat(slow.isEnded()).isTrue();
    assertThat(slow.isTooSlow()).isTrue();
    assertThat(slow.queuedBytes()).isZero();
    assertThat(fast.isDone()).isFalse();
  }

  /** A consumer of its own never reads further ahead of a client than a part of the limit. */
  @Test
  void readerThatTakesNothingWhileItCatchesUp_isCutOff() {
    var reader = new Feed("a client", filters(ALL), limits, Duration.ofMillis(1), closed -> {});
    cursor(reader).begin(offsets(0, 0));
    var offered = 0;
    while (cursor(reader).offer(record(0, offered, "key", null)) && reader.awaitRoom()) {
      offered++;
    }

    assertThat(offered).isPositive().isLessThan((int) limits.mostAhead() / 100);
    assertThat(read(reader)).contains("event: end").contains("it took nothing for");
  }

  @Test
  void gap_isSaid_whateverTheFilter() {
    var reader = now(filter(TOPIC, Set.of("other"), null, Set.of(), null));
    read(reader);
    live.add(new LostRange(new TopicPartition(TOPIC.name(), 1), 200, 250), limits);

    assertThat(read(reader)).isEqualTo("id: " + offsets(100, 250).id()
        + "\nevent: gap\ndata: {\"topic\":\"t.pool.changes\",\"partition\":1,\"from\":200,\"to\":250,\"records\":50}\n\n");
  }

  @Test
  void filters_matchKeysNetworksFacetsConditionsAndTombstones() {
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
    var states = filter(TOPICS.pool().state(), Set.of(), "polygon", Set.of(), null);

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
    assertThatThrownBy(() -> filter(TOPIC, Set.of(), null, Set.of("prize"), null))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining("price");
    assertThatThrownBy(() -> filter(TOPICS.alerts(), Set.of(), null, Set.of("price"), null))
        .hasMessageContaining("only changes have facets");
    assertThatThrownBy(() -> filter(TOPICS.global().changes(), Set.of(), "eth", Set.of(), null))
        .hasMessageContaining("have no network");
    assertThatThrownBy(() -> filter(TOPIC, Set.of(), null, Set.of(), "moved(price, '1h') > 1.0"))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining("where");
  }

  private List<CommittedRecord> passing(Set<String> keys, @Nullable String network, Set<String> facets,
      @Nullable String where, CommittedRecord... records) {
    var filter = filter(TOPIC, keys, network, facets, where);
    return List.of(records).stream().filter(filter::passes).toList();
  }

  @Test
  void caughtUp_namesTheOffsetsThatWereReached_pastRecordsThatDoNotPass() {
    var reader = reader(filter(TOPIC, Set.of("followed"), null, Set.of(), null));
    cursor(reader).begin(new FeedOffsets(Uuid.ONE_UUID, List.of(0L, 0L)));
    cursor(reader).offer(record(0, 4, "followed", null));
    cursor(reader).offer(record(1, 6, "another", null));
    cursor(reader).offerCaughtUp();

    assertThat(ids(read(reader)).getLast()).endsWith(".5.7");
  }

  /** Two feeds that catch up would otherwise wait for each other. */
  @Test
  void caughtUp_waitsForNoOtherFeed_evenIfNoMemoryIsLeft() throws Exception {
    var other = now(ALL);
    var reader = reader(ALL);
    cursor(reader).begin(offsets(100, 200));
    limits.retain(limits.mostBytes());

    synchronized (other) {
      assertThat(CompletableFuture.supplyAsync(cursor(reader)::offerCaughtUp).get(10, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(read(reader)).contains("event: caught-up");
    reader.close();
    other.close();
    assertThat(limits.bytes()).isEqualTo(limits.mostBytes());
  }

  private static FeedFilter filter(Topic<?> topic, Set<String> keys, @Nullable String network, Set<String> facets,
      @Nullable String where) {
    return FeedFilter.of(topic,
        new TopicRequest(topic.name(), keys, network, facets, where, new StartPosition.End()));
  }

  private Feed reader(FeedFilter filter) {
    return new Feed("a client", filters(filter), limits, Duration.ofSeconds(30), closed -> {});
  }

  private static SequencedMap<Topic<?>, FeedFilter> filters(FeedFilter filter) {
    return new LinkedHashMap<>(Map.of(TOPIC, filter));
  }

  private static TopicCursor cursor(Feed feed) {
    return feed.cursors().getFirst();
  }

  private Feed now(FeedFilter filter) {
    var reader = reader(filter);
    live.follow(cursor(reader));
    live.joinNow(cursor(reader));
    cursor(reader).offerCaughtUp();
    return reader;
  }

  private static String read(Feed reader) {
    return written(reader, false);
  }

  /** Takes all events of a feed. Returns their text, which has the form of Server-Sent Events. */
  static String written(Feed reader, boolean heartbeat) {
    var text = new StringBuilder();
    for (var next = reader.next(heartbeat); next != null; next = reader.next(false)) {
      var kind = next.kind();
      text.append(next.id() == null ? "" : "id: " + next.id() + "\n")
          .append(kind == null ? "" : "event: " + kind.wire() + "\ndata: " + new String(next.data(), UTF_8) + "\n")
          .append('\n');
    }
    return text.toString();
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
    live.add(record, limits);
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
    return new FeedOffsets(ID, Arrays.stream(next).boxed().toList());
  }
}
