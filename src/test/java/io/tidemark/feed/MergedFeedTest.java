package io.tidemark.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.feed.FeedOffsets.LongList;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;

/** Two topics with one partition each as one stream, without a broker; and the request for it. */
class MergedFeedTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-03-10T12:00:00Z"));
  static final Uuid POOLS = Uuid.randomUuid();
  static final Uuid TOKENS = Uuid.randomUuid();
  static final Pattern RECORD = Pattern.compile("id: (\\S+)\nevent: record\ndata: .*?\"topic\":\"t\\.(\\w+).*?"
      + "\"offset\":(\\d+)");

  final TopicTail pools = tail(TOPICS.pool().changes(), POOLS);
  final TopicTail tokens = tail(TOPICS.token().changes(), TOKENS);
  final List<MergedFeed> closed = new ArrayList<>();

  @Test
  void idOfEachEvent_hasTheOffsetsOfAllTopics() {
    var feed = feed(offsets(POOLS, 0), offsets(TOKENS, 0));
    append(pools, 0);
    append(tokens, 0);
    append(pools, 1);

    var records = RECORD.matcher(read(feed)).results().map(found -> found.group(2) + found.group(3)).toList();

    assertThat(records).containsExactly("pool0", "pool1", "token0");
    assertThat(new String(feed.next(1_000, true).toByteArray(), UTF_8))
        .isEqualTo("id: %s.2~%s.1\n\n".formatted(POOLS, TOKENS));
  }

  @Test
  void clientThatGoesOnAtAnyEvent_getsExactlyTheRest() {
    for (var i = 0; i < 5; i++) {
      append(pools, i);
      append(tokens, i);
    }
    var all = RECORD.matcher(read(feed(offsets(POOLS, 0), offsets(TOKENS, 0)))).results().toList();

    for (var seen = 1; seen <= all.size(); seen++) {
      var last = MergedFeed.parseId(all.get(seen - 1).group(1), 2);
      var rest = RECORD.matcher(read(feed(last.get(0), last.get(1)))).results()
          .map(found -> found.group(2) + found.group(3)).toList();
      assertThat(rest).containsExactlyElementsOf(
          all.subList(seen, all.size()).stream().map(found -> found.group(2) + found.group(3)).toList());
    }
    assertThat(all).hasSize(10);
  }

  /** An id names all topics: before that is known, an event could not be gone on from. */
  @Test
  void nothingIsSent_beforeEachTopicHasBegun() {
    var first = reader(pools);
    var second = reader(tokens);
    var feed = new MergedFeed(List.of(first, second), closed::add);
    begin(first, offsets(POOLS, 0));
    append(pools, 0);

    assertThat(feed.hasMore()).isFalse();
    assertThat(read(feed)).isEmpty();
    assertThat(new String(feed.next(1_000, true).toByteArray(), UTF_8)).isEqualTo(":\n\n");

    begin(second, offsets(TOKENS, 0));
    assertThat(feed.hasMore()).isTrue();
    assertThat(read(feed)).contains("event: record", "id: %s.1~%s.0".formatted(POOLS, TOKENS));
  }

  @Test
  void endOfOneTopic_isTheEndOfTheFeed_andItIsClosedOnce() {
    var feed = feed(offsets(POOLS, 0), offsets(TOKENS, 0));
    feed.readers().get(1).end("the reason");

    assertThat(read(feed)).isEqualTo("event: end\ndata: {\"reason\":\"the reason\"}\n\n");
    assertThat(feed.isEnded()).isTrue();
    assertThat(feed.readers()).allMatch(FeedReader::isDone);
    feed.close();
    feed.close();
    assertThat(closed).containsExactly(feed);
  }

  @Test
  void partOfAnIdThatIsEmpty_isATopicThatBegins() {
    assertThat(MergedFeed.parseId(POOLS + ".7~", 2)).containsExactly(offsets(POOLS, 7), null);
    assertThatThrownBy(() -> MergedFeed.parseId(POOLS + ".7", 2)).hasMessageContaining("of a feed of 1 topics");
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
    refuses("what follows the dot", Map.of("topic", List.of("alerts"), "key.movers", List.of("a")));
    refuses("and no other", Map.of("topic", List.of("alerts"), "source.alerts", List.of("a")));
    refuses("each once", Map.of("topic", List.of("alerts", "alerts")));
    assertThatThrownBy(() -> FeedRequest.parse("alerts", Map.of("topic", List.of("movers")), null, NOW))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining("the path names it");
  }

  private static void refuses(String message, Map<String, List<String>> parameters) {
    assertThatThrownBy(() -> FeedRequest.parse(null, parameters, null, NOW))
        .isInstanceOf(FeedRefusal.class).hasMessageContaining(message);
  }

  private MergedFeed feed(FeedOffsets ofPools, FeedOffsets ofTokens) {
    var first = reader(pools);
    var second = reader(tokens);
    begin(first, ofPools);
    begin(second, ofTokens);
    return new MergedFeed(List.of(first, second), closed::add);
  }

  private static void begin(FeedReader reader, FeedOffsets at) {
    reader.begin(at);
    reader.share(reader.tail().placeFor(at.next()), -1);
  }

  private static FeedReader reader(TopicTail tail) {
    return new FeedReader(tail, FeedFilter.NONE, Duration.ofSeconds(30));
  }

  private static TopicTail tail(Topic<?> topic, Uuid id) {
    var tail = new TopicTail(topic);
    tail.open(offsets(id, 0), new LongList(100));
    return tail;
  }

  private static FeedOffsets offsets(Uuid id, long next) {
    return new FeedOffsets(id, new LongList(next));
  }

  private static void append(TopicTail tail, long offset) {
    tail.append(new CommittedRecord(tail.topic().name(), 0, offset, 0, "key", Map.of(), 0, null, null));
  }

  private static String read(MergedFeed feed) {
    return new String(feed.next(Integer.MAX_VALUE, false).toByteArray(), UTF_8);
  }
}
