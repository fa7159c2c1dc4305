package io.tidemark.serve.candle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandles;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicOffsets;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.candle.CandleHistory.Bar;
import io.tidemark.serve.candle.CandleHistory.CandleMemory;
import io.tidemark.serve.candle.CandleHistory.CandlePage;
import io.tidemark.serve.candle.CandleHistory.CandleQuery;
import io.tidemark.serve.feed.FeedLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The history of candles over a real broker. */
class CandleHistoryIT {

  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final BuiltInRegistry REGISTRY = new BuiltInRegistry(List.of());
  static final long MINUTE = 60_000;
  static final long START = Instant.parse("2026-05-05T00:00:00Z").toEpochMilli();
  static final int PARTITIONS = 2;

  /** The candles are from long ago, and the broker deletes what is older than this. */
  static final Duration FOR_GOOD = Duration.ofDays(36_500);

  final Topics topics = new Topics(SharedBroker.freshPrefix(), new Retention(FOR_GOOD, FOR_GOOD, FOR_GOOD, FOR_GOOD));
  final Topic<Candle> minutes = topics.candles(topics.pool(), CandleInterval.MINUTE);
  final Topic<OpenCandles> open = topics.openCandles(topics.pool());
  final Admin admin = Admin.create(CLIENT);
  final FeedLimits limits = FeedLimits.ofHeap();
  KafkaProducer<String, byte[]> producer;
  CandleHistory history;
  Instant now = Instant.ofEpochMilli(START);

  @BeforeEach
  void start() {
    AvroSettings.apply();
    new TopicSetup(admin, new TopicLayout(PARTITIONS, (short) 1)).ensure(List.of(minutes, open));
    producer = new KafkaProducer<>(
        Map.of("bootstrap.servers", SharedBroker.bootstrapServers(), "transactional.id", UUID.randomUUID().toString()),
        new StringSerializer(), new ByteArraySerializer());
    producer.initTransactions();
    history = history(5_000);
  }

  @AfterEach
  void stop() {
    history.close();
    producer.close();
    admin.close();
  }

  @Test
  void newCandles_areFoundAfterTheirCommit_andTheOpenOneLast() {
    now = at(10).plusSeconds(30);
    commit(() -> {
      publish("a", 8, at(9).plusSeconds(2));
      publish("b", 9, at(10).plusSeconds(2));
      publishOpen("a", CandleInterval.MINUTE, 10, 1.5);
    });
    assertThat(starts("a", 10)).containsExactly(8L, 10L);

    producer.beginTransaction();
    publish("a", 10, at(11).plusSeconds(2));
    producer.flush();
    assertThat(starts("a", 10)).as("not committed").containsExactly(8L, 10L);
    assertThat(newest("a", 1, 0, END).bars()).singleElement().extracting(Bar::close).isEqualTo(1.5);
    producer.commitTransaction();
    awaitMarkers();
    now = at(11).plusSeconds(5);

    assertThat(starts("a", 10)).containsExactly(8L, 10L);
    assertThat(newest("a", 1, 0, END).bars()).singleElement().extracting(Bar::close).isEqualTo(10.0);
    assertThat(starts("b", 10)).containsExactly(9L);
    assertThat(newest("c", 10, 0, END)).isEqualTo(new CandlePage(List.of(), null));
  }

  /** 60 windows without ticks: the candles that ended before it are published after it, with the next two ticks. */
  @Test
  void anyPage_isWhole_howeverOftenAndInWhateverOrder() {
    var random = new Random(7);
    var known = Map.of("a", new TreeSet<Long>(), "b", new TreeSet<Long>(), "c", new TreeSet<Long>());
    var keys = List.of("a", "b", "c");
    commit(() -> {
      for (var window = 0L; window < 3_000; window++) {
        var published = window >= 200 && window < 260 ? at(261).plusMillis(window < 230 ? 0 : 1_500)
            : at(window + 1).plusMillis(1_800);
        for (var key : keys) {
          if (random.nextInt(3) > 0) {
            known.get(key).add(window);
            publish(key, window, published);
          }
        }
      }
    });
    now = at(3_020);
    for (var i = 0; i < 100; i++) {
      var key = keys.get(random.nextInt(3));
      var before = switch (random.nextInt(4)) {
        case 0 -> 3_100L;
        case 1 -> 200L + random.nextInt(70);
        default -> (long) random.nextInt(3_010);
      };
      var since = random.nextInt(3) > 0 ? 0 : Math.max(0, before - random.nextInt(1_000));
      var count = 1 + random.nextInt(700);
      var expected = new ArrayList<>(known.get(key).subSet(since, Math.max(since, before)));

      var page = newest(key, count, at(since).toEpochMilli(), at(before).toEpochMilli() - random.nextInt(2));

      assertThat(page.rest()).as("%s: %d from %d before %d", key, count, since, before).isNull();
      assertThat(starts(page)).as("%s: %d from %d before %d", key, count, since, before)
          .containsExactlyElementsOf(expected.subList(Math.max(0, expected.size() - count), expected.size()));
    }
  }

