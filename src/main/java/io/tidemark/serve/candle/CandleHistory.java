package io.tidemark.serve.candle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.event.Candle;
import io.tidemark.event.OpenCandles;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.serve.feed.CatchUpLimiter.WaitingReader;
import io.tidemark.serve.feed.FeedLimits;
import io.tidemark.serve.feed.FeedRefusal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The candles of a source's pools, tokens and tickers. The newest candles of each key that was asked for stay in memory
 * and are completed from the end of the key's partition with each request. Older ones are read from Kafka, backwards in
 * steps, up to a limit of records and time for one request. A read takes one of the slots of feeds that catch up.
 * Thread-safe.
 */
public final class CandleHistory implements AutoCloseable {

  /** Maximum number of candles in a page, and of candles that stay in memory for one key and interval. */
  public static final int MOST = 1_500;

  private static final Logger LOG = LoggerFactory.getLogger(CandleHistory.class);
  private static final int PART_OF_HEAP = 20;
  private static final int BYTES_OF_BAR = 80;
  private static final int BYTES_OF_SERIES = 256;

  /** Maximum time from the end of a window to its closed candle. */
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** The first and the longest step backwards, as parts of the maximum number of offsets. */
  private static final int FIRST_STEP = 100;

  private static final int LONGEST_STEP = 10;

  private final Quarantine quarantine;
  private final Topics topics;
  private final FeedLimits limits;
  private final Cache<SeriesId, Series> known;
  private final InstantSource clock;
  private final Supplier<TopicReader> readers;
  private final Deque<TopicReader> idle = new ConcurrentLinkedDeque<>();
  private final long mostOffsets;

  /**
   * The candles asked for: at most {@code count}, the newest ones that start at {@code since} or later and before
   * {@code before}, both in milliseconds since 1970.
   *
   * @param resource {@code pool}, {@code token} or {@code ticker}
   * @param key key of the resource
   */
  public record CandleRequest(
      String resource, String key, CandleInterval interval, int count, long since, long before) {}

  /**
   * The figures of one candle.
   *
   * @param start start of the window, in milliseconds since 1970
   * @param volume traded value in USD, estimated; 0 if it is unknown
   * @param offset offset of the record that has the candle
   */
  public record Bar(long start, double open, double high, double low, double close, double volume, long offset) {}

  /**
   * Candles, oldest first. A window without a change has none.
   *
   * @param rest time in milliseconds since 1970 before which candles were not looked for although fewer than requested
   *     were found, because the read had reached its limit; null if there are no more in the requested range
   */
  public record CandlePage(List<Bar> bars, @Nullable Long rest) {}

  /** The candles of all sources that stay in memory: at most a twentieth of the maximum heap size. */
  public static final class CandleMemory {
    private final Cache<SeriesId, Series> series = Caffeine.newBuilder()
        .maximumWeight(Runtime.getRuntime().maxMemory() / PART_OF_HEAP)
        .<SeriesId, Series>weigher(
            (id, each) -> BYTES_OF_SERIES + id.key().length() + BYTES_OF_BAR * each.bars().size())
        .build();
  }

  /** Candles of one key and interval in a topic of open or closed candles. */
  private record SeriesId(String topic, String key, CandleInterval interval) {}

  /**
   * All candles of a series in the offsets from {@code begin} to {@code next}, exclusive, in the order of their starts.
   *
   * @param reached timestamp of the earliest of these records, or a later start of a window before which none is kept
   */
  private record Series(List<Bar> bars, long begin, long next, long reached) {}

  /**
   * @param quarantine counts records that cannot be read, which are left out
   * @param client configuration that all clients of the cluster share
   */
  public CandleHistory(Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client,
      FeedLimits limits, CandleMemory memory, InstantSource clock) {
    this(quarantine, topics, registry, client, limits, memory, clock, 200_000);
  }

  /** @param mostOffsets maximum number of offsets that one request reads backwards */
  CandleHistory(Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client,
      FeedLimits limits, CandleMemory memory, InstantSource clock, long mostOffsets) {
    this.quarantine = quarantine;
    this.topics = topics;
    this.limits = limits;
    this.known = memory.series;
    this.clock = clock;
    this.mostOffsets = mostOffsets;
    this.readers = () -> new TopicReader(client, topics.derived(), registry, lost -> {}, limits.consumer());
  }

