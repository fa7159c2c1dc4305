package io.tidemark.bench.freshness;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.AgeIndex.Phase;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.ChangeView;
import io.tidemark.event.TargetState;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.TopicReader;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache.CacheRefresh;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A measurement of the unmodified program, in real time and over real HTTP. The program polls two simulated markets:
 * one behind a cache that is refreshed on a schedule, and one behind a cache that is refreshed by requests. The
 * changes are read from Kafka as by any consumer. Budget and machine are meant to have some capacity to spare.
 */
final class HttpFreshness {

  private static final String CONFIGURATION = "freshness.yaml";
  private static final String KEY = "bench";
  private static final double SPEED = 20;
  private static final Duration LONGEST_START = Duration.ofMinutes(2);
  /** Maximum uncertainty of the time of a refresh, in refresh periods, for which the time counts as known. */
  private static final double KNOWN_PART = 0.03;

  private final Duration period;
  private final Duration warmUp;
  private final Duration measured;
  private final Map<CacheRefresh, ServedBodies> served = new EnumMap<>(CacheRefresh.class);
  private final Map<SnapshotName, Instant> changesRead = new ConcurrentHashMap<>();
  private final Map<SnapshotName, String> bodies = new ConcurrentHashMap<>();
  private final Map<String, Learning> learning = new ConcurrentHashMap<>();
  private final Set<String> sourcesRead = ConcurrentHashMap.newKeySet();
  private final CountDownLatch allSourcesRead = new CountDownLatch(CacheRefresh.values().length);

  /**
   * The result for one kind of cache.
   *
   * @param targets targets that were polled
   * @param changed refreshes that brought changes, and whose changes were read
   * @param median median time from the refresh to the first change in the consumer, in seconds
   * @param p99 99th percentile of the same time, in seconds
   * @param polledMedian median time from the refresh to the request that found it, in seconds
   * @param polledP99 99th percentile of the same time, in seconds
   * @param learned targets whose kind of cache and time of refreshes were learned
   * @param toLearn median number of polls until these were learned
   * @param mostToLearn maximum number of polls until these were learned
   * @param polls polls answered in the measured time
   * @param early fraction of these polls that was answered with the same body as the previous poll of the target
   */
  record HttpFreshnessResult(CacheRefresh cache, Duration period, int targets, int changed, double median, double p99,
      double polledMedian, double polledP99, int learned, int toLearn, int mostToLearn, int polls, double early) {

    /** Returns the median as a fraction of the period. */
    double medianPart() {
      return median / (period.toMillis() / 1e3);
    }

    /** Returns the 99th percentile as a fraction of the period. */
    double p99Part() {
      return p99 / (period.toMillis() / 1e3);
    }
  }

  /**
   * The number of snapshots of a target, and the number of snapshots after which the cache of the target was known, or
   * 0 if the cache is not known yet.
   */
  private record Learning(int snapshots, int known) {

    Learning next(boolean isKnown) {
      return new Learning(snapshots + 1, known == 0 && isKnown ? snapshots + 1 : known);
    }
  }

  /** The identity of a snapshot: its source, its target, and its number. */
  private record SnapshotName(String source, String target, long number) {}

  /**
   * A body that the cache served, with the earliest time at which a request could have received the body, and the time
   * at which the body was first served.
   */
  private record ServedBody(String url, Instant refreshedAt, Instant servedAt) {}

  /** The bodies that one market served. */
  private static final class ServedBodies {
    private final CacheRefresh kind;
    private final Duration period;
    final Map<String, ServedBody> byId = new ConcurrentHashMap<>();
    private final List<Poll> polls = new ArrayList<>();
    private final Map<String, String> newest = new ConcurrentHashMap<>();
    private final Map<String, Instant> filledAt = new ConcurrentHashMap<>();

    /** One answered request. */
    record Poll(Instant at, boolean early) {}

    ServedBodies(CacheRefresh kind, Duration period) {
      this.kind = kind;
      this.period = period;
    }

    synchronized void add(ResponseJournal.ServedResponse response) {
      var url = response.url();
      var before = newest.put(url, response.id());
      polls.add(new Poll(response.servedAt(), response.id().equals(before)));
      if (byId.containsKey(response.id())) {
        return;
      }
      var last = filledAt.put(url, response.filledAt());
      byId.put(response.id(), new ServedBody(url, refreshedAt(response.filledAt(), last), response.servedAt()));
    }

    synchronized List<Poll> polls(Instant begin, Instant end) {
      return polls.stream().filter(poll -> isWithin(poll.at(), begin, end)).toList();
    }

    /**
     * Returns the earliest time at which a request could have received this body. A cache that is filled by requests
     * could have fetched the body once the previous body expired.
     */
    private Instant refreshedAt(Instant filled, @Nullable Instant last) {
      return kind == CacheRefresh.ON_SCHEDULE || last == null ? filled : last.plus(period);
    }
  }

  /**
   * Creates a measurement.
   *
   * @param period refresh period of both caches
   * @param warmUp time in which the schedule learns
   */
  HttpFreshness(Duration period, Duration warmUp, Duration measured) {
    this.period = period;
    this.warmUp = warmUp;
    this.measured = measured;
  }