  @Test
  void openCandle_isFoundWhereverInItsWindow_andUntilItsClosedOneComes() {
    now = at(600);
    commit(() -> {
      publishOpen("a", CandleInterval.DAY, 1, 1.5);
      for (var window = 2L; window < 500; window++) {
        publishOpen("b", CandleInterval.MINUTE, window, 1);
        publishOpen("c", CandleInterval.MINUTE, window, 1);
      }
    });
    assertThat(newest("a", CandleInterval.DAY, 5, 0, END).bars()).extracting(Bar::close).containsExactly(1.5);

    now = at(1_440).plusSeconds(8);
    commit(() -> publishOpen("a", CandleInterval.DAY, 1_440, 2.5));
    assertThat(newest("a", CandleInterval.DAY, 5, 0, END).bars()).extracting(Bar::close).containsExactly(1.5, 2.5);
  }

  @Test
  void readThatEndsAtItsLimit_saysWhereToGoOn() {
    history.close();
    history = history(100);
    commit(() -> {
      publish("a", 1, at(2).plusSeconds(2));
      for (var window = 2L; window < 800; window++) {
        publish("b", window, at(window + 1).plusSeconds(2));
      }
    });
    now = at(900);
    var page = newest("a", 5, 0, END);
    var before = END;
    var pages = 1;
    for (; page.bars().isEmpty() && page.rest() != null; pages++) {
      assertThat(page.rest()).isLessThan(before);
      before = page.rest();
      page = newest("a", 5, 0, before);
    }

    assertThat(starts(page)).containsExactly(1L);
    assertThat(pages).as("several, if both keys are in one partition").isBetween(1, 12);
  }

  @Test
  void candlesThatRetentionDeletes_areLeftOut() throws Exception {
    commit(() -> {
      for (var window = 0L; window < 100; window++) {
        publish("a", window, at(window + 1).plusSeconds(2));
      }
    });
    now = at(200);
    var kept = newest("a", 100, 0, END).bars().get(60).offset();
    history.close();
    history = history(5_000);
    assertThat(newest("b", 10, 0, END).bars()).as("reads the first offsets").isEmpty();

    var partition =
        new TopicPartition(minutes.name(), Utils.toPositive(Utils.murmur2("a".getBytes(UTF_8))) % PARTITIONS);
    admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(kept))).all().get();

    for (var request = 0; request < 2; request++) {
      var page = newest("a", 100, 0, END);
      assertThat(starts(page)).first().isEqualTo(60L);
      assertThat(page.bars()).hasSize(40);
      assertThat(page.rest()).isNull();
    }
  }

  static final long END = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  private CandleHistory history(long mostOffsets) {
    return new CandleHistory(new Quarantine("main", ReaderRole.FEEDS, List.of(minutes, open), InstantSource.system()),
        topics, REGISTRY, CLIENT, limits, new CandleMemory(), () -> now, mostOffsets);
  }

  private CandlePage newest(String key, int count, long since, long before) {
    return newest(key, CandleInterval.MINUTE, count, since, before);
  }

  private CandlePage newest(String key, CandleInterval interval, int count, long since, long before) {
    return history.newest(new CandleQuery("pool", key, interval, count, since, before), "test").block();
  }

  private List<Long> starts(String key, int count) {
    return starts(newest(key, count, 0, END));
  }

  private static List<Long> starts(CandlePage page) {
    return page.bars().stream().map(bar -> (bar.start() - START) / MINUTE).toList();
  }

  private static Instant at(long window) {
    return Instant.ofEpochMilli(START + window * MINUTE);
  }

  private void commit(Runnable sends) {
    producer.beginTransaction();
    sends.run();
    producer.commitTransaction();
    awaitMarkers();
  }

  /** Waits until all that was committed is readable in each partition. */
  private void awaitMarkers() {
    for (var topic : List.of(minutes, open)) {
      for (var partition = 0; partition < PARTITIONS; partition++) {
        new TopicOffsets(admin).committed(topic.name(), partition);
      }
    }
  }

  private void publish(String key, long window, Instant published) {
    send(minutes, key, candle(key, window, (double) window), published);
  }

  /** Publishes an open candle in the given minute, with the window that the minute is in. */
  private void publishOpen(String key, CandleInterval interval, long minute, double close) {
    var candle = candle(key, minute, close);
    candle.setInterval(interval.label());
    candle.setStart(interval.startOf(at(minute)));
    candle.setEnd(interval.endOf(at(minute)));
    send(open, key, OpenCandles.newBuilder().setId(key).setCandles(List.of(candle)).build(),
        at(minute).plusSeconds(2));
  }

  private static Candle candle(String key, long window, double price) {
    return Candle.newBuilder().setId(key).setInterval("1m").setStart(at(window)).setEnd(at(window + 1))
        .setOpen(price).setHigh(price).setLow(price).setClose(price).build();
  }

  private <V extends SpecificRecord> void send(Topic<V> topic, String key, V value, Instant time) {
    producer.send(new ProducerRecord<>(topic.name(), null, time.toEpochMilli(), key,
        topic.serde(REGISTRY).encode(topic.name(), value)));
  }
}
