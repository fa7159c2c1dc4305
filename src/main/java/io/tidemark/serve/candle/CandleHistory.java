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
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import io.tidemark.serve.feed.CatchUpLimiter.WaitingReader;
import io.tidemark.serve.feed.FeedLimits;
import io.tidemark.serve.feed.FeedRefusal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingDeque;
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
 * The candles of a source's pools, tokens and tickers. The newest candles of each key that was asked for stay in
 * memory, and each request adds those written since. Older ones are read from Kafka, backwards in steps, up to a limit
 * of records and time for one request. A read takes one of the slots of feeds that catch up. Thread-safe.
 */
public final class CandleHistory implements AutoCloseable {

  /** Maximum number of candles in a page, and of candles that stay in memory for one key and interval. */
  public static final int MOST = 1_500;

  private static final Logger LOG = LoggerFactory.getLogger(CandleHistory.class);
  private static final int PART_OF_HEAP = 20;
  private static final int BYTES_OF_BAR = 80;
  private static final int BYTES_OF_SERIES = 256;

  /**
   * Maximum number of records in one poll. It is larger than that of feeds, because most records have other keys than
   * the requested one and are not decoded. The size of a fetch bounds the bytes of a poll.
   */
  private static final int MAX_POLL_RECORDS = 500;

  private static final int IDLE_READERS = 4;
  private static final Duration MAX_AGE_OF_EARLIEST = Duration.ofMinutes(1);

  /** Time after the end of a window within which its closed candle is normally published. */
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** Divisors of the maximum number of offsets that give the first and the longest step backwards. */
  private static final int FIRST_STEP = 100;

  private static final int LONGEST_STEP = 10;

  private final Quarantine quarantine;
  private final Topics topics;
  private final FeedLimits limits;
  private final Cache<SeriesId, Series> known;
  private final InstantSource clock;
  private final Supplier<TopicReader> readers;
  private final LinkedBlockingDeque<TopicReader> idle = new LinkedBlockingDeque<>(IDLE_READERS);

  /**
   * The first offset of each partition, by topic. An entry is read again when it is a minute old, after a failure, and
   * when a read finds that retention has deleted offsets. That read continues at the first offset that still exists.
   */
  private final Cache<String, Map<TopicPartition, Long>> earliest =
      Caffeine.newBuilder().expireAfterWrite(MAX_AGE_OF_EARLIEST).build();

  private volatile boolean isClosed;
  private final long mostOffsets;