  /**
   * Returns the newest candles, the open candle included. Fails with a {@link FeedRefusal} if no slot gets free in time
   * or Kafka does not answer.
   *
   * @param client the client's key or address, to which the slot is charged
   */
  public Mono<CandlePage> newest(CandleRequest request, String client) {
    return Mono.<CandlePage>create(sink -> {
      var waiting = new WaitingReader(client, () -> {
        try {
          sink.success(read(request));
        } catch (RuntimeException e) {
          sink.error(e);
        }
      });
      limits.catchUps().add(waiting);
      sink.onDispose(() -> limits.catchUps().remove(waiting));
    }).timeout(TIMEOUT).onErrorMap(e -> e instanceof TimeoutException || e instanceof KafkaException, e -> {
      LOG.debug("{}: not read; the request is refused", request, e);
      return FeedRefusal.unavailable("the candles could not be read in time; try again later");
    });
  }

  @Override
  public void close() {
    idle.forEach(TopicReader::close);
  }

  private CandlePage read(CandleRequest request) {
    var taken = idle.pollFirst();
    var reader = taken == null ? readers.get() : taken;
    try {
      var page = read(reader, request);
      idle.push(reader);
      return page;
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private CandlePage read(TopicReader reader, CandleRequest request) {
    var resource = topics.resource(request.resource());
    var interval = request.interval();
    var current = interval.startOf(clock.instant().minus(CLOSING)).toEpochMilli();
    // the open candle first: one that is closed in between is then found among the closed ones
    var open = request.before() <= current ? List.<Bar>of()
        : read(reader, topics.openCandles(resource), new CandleRequest(request.resource(), request.key(), interval, 1,
            Math.max(current, request.since()), request.before())).bars();
    var closed = read(reader, topics.candles(resource, interval), request);
    var last = closed.bars().isEmpty() ? Long.MIN_VALUE : closed.bars().getLast().start();
    var all = Stream.concat(closed.bars().stream(), open.stream().filter(each -> each.start() > last)).toList();
    return new CandlePage(last(all, request.count()), closed.rest());
  }

  private static List<Bar> last(List<Bar> bars, int count) {
    return List.copyOf(bars.subList(Math.max(0, bars.size() - count), bars.size()));
  }

  private CandlePage read(TopicReader reader, Topic<?> topic, CandleRequest request) {
    var count = reader.offsets().partitionCounts(List.of(topic.name())).get(topic.name());
    if (count == null) {
      return new CandlePage(List.of(), null);
    }
    var hash = Utils.toPositive(Utils.murmur2(request.key().getBytes(UTF_8)));
    var partition = new TopicPartition(topic.name(), hash % count);
    long earliest = requireNonNull(reader.offsets().earliest(List.of(partition)).get(partition));
    long end = requireNonNull(reader.offsets().latest(List.of(partition)).get(partition));
    return new PartitionRead(reader, partition, request, earliest, end).newest();
  }

  /** One read of the candles of a key in one partition, whose records are those from earliest to end. */
  private final class PartitionRead {
    private final TopicReader reader;
    private final TopicPartition partition;
    private final CandleRequest request;
    private final long earliest;
    private final long end;

    /** The candles that were found, by start. */
    private final NavigableMap<Long, Bar> bars = new TreeMap<>();

    /** Timestamp of the earliest record that was read. */
    private long reached = Long.MAX_VALUE;

    PartitionRead(TopicReader reader, TopicPartition partition, CandleRequest request, long earliest, long end) {
      this.reader = reader;
      this.partition = partition;
      this.request = request;
      this.earliest = earliest;
      this.end = end;
    }

    CandlePage newest() {
      var id = new SeriesId(partition.topic(), request.key(), request.interval());
      var series = known.getIfPresent(id);
      if (series != null && series.next() > end) { // a topic created anew, or a broker that has not recovered yet
        known.invalidate(id);
        throw FeedRefusal.unavailable(partition + " has become shorter; try again later");
      }
      var begin = end;
      if (series != null && series.next() >= Math.max(earliest, end - mostOffsets)) {
        series.bars().forEach(each -> bars.put(each.start(), each));
        reached = series.reached();
        bars.putAll(read(series.next(), end));
        begin = series.begin();
      }
      var published = bars.headMap(request.before()).isEmpty() ? publishedBefore(request.before()) : begin;
      var isGap = published < begin;
      if (isGap) {
        bars.clear();
        reached = Long.MAX_VALUE;
        begin = published;
      }
      var least = Math.max(earliest, begin - mostOffsets);
      var deadline = System.nanoTime() + READ_NANOS;
      for (var step = mostOffsets / FIRST_STEP; begin > least && isShort() && System.nanoTime() < deadline;
          step = Math.min(2 * step, mostOffsets / LONGEST_STEP)) {
        var from = Math.max(least, begin - step);
        read(from, begin).forEach(bars::putIfAbsent);
        begin = from;
      }
      if (!isGap) {
        var kept = last(List.copyOf(bars.values()), MOST);
        known.put(id, kept.size() == bars.size() ? new Series(kept, begin, end, reached)
            : new Series(kept, kept.getFirst().offset(), end, kept.getFirst().start()));
      }
      return new CandlePage(last(inRange(), request.count()),
          begin > earliest && isShort() ? Math.min(request.before(), windowAt(reached)) : null);
    }

    /** Returns whether unread records may have candles that were asked for. */
    private boolean isShort() {
      return inRange().size() < request.count() && windowAt(reached) > request.since();
    }

    private List<Bar> inRange() {
      return bars.values().stream()
          .filter(each -> each.start() >= request.since() && each.start() < request.before()).toList();
    }

    /** Returns the start of the window of a time. Each candle that starts there or later was published after it. */
    private long windowAt(long time) {
      return time == Long.MAX_VALUE ? time : request.interval().startOf(Instant.ofEpochMilli(time)).toEpochMilli();
    }

    /**
     * Returns an offset before which all candles are that start before a time. Their windows end by the end of the
     * window of that time, and they are published with the first tick after it, all with its timestamp, however late it
     * comes.
     */
    private long publishedBefore(long start) {
      if (start >= clock.millis()) {
        return end;
      }
      var closed = request.interval().endOf(Instant.ofEpochMilli(start)).plus(CLOSING);
      long first = requireNonNull(reader.offsets().at(List.of(partition), closed).get(partition));
      var tick = new long[] {Long.MAX_VALUE, end}; // its time, and the first offset after its records
      reader.readUntil(range(first, end), record -> {
        tick[0] = Math.min(tick[0], record.timestamp());
        tick[1] = record.timestamp() > tick[0] ? record.offset() : end;
        return tick[1] < end;
      });
      return tick[1];
    }

    private OffsetRange range(long from, long to) {
      return new OffsetRange(partition.topic(), partition.partition(), from, to);
    }

    private Map<Long, Bar> read(long from, long to) {
      var found = new TreeMap<Long, Bar>();
      reader.read(range(from, to), record -> {
        reached = Math.min(reached, record.timestamp());
        if (record.keyText().equals(request.key())) {
          bars(record).forEach(each -> found.put(each.start(), each));
        }
      });
      return found;
    }

    private Stream<Bar> bars(CommittedRecord record) {
      if (record.unreadable() != null) {
        quarantine.addOnce(record.unreadable());
      }
      var candles = record.value() instanceof OpenCandles open ? open.getCandles()
          : record.value() instanceof Candle closed ? List.of(closed) : List.<Candle>of();
      return candles.stream()
          .filter(each -> each.getInterval().equals(request.interval().label()) && each.getOpen() != null
              && each.getHigh() != null && each.getLow() != null && each.getClose() != null)
          .map(each -> new Bar(each.getStart().toEpochMilli(), each.getOpen(), each.getHigh(), each.getLow(),
              each.getClose(), each.getVolumeUsdEstimate() == null ? 0 : each.getVolumeUsdEstimate(),
              record.offset()));
    }
  }
}
