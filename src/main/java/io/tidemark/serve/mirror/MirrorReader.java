package io.tidemark.serve.mirror;

import io.tidemark.event.SafeText;
import io.tidemark.event.Ticker;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicFollower;
import io.tidemark.kafka.TopicOffsets;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicReader.FollowProgress;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A reader that loads the states of a source into a mirror: first all existing states, then each new state as it is
 * committed. While reading fails, a mirror that has caught up answers from the states that it knows. After a failure,
 * reading continues at the offsets that were reached, so that no older state replaces a newer one.
 */
public final class MirrorReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MirrorReader.class);
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * Assumed maximum time within which a transaction becomes committed in all of its partitions. Kafka commits
   * partition by partition.
   */
  private static final long COMMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int LONGEST_PROBLEM = 200;

  /** Consumer settings with larger batches and shorter waits than usual, because there is much to read at the start. */
  private static final Map<String, Object> BATCHES = Map.of("max.poll.records", 2_000, "fetch.max.wait.ms", 100);

  private final Quarantine quarantine;
  private final String source;
  private final Topics topics;
  private final MirrorStore store;
  private final Scheduler threads;
  private final Mirror mirror;
  private final long startedAt = System.nanoTime();
  private final TopicFollower follower;
  private volatile @Nullable String problem;
  private volatile long lag = -1;
  private long progressAt = startedAt - PROGRESS_NANOS;
  private @Nullable Goal goal;

  /** The ids of the topics that {@link #applied} is about. */
  private Map<String, Uuid> topicIds = Map.of();

  /** The offset after the last applied record of each partition. */
  private final Map<TopicPartition, Long> applied = new HashMap<>();

  /**
   * End offsets to which the topics of targets and members must be read before any state of a resource is read; null
   * after these offsets have been reached.
   */
  private @Nullable Map<TopicPartition, Long> targetEnds;

  /**
   * End offsets up to which the topics must be read, and the time of the monotonic clock, in nanoseconds, at which
   * they were the end offsets.
   */
  private record Goal(Map<TopicPartition, Long> ends, long at) {}

  /**
   * Starts to read the topics of a source.
   *
   * @param quarantine quarantine for unreadable records of {@link #inputs}, which leave the known states unchanged
   * @param client configuration that all clients of the cluster share
   * @param parse returns the query for a target's name; throws {@link IllegalArgumentException} if the name is
   *     invalid
   * @param configured queries that the source's configuration watches, without the days of histories
   * @param isConfiguredDay returns whether the configuration watches a day of a history at present
   */
  public MirrorReader(Quarantine quarantine, Topics topics, SchemaRegistry registry, Map<String, Object> client,
      Function<String, Query<?>> parse, Collection<Query<?>> configured,
      Predicate<Query.CoinHistory> isConfiguredDay, InstantSource clock) {
    this.quarantine = quarantine;
    this.source = quarantine.source();
    this.topics = topics;
    this.store = new MirrorStore(topics, parse, configured, isConfiguredDay);
    this.threads = Schedulers.newParallel("mirror", Schedulers.DEFAULT_POOL_SIZE, true);
    this.mirror = new Mirror(store, clock, threads);
    this.follower = new TopicFollower(
        "mirror of " + source, () -> new TopicReader(client, inputs(topics), registry), this::read, this::noteFailure);
    follower.start();
  }

  /**
   * Returns the topics that a mirror reads: those of the states of resources, of the states of targets, and of the
   * targets' members.
   */
  public static List<Topic<?>> inputs(Topics topics) {
    return Stream.concat(topics.resources().stream().<Topic<?>>map(ResourceTopics::state),
        Stream.of(topics.targetState(), topics.targetMembers())).toList();
  }

  public MarketData mirror() {
    return mirror;
  }

  /**
   * Returns whether all states that existed at the start have been read and each known list has a visible order.
   * Stays true after later failures.
   */
  public boolean isCaughtUp() {
    return store.isCaughtUp();
  }

  /** Returns how many committed records were not read yet about a second ago, or -1 if the number is unknown. */
  public long lag() {
    return lag;
  }

  /** Returns the reason why the reader cannot read at the moment, or null if it can read. */
  public @Nullable String problem() {
    return problem;
  }

  /**
   * Returns what is known of a resource, or null if no such resource is known by this key.
   *
   * @param resource name of the kind of resource
   */
  public <R extends SpecificRecord> @Nullable R find(String resource, Class<R> type, String key) {
    var known = store.of(resource, type).find(key);
    return known == null ? null : known.resource();
  }

  /**
   * Returns the keys of known pools, tokens or tickers that match a text. A pool or token matches by its address or by
   * names and symbols, a ticker by parts of its key.
   *
   * @param resource {@code pool}, {@code token} or {@code ticker}
   */
  public List<String> search(String resource, String text, int limit) {
    var terms = PoolSearch.terms(text);
    return switch (resource) {
      case "pool" -> store.search().find(text, null, limit);
      case "token" -> store.search().findTokens(text, limit);
      default -> store.of(resource, Ticker.class).keys()
          .filter(key -> terms.stream().allMatch(key.toLowerCase(Locale.ROOT)::contains))
          .sorted().limit(limit).toList();
    };
  }

  /** Returns the threads that compute answers, so that event loops need not. */
  public Scheduler threads() {
    return threads;
  }

  public int resources() {
    return store.size();
  }

  /** Returns the size, in bytes, of the keys and states of all known resources. */
  public long bytes() {
    return store.bytes();
  }

  @Override
  public void close() {
    follower.close();
    threads.dispose();
  }

  private void noteFailure(Throwable e) {
    problem = SafeText.escaped(String.valueOf(e.getMessage()), LONGEST_PROBLEM);
    lag = -1;
  }

  /** Reads the topics of targets and members first, because they decide which states are held, and then all topics. */
  private void read(TopicReader opened) {
    goal = null;
    var offsets = opened.offsets();
    var names = inputs(topics).stream().<String>map(Topic::name).toList();
    var ids = offsets.ids(names);
    if (!ids.equals(topicIds)) {
      applied.clear();
      topicIds = ids;
    }
    var first = offsets.partitions(List.of(topics.targetState().name(), topics.targetMembers().name()));
    targetEnds = offsets.latest(first);
    var begins = unread(offsets, offsets.partitions(names));
    opened.startOnly(unread(offsets, first), BATCHES);
    opened.follow(this::apply, progress -> {
      if (targetEnds != null && progress.remaining(targetEnds) == 0) {
        targetEnds = null;
        progress.assign(begins);
        progressAt = System.nanoTime() - PROGRESS_NANOS;
      }
      noteProgress(progress);
      return follower.isOpen();
    });
  }

  private Map<TopicPartition, Long> unread(TopicOffsets offsets, List<TopicPartition> partitions) {
    var begins = new HashMap<>(offsets.earliest(partitions));
    begins.replaceAll((partition, earliest) -> Math.max(earliest, applied.getOrDefault(partition, earliest)));
    return begins;
  }

  /** Applies a record and returns whether reading goes on. A record that cannot be applied is left out. */
  private boolean apply(CommittedRecord record) {
    store.setTime(System.nanoTime());
    try {
      if (record.unreadable() != null) {
        quarantine.add(record.unreadable());
      } else {
        store.apply(record);
      }
    } catch (RuntimeException e) {
      LOG.error("mirror of {}: failed to apply the record at {}; the mirror skips the record", source,
          record.location(), e);
    }
    applied.put(new TopicPartition(record.topic(), record.partition()), record.offset() + 1);
    return follower.isOpen();
  }

  private void noteProgress(FollowProgress progress) {
    if (goal != null && !store.isCaughtUp() && progress.remaining(goal.ends()) == 0) {
      reach(goal); // immediately, because readers wait until the mirror has caught up
    }
    var now = System.nanoTime();
    if (now - progressAt < PROGRESS_NANOS) {
      return;
    }
    progressAt = now;
    try {
      var ends = progress.ends();
      problem = null;
      if (targetEnds != null) {
        return; // the ends of all partitions are not known yet
      }
      goal = goal == null ? new Goal(ends, now) : goal;
      lag = progress.remaining(ends);
      if (progress.remaining(goal.ends()) == 0) {
        reach(goal);
      }
    } catch (TimeoutException e) {
      lag = -1;
      problem = "Kafka does not answer: " + SafeText.escaped(String.valueOf(e.getMessage()), LONGEST_PROBLEM);
    }
  }

  private void reach(Goal reached) {
    goal = null;
    var before = store.isCaughtUp();
    store.readAllUntil(reached.at() - COMMIT_NANOS);
    if (!before && store.isCaughtUp()) {
      LOG.info("mirror of {}: caught up with {} resources in {} ms", source, store.size(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAt));
    }
  }
}