  /**
   * The candles asked for: at most {@code count}, the newest ones that start at {@code since} or later and before
   * {@code before}, both in milliseconds since 1970.
   *
   * @param resource {@code pool}, {@code token} or {@code ticker}
   * @param key key of the resource
   */
  public record CandleQuery(
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
   * @param rest time in milliseconds since 1970 at which the read stopped before it had found enough candles: older
   *     ones may exist; null if the page is full, or if no older candle is in the requested range
   */
  public record CandlePage(List<Bar> bars, @Nullable Long rest) {}

  /** A cache of candles that all sources share. Its estimated size is at most a twentieth of the maximum heap size. */
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
   * @param reached earliest timestamp that was read, or the start of the oldest kept candle if older ones were dropped
   */
  private record Series(List<Bar> bars, long begin, long next, long reached) {}

  /**
   * @param quarantine counts records of a requested key that cannot be read, which are left out
   * @param client configuration that all clients of the cluster share
   */
  public CandleHistory(Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client,
      FeedLimits limits, CandleMemory memory, InstantSource clock) {
    this(quarantine, topics, registry, client, limits, memory, clock, 200_000);
  }

  /** @param mostOffsets maximum number of offsets that one request reads backwards in each topic */
  CandleHistory(Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client,
      FeedLimits limits, CandleMemory memory, InstantSource clock, long mostOffsets) {
    this.quarantine = quarantine;
    this.topics = topics;
    this.limits = limits;
    this.known = memory.series;
    this.clock = clock;
    this.mostOffsets = mostOffsets;
    var ranges = new HashMap<>(limits.consumer());
    ranges.put("max.poll.records", MAX_POLL_RECORDS);
    this.readers = () -> new TopicReader(client, topics.derived(), registry,
        lost -> earliest.invalidate(lost.partition().topic()), ranges);
  }

  /**
   * Returns the newest candles, the open candle included. Fails with a {@link FeedRefusal} if waiting for a slot and
   * reading take too long, or if Kafka or the registry does not answer.
   *
   * @param client the client's key or address, to which the slot is charged
   */
  public Mono<CandlePage> newest(CandleQuery request, String client) {
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
    }).timeout(TIMEOUT).onErrorMap(CandleHistory::mayPass, e -> {
      LOG.debug("{}: not read; the request is refused", request, e);
      return late();
    });
  }

  private static boolean mayPass(Throwable failure) {
    return failure instanceof TimeoutException || failure instanceof KafkaException
        || failure instanceof SchemaRegistryFailure.RegistryUnreachable;
  }

  @Override
  public void close() {
    isClosed = true;
    for (var reader = idle.poll(); reader != null; reader = idle.poll()) {
      reader.close();
    }
  }

  private CandlePage read(CandleQuery request) {
    var taken = idle.pollFirst();
    var reader = taken == null ? readers.get() : taken;
    try {
      var page = read(reader, request);
      if (!idle.offerFirst(reader)) {
        reader.close();
      }
      if (isClosed) {
        close();
      }
      return page;
    } catch (RuntimeException e) {
      earliest.invalidateAll(); // topics may have been deleted or created anew
      reader.close();
      throw e;
    }
  }

  private CandlePage read(TopicReader reader, CandleQuery request) {
    var resource = topics.resource(request.resource());
    var interval = request.interval();
    var now = clock.instant();
    var begun = System.nanoTime();
    var current = interval.startOf(now.minus(CLOSING)).toEpochMilli();
    var windows = current == interval.startOf(now).toEpochMilli() ? 1 : 2;
    var openTopic = topics.openCandles(resource).name();
    var closedTopic = topics.candles(resource, interval).name();
    // the open candles first: one that is closed in between is then found among the closed ones
    var open = request.before() <= current ? List.<Bar>of() // an open candle is not in the past
        : read(reader, openTopic, new CandleQuery(request.resource(), request.key(), interval, windows,
            Math.max(current, request.since()), request.before()), true, begun + READ_NANOS / 3).bars();
    var closed = read(reader, closedTopic, request, false, begun + READ_NANOS);
    var last = closed.bars().isEmpty() ? Long.MIN_VALUE : closed.bars().getLast().start();
    var all = Stream.concat(closed.bars().stream(), open.stream().filter(each -> each.start() > last)).toList();
    return new CandlePage(last(all, request.count()), closed.rest());
  }

  private static List<Bar> last(List<Bar> bars, int count) {
    return List.copyOf(bars.subList(Math.max(0, bars.size() - count), bars.size()));
  }

  private CandlePage read(TopicReader reader, String topic, CandleQuery request, boolean isOpen, long deadline) {
    var begins = earliest.get(topic, any -> reader.offsets().earliest(reader.offsets().partitions(List.of(any))));
    if (begins.isEmpty()) {
      earliest.invalidate(topic); // it may be created at any time
      return new CandlePage(List.of(), null);
    }
    var hash = Utils.toPositive(Utils.murmur2(request.key().getBytes(UTF_8)));
    var partition = new TopicPartition(topic, hash % begins.size());
    var id = new SeriesId(topic, request.key(), request.interval());
    var series = known.getIfPresent(id); // before the end offset, because another request may store a longer one in between
    long begin = requireNonNull(begins.get(partition));
    long end = requireNonNull(reader.offsets().latest(List.of(partition)).get(partition));
    return new PartitionRead(reader, partition, request, isOpen, deadline, begin, end).newest(id, series);
  }

  private static FeedRefusal late() {
    return FeedRefusal.unavailable("the candles could not be read in time; try again later");
  }

  /** One read of the candles of a key in one partition, whose records are those from earliest to end. */
  private final class PartitionRead {
    private final TopicReader reader;
    private final TopicPartition partition;
    private final CandleQuery request;
    private final byte[] key;
    private final boolean isOpen;
    private final long deadline;
    private final long earliest;
    private final long end;

    /** The candles that were found, by start. */
    private final NavigableMap<Long, Bar> bars = new TreeMap<>();

    /** Timestamp of the earliest record that was read. */
    private long reached = Long.MAX_VALUE;

    /**
     * @param isOpen whether the records have open candles
     * @param deadline time of the monotonic clock, in nanoseconds, at which the read ends
     */
    PartitionRead(TopicReader reader, TopicPartition partition, CandleQuery request, boolean isOpen, long deadline,
        long earliest, long end) {
      this.reader = reader;
      this.partition = partition;
      this.request = request;
      this.key = request.key().getBytes(UTF_8);
      this.isOpen = isOpen;
      this.deadline = deadline;
      this.earliest = earliest;
      this.end = end;
    }

    CandlePage newest(SeriesId id, @Nullable Series series) {
      if (earliest > end || (series != null && series.next() > end)) { // created anew, or a broker that recovers
        CandleHistory.this.earliest.invalidate(partition.topic());
        known.invalidate(id);
        throw FeedRefusal.unavailable(partition + " has become shorter; try again later");
      }
      var begin = end;
      if (series != null && series.next() >= Math.max(earliest, end - mostOffsets)) {
        series.bars().forEach(each -> bars.put(each.start(), each));
        reached = series.reached();
        if (!add(series.next(), end)) {
          known.invalidate(id); // so that the next request begins at the end
          throw late();
        }
        begin = series.begin();
      }
      var published = bars.headMap(request.before()).isEmpty() ? endOfCandlesBefore(request.before()) : begin;
      var isGap = published < begin;
      if (isGap) {
        bars.clear();
        reached = Long.MAX_VALUE;
        begin = published;
      }
      var least = Math.max(earliest, begin - mostOffsets);
      for (var step = mostOffsets / FIRST_STEP; begin > least && isShort() && !isLate();
          step = Math.min(2 * step, mostOffsets / LONGEST_STEP)) {
        var from = Math.max(least, begin - step);
        begin = add(from, begin) ? from : begin;
      }
      if (!isGap) {
        var kept = last(List.copyOf(bars.values()), MOST);
        known.put(id, kept.size() == bars.size() ? new Series(kept, begin, end, reached)
            : new Series(kept, kept.getFirst().offset(), end, kept.getFirst().start()));
      }
      var found = inRange();
      var rest = begin > earliest && isShort() ? Math.min(request.before(), windowAt(reached)) : null;
      if (!isOpen && rest != null && rest == request.before() && found.isEmpty()) {
        throw late(); // to go on before the same time would be to ask the same again
      }
      return new CandlePage(last(found, request.count()), rest);
    }

    private boolean isLate() {
      return System.nanoTime() - deadline >= 0;
    }

    /**
     * Returns whether unread records may have candles that were asked for. A closed candle is published after its
     * window, an open one at any time in it.
     */
    private boolean isShort() {
      return inRange().size() < request.count() && (isOpen ? reached : windowAt(reached)) > request.since();
    }

    private List<Bar> inRange() {
      return bars.values().stream()
          .filter(each -> each.start() >= request.since() && each.start() < request.before()).toList();
    }

    /**
     * Returns the start of the window that contains a time. Closed candles of this or a later window are published
     * after that time.
     */
    private long windowAt(long time) {
      return time == Long.MAX_VALUE ? time : request.interval().startOf(Instant.ofEpochMilli(time)).toEpochMilli();
    }

    /**
     * Returns an offset after all candles that start before a time. Reads from 10 seconds after the end of the window
     * of that time, until the ticks that were read must have closed that window: a tick closes what had ended by the
     * tick before it.
     */
    private long endOfCandlesBefore(long start) {
      if (start >= clock.millis()) {
        return end;
      }
      var closed = request.interval().endOf(Instant.ofEpochMilli(start)).plus(CLOSING);
      long first = requireNonNull(reader.offsets().at(List.of(partition), closed).get(partition));
      var ticks = new long[] {Long.MAX_VALUE, end}; // their latest time, and the first offset after their records
      reader.readUntil(range(first, end), key, record -> {
        if (isLate()) {
          throw late();
        }
        ticks[0] = Math.min(ticks[0], record.timestamp() + CLOSING.toMillis());
        ticks[1] = record.timestamp() > ticks[0] ? record.offset() : end;
        return ticks[1] < end;
      });
      return ticks[1];
    }

    private OffsetRange range(long from, long to) {
      return new OffsetRange(partition.topic(), partition.partition(), from, to);
    }

    /** Adds the candles of a range. Returns false and adds none if the deadline passes first. */
    private boolean add(long from, long to) {
      var found = new ArrayList<Bar>();
      var first = new long[] {reached};
      var isCut = reader.readUntil(range(from, to), key, record -> {
        first[0] = Math.min(first[0], record.timestamp());
        bars(record).forEach(found::add); // none of a record with another key
        return isLate();
      });
      if (isCut) {
        return false;
      }
      reached = first[0];
      found.forEach(
          each -> bars.merge(each.start(), each, (one, other) -> one.offset() > other.offset() ? one : other));
      return true;
    }

    private Stream<Bar> bars(CommittedRecord record) {
      quarantine.addOnce(record);
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
