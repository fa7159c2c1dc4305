package io.tidemark.kafka;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.event.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handling of records that one role of a source, such as its ledger or its mirror, cannot use. The role counts
 * and skips an unusable record, logs at most one in ten seconds for each topic, and continues with the next record. A
 * role that writes in transactions also writes a dead letter for the record, in the same transaction as the results
 * of the usable records that it read together with this record. Thread-safe.
 */
public final class Quarantine {

  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  /** Minimum time between two log lines about the same topic, since a topic may be full of unreadable records. */
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private static final int MOST_KNOWN = 10_000;

  /**
   * Name under which all topics that were not given to the constructor are counted together, which are the internal
   * topics of a role. No other role reads or writes an internal topic, such as a repartition topic.
   */
  static final String INTERNAL = "internal";

  private final String source;
  private final ReaderRole role;
  private final InstantSource clock;
  private final Map<String, TopicCount> counts;
  private volatile @Nullable NewestRecord newest;

  /** Positions of about {@link #MOST_KNOWN} records that {@link #addOnce} has counted, most of them the newest. */
  private final Set<SkippedPosition> known = Collections.newSetFromMap(
      Caffeine.newBuilder().maximumSize(MOST_KNOWN).<SkippedPosition, Boolean>build().asMap());

  private record SkippedPosition(String topic, int partition, long offset) {}

  /** A part of the program that reads records. Roles that write to Kafka also write dead letters. */
  public enum ReaderRole {
    LEDGER(true),
    STREAM(true),
    RECEIVER(false),
    MIRROR(false),
    FEEDS(false),
    DEMO(false);

    private final boolean writes;

    ReaderRole(boolean writes) {
      this.writes = writes;
    }

    /** Returns the role's label in metrics. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The record that the role skipped last.
   *
   * @param total number of records that the role has skipped since the process started
   * @param at time at which the role skipped the record
   */
  public record NewestRecord(UnreadableRecord record, long total, Instant at) {}

  public Quarantine(String source, ReaderRole role, Collection<? extends Topic<?>> topics, InstantSource clock) {
    this.source = source;
    this.role = role;
    this.clock = clock;
    this.counts = Stream.concat(topics.stream().map(Topic::name), Stream.of(INTERNAL)).distinct()
        .collect(Collectors.toUnmodifiableMap(Function.identity(), topic -> new TopicCount()));
  }

  public String source() {
    return source;
  }

  public ReaderRole role() {
    return role;
  }

  /**
   * Returns the names of the topics that the role reads. The name {@code internal} stands for all of the role's
   * internal topics.
   */
  public Collection<String> topics() {
    return counts.keySet();
  }

  /**
   * Counts a record that the role skips, and logs it unless a record of the topic was logged less than ten seconds
   * ago. Returns the record's dead letter, which a role that writes to Kafka must also write.
   */
  public DeadLetter add(UnreadableRecord record) {
    var now = clock.instant();
    Objects.requireNonNull(counts.getOrDefault(record.topic(), counts.get(INTERNAL))).add(record, now);
    newest = new NewestRecord(record, total(), now);
    return record.deadLetter(source, role.label(), now);
  }

  /**
   * Counts and logs a record as {@link #add} does if it is unreadable, but makes no dead letter. Does nothing if this
   * method has counted the record before and still remembers it; it remembers about 10,000 records. Use this method for
   * a role that reads the same records again at each request.
   */
  public void addOnce(CommittedRecord record) {
    if (record.unreadable() != null
        && known.add(new SkippedPosition(record.topic(), record.partition(), record.offset()))) {
      add(record.unreadable());
    }
  }

  /**
   * Returns how many records of a topic were skipped since the process started. Internal topics count under the name
   * {@code internal}; their own names give 0.
   */
  public long count(String topic) {
    var count = counts.get(topic);
    return count == null ? 0 : count.total.sum();
  }

  /** Returns how many records were skipped since the process started. */
  public long total() {
    return counts.values().stream().mapToLong(count -> count.total.sum()).sum();
  }

  /** Returns the record that the role skipped last, or null if it skipped none since the process started. */
  public @Nullable NewestRecord newest() {
    return newest;
  }

  /** A count of the skipped records of one topic, and the time at which this count was last logged. */
  private final class TopicCount {

    private final LongAdder total = new LongAdder();
    private @Nullable Instant loggedAt;
    private long logged;

    private synchronized void add(UnreadableRecord record, Instant now) {
      total.increment();
      if (loggedAt == null || !now.isBefore(loggedAt.plus(LOG_INTERVAL))) {
        var more = total.sum() - logged - 1;
        LOG.warn("source {}: role {} skips a record that it cannot use{}{}. The record: {}", source, role.label(),
            role.writes ? " and keeps it as a dead letter" : "",
            more == 0 ? "" : " (" + more + " more records of this topic were skipped since the previous line about it)",
            record.describe());
        loggedAt = now;
        logged = total.sum();
      }
    }
  }
}