  /** Runs the measurement, which takes the warm-up, the measured time and about ten seconds. */
  List<HttpFreshnessResult> run() {
    var folder = folder();
    try (var parts = new RunningComponents()) {
      var urls = new EnumMap<CacheRefresh, String>(CacheRefresh.class);
      for (var kind : CacheRefresh.values()) {
        var bodiesOfKind = new ServedBodies(kind, period);
        served.put(kind, bodiesOfKind);
        urls.put(kind, parts.add("a simulated market", SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0,
            SimulatedMarketServer.accounts(KEY),
            new SimulatorSettings(1, Scenario.CALM, SPEED), kind, operation -> period, bodiesOfKind::add)).baseUrl()
            .toString());
      }
      var application = new Application(settings(folder, urls), folder.resolve("streams"), parts);
      var cluster = application.start(EnumSet.of(Role.POLL));
      var read = application.topics().stream()
          .filter(topic -> topic.name().endsWith(".changes") || topic.name().endsWith("target.state")).toList();
      var reader = parts.add("the consumer", new TopicReader(cluster.clientConfig(), read, application.registry()));
      reader.startAtBeginning();
      var thread = new Thread(() -> reader.follow(this::read), "freshness-consumer");
      thread.setDaemon(true);
      thread.start();
      if (!await(allSourcesRead, LONGEST_START)) {
        throw new IllegalStateException("not all sources of the bench were polled within " + LONGEST_START);
      }
      pause(warmUp);
      var begin = Instant.now();
      pause(measured);
      var end = Instant.now();
      pause(Duration.ofSeconds(2)); // so that the last observations arrive
      return served.values().stream().map(each -> result(each, begin, end)).toList();
    } finally {
      delete(folder);
    }
  }

  private boolean read(CommittedRecord record) {
    var now = Instant.now();
    var source = record.topic().substring(0, record.topic().indexOf('.'));
    if (sourcesRead.add(source)) {
      allSourcesRead.countDown();
    }
    switch (record.value()) {
      case null -> {}
      case TargetState state -> {
        learning.merge(source + " " + state.getTarget(), new Learning(1, 0),
            (before, first) -> before.next(isKnown(Schedule.decodePhase(state.getLearned()))));
        var page = state.getPages().isEmpty() ? null : state.getPages().getFirst();
        if (page != null && page.getRequestId() != null) {
          bodies.put(new SnapshotName(source, state.getTarget(), state.getSnapshot()), page.getRequestId());
        }
      }
      default -> {
        var origin = Objects.requireNonNull(ChangeView.of(record.value()).origin(record.value()));
        changesRead.putIfAbsent(new SnapshotName(source, origin.getTarget(), origin.getSnapshot()), now);
      }
    }
    return true;
  }

  private boolean isKnown(@Nullable Phase phase) {
    return phase != null && switch (phase.kind()) {
      case UNKNOWN -> false;
      case ON_REQUEST -> true;
      case ON_SCHEDULE -> phase.uncertainty() <= KNOWN_PART * period.toMillis() / 1e3;
    };
  }

  private HttpFreshnessResult result(ServedBodies market, Instant begin, Instant end) {
    var source = source(market.kind);
    var read = new ArrayList<Double>();
    var polled = new ArrayList<Double>();
    bodies.forEach((name, id) -> {
      var body = market.byId.get(id);
      var readAt = changesRead.get(name);
      if (name.source().equals(source) && body != null && readAt != null && isWithin(body.servedAt(), begin, end)) {
        read.add(seconds(body.refreshedAt(), readAt));
        polled.add(seconds(body.refreshedAt(), body.servedAt()));
      }
    });
    read.sort(Comparator.naturalOrder());
    polled.sort(Comparator.naturalOrder());
    var learned = learning.entrySet().stream().filter(each -> each.getKey().startsWith(source + " "))
        .mapToInt(each -> each.getValue().known()).filter(known -> known > 0).sorted().toArray();
    var polls = market.polls(begin, end);
    var early = polls.stream().filter(ServedBodies.Poll::early).count();
    return new HttpFreshnessResult(market.kind, period, market.newest.size(), read.size(), quantile(read, 0.5),
        quantile(read, 0.99), quantile(polled, 0.5), quantile(polled, 0.99), learned.length,
        learned.length == 0 ? 0 : learned[learned.length / 2], learned.length == 0 ? 0 : learned[learned.length - 1],
        polls.size(), polls.isEmpty() ? 0 : (double) early / polls.size());
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }

  private static boolean isWithin(Instant time, Instant begin, Instant end) {
    return !time.isBefore(begin) && time.isBefore(end);
  }

  private static double quantile(List<Double> sorted, double part) {
    return sorted.isEmpty() ? Double.NaN : sorted.get((int) Math.min(sorted.size() - 1, part * sorted.size()));
  }

  /** Returns the name of the source, which is also the prefix of its topics without the dot. */
  private static String source(CacheRefresh kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private Settings settings(Path folder, Map<CacheRefresh, String> urls) {
    var variables = Map.of(
        "KAFKA_DATA", folder.toString(),
        "ON_SCHEDULE_URL", Objects.requireNonNull(urls.get(CacheRefresh.ON_SCHEDULE)),
        "ON_REQUEST_URL", Objects.requireNonNull(urls.get(CacheRefresh.ON_REQUEST)),
        "PERIOD", period.toMillis() + "ms",
        "MARKET_KEY", KEY);
    try (var stream = Objects.requireNonNull(HttpFreshness.class.getResourceAsStream(CONFIGURATION))) {
      return Settings.parse(
          CONFIGURATION, new String(stream.readAllBytes(), StandardCharsets.UTF_8), variables::get);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause(Duration time) {
    if (await(new CountDownLatch(1), time)) {
      throw new IllegalStateException("a latch that is never counted down was released");
    }
  }

  private static boolean await(CountDownLatch latch, Duration most) {
    try {
      return latch.await(most.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Path folder() {
    try {
      return Files.createTempDirectory("tidemark-freshness");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
