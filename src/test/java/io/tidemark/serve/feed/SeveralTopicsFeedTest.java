package io.tidemark.serve.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.serve.feed.LiveReader.LiveTopic;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Two topics with one partition each as one stream, without a broker; and the request for it. */
class SeveralTopicsFeedTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-03-10T12:00:00Z"));
  static final Uuid POOLS = Uuid.randomUuid();
  static final Uuid TOKENS = Uuid.randomUuid();
  static final Pattern RECORD = Pattern.compile("id: (\\S+)\nevent: record\ndata: .*?\"topic\":\"t\\.(\\w+).*?"
      + "\"offset\":(\\d+)");

  final FeedLimits limits = new FeedLimits(16 << 20);
  final LiveTopic pools = live(TOPICS.pool().changes(), POOLS);
  final LiveTopic tokens = live(TOPICS.token().changes(), TOKENS);
  final List<Feed> closed = new ArrayList<>();

  @Test
  void idOfEachEvent_hasTheOffsetsOfAllTopics() {
    var feed = joined();
    append(pools, 0);
    append(tokens, 0);
    append(pools, 1);

    var text = read(feed);

    assertThat(records(text)).containsExactly("pool0", "token0", "pool1");
    assertThat(text.lines().filter(line -> line.startsWith("id: ")))
        .containsExactly(id(0, 0), id(1, 0), id(1, 1), id(2, 1));
    assertThat(heartbeat(feed)).isEqualTo(id(2, 1) + "\n\n");
  }

  @Test
  void clientThatGoesOnAtAnyEvent_getsExactlyTheRest() {
    var log = IntStream.range(0, 10).mapToObj(i -> record(i % 2 == 0 ? pools : tokens, i / 2)).toList();
    var all = RECORD.matcher(read(late(offsets(POOLS, 0), offsets(TOKENS, 0), log))).results().toList();

    for (var seen = 1; seen <= all.size(); seen++) {
      var last = Feed.parseId(all.get(seen - 1).group(1), 2);
      assertThat(records(read(late(last.get(0), last.get(1), log)))).containsExactlyElementsOf(
          all.subList(seen, all.size()).stream().map(found -> found.group(2) + found.group(3)).toList());
    }
    assertThat(all).hasSize(10);
  }

  /** An id names all topics: before that is known, an event could not be gone on from. */
  @Test
  void nothingIsSent_beforeEachTopicHasBegun() {
    var feed = feed();
    pools.follow(feed.cursors().get(0));
    pools.joinNow(feed.cursors().get(0));
    append(pools, 0);

    assertThat(feed.hasMore()).isFalse();
    assertThat(read(feed)).isEmpty();
    assertThat(heartbeat(feed)).isEmpty();

    tokens.joinNow(feed.cursors().get(1));
    assertThat(feed.hasMore()).isTrue();
    assertThat(read(feed)).contains("event: record", id(1, 0));
  }

  @Test
  void endOfOneTopic_isTheEndOfTheFeed_andItIsClosedOnce() {
    var feed = joined();
    append(pools, 0);
    tokens.fail("the reason");

    assertThat(read(feed)).isEqualTo("event: end\ndata: {\"reason\":\"the reason\"}\n\n");
    assertThat(feed.isEnded()).isTrue();
    assertThat(feed.isDone()).isTrue();
    feed.close();
    feed.close();
    assertThat(closed).containsExactly(feed);
    assertThat(limits.bytes()).isZero();
  }

  @Test
  void partOfAnIdThatIsEmpty_isATopicThatBegins() {
    assertThat(Feed.parseId(POOLS + ".7~", 2)).containsExactly(offsets(POOLS, 7), null);
    assertThatThrownBy(() -> Feed.parseId(POOLS + ".7", 2)).hasMessageContaining("from a feed of 1 topics");
  }

  @Test
  void parameterWithATopic_isOfThatTopicAlone() {
    var request = FeedRequest.parse(null, Map.of("topic", List.of("pool.changes", "alerts"),
        "from", List.of("beginning"), "from.alerts", List.of("10m"), "key.pool.changes", List.of("a", "b")), null, NOW);

    assertThat(request.topics()).containsExactly(
        new FeedRequest.TopicRequest("pool.changes", Set.of("a", "b"), null, Set.of(), null,
            new StartPosition.Beginning()),
        new FeedRequest.TopicRequest("alerts", Set.of(), null, Set.of(), null,
            new StartPosition.At(Instant.parse("2026-03-10T11:50:00Z"))));
  }

  @Test
  void requestsThatMakeNoSense_areRefused() {
    refuses("a feed has the parameters topic, key", Map.of("topic", List.of("alerts"), "keys", List.of("a")));
    refuses("the part after the dot", Map.of("topic", List.of("alerts"), "key.movers", List.of("a")));
    refuses("and no other", Map.of("topic", List.of("alerts"), "source.alerts", List.of("a")));
    refuses("each once", Map.of("topic", List.of("alerts", "alerts")));
    assertThatThrownBy(() -> FeedRequest.parse("alerts", Map.of("topic", List.of("movers")), null, NOW))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining("the path already names a topic");
  }

  private static void refuses(String message, Map<String, List<String>> parameters) {
    assertThatThrownBy(() -> FeedRequest.parse(null, parameters, null, NOW))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining(message);
  }

  private Feed feed() {
    var filters = new LinkedHashMap<Topic<?>, FeedFilter>();
    filters.put(TOPICS.pool().changes(), FeedTest.ALL);
    filters.put(TOPICS.token().changes(), FeedTest.ALL);
    return new Feed("a client", filters, limits, Duration.ofSeconds(30), closed::add);
  }

  private Feed joined() {
    var feed = feed();
    pools.follow(feed.cursors().get(0));
    tokens.follow(feed.cursors().get(1));
    pools.joinNow(feed.cursors().get(0));
    tokens.joinNow(feed.cursors().get(1));
    return feed;
  }

  /** Reads with a consumer of its own what follows these offsets. */
  private Feed late(FeedOffsets ofPools, FeedOffsets ofTokens, List<CommittedRecord> log) {
    var feed = feed();
    feed.cursors().get(0).begin(ofPools);
    feed.cursors().get(1).begin(ofTokens);
    for (var record : log) {
      var cursor = feed.cursors().get(record.topic().equals(TOPICS.pool().changes().name()) ? 0 : 1);
      if (record.offset() >= cursor.offsets().next().get(0)) {
        cursor.offer(record);
      }
    }
    return feed;
  }

  private static LiveTopic live(Topic<?> topic, Uuid id) {
    var live = new LiveTopic(topic);
    live.open(offsets(id, 0));
    return live;
  }

  private static FeedOffsets offsets(Uuid id, long next) {
    return new FeedOffsets(id, List.of(next));
  }

  private static String id(long ofPools, long ofTokens) {
    return "id: %s.%d~%s.%d".formatted(POOLS, ofPools, TOKENS, ofTokens);
  }

  private CommittedRecord record(LiveTopic live, long offset) {
    var topic = live == pools ? TOPICS.pool().changes() : TOPICS.token().changes();
    return new CommittedRecord(topic.name(), 0, offset, 0, "key", Map.of(), 0, null, null);
  }

  private void append(LiveTopic live, long offset) {
    live.add(record(live, offset), limits);
  }

  private static List<String> records(String text) {
    return RECORD.matcher(text).results().map(found -> found.group(2) + found.group(3)).toList();
  }

  private static String read(Feed feed) {
    return FeedTest.written(feed, false);
  }

  private static String heartbeat(Feed feed) {
    return FeedTest.written(feed, true);
  }
}
