package io.tidemark.topic;

import com.github.benmanes.caffeine.cache.Caffeine;

import io.tidemark.event.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
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
 * What follows when one role of a source cannot use a record of a topic: it is counted, logged and skipped, and
 * processing goes on. A role that writes in transactions writes its dead letter with the records read beside it.
 * Thread-safe.
 */
public final class Quarantine {

  private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);

  /** A topic that is full of unreadable records has one line in the log in this time. */
  private static final Duration LOG_INTERVAL = Duration.ofSeconds(10);

  private static final int MOST_KNOWN = 10_000;

  /** Stands for all topics that a role writes and reads itself, such as those of a repartition. */
  static final String INTERNAL = "internal";

  private final String source;
  private final ReaderRole role;
  private final InstantSource clock;
  private final Map<String, TopicCount> counts;
  private volatile @Nullable NewestRecord newest;

  /** Where the records of {@link #addOnce} are. */
  private final Set<SkippedPosition> known = Collections.newSetFromMap(
      Caffeine.newBuilder().maximumSize(MOST_KNOWN).<SkippedPosition, Boolean>build().asMap());

  private record SkippedPosition(String topic, int partition, long offset) {}

  /** Who reads. Those that write have a word in dead letters, too. */
  public enum ReaderRole {
    LEDGER("ledger", true),
    STREAM("stream", true),
    RECEIVER("receiver", false),
    MIRROR("mirror", false),
    FEEDS("feeds", false),
    DEMO("demo", false);

    private final String label;
    private final boolean writes;

    ReaderRole(String label, boolean writes) {
      this.label = label;
      this.writes = writes;
    }

    /** The label of the metric. */
    public String label() {
      return label;
    }
  }

  /**
   * The newest record that could not be used.
   *
   * @param total of the role since the start of the process
   * @param at when it was read
   */
  public record NewestRecord(UnreadableRecord record, long total, Instant at) {}

  /** @param topics that the role reads */
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

  /** The topics that the role reads, by name; {@code internal} stands for all that are its own. */
  public Collection<String> topics() {
    return counts.keySet();
  }

  /** Counts and logs a record that the role skips. Returns its dead letter, for a role that writes. */
  public DeadLetter add(UnreadableRecord record) {
    var now = clock.instant();
    Objects.requireNonNull(counts.getOrDefault(record.topic(), counts.get(INTERNAL))).add(record, now);
    newest = new NewestRecord(record, total(), now);
    return record.deadLetter(source, role.label, now);
  }

  /**
   * Counts and logs a record, unless it is one of the 10,000 or so that were last: for a role that reads a record as often
   * as somebody asks for it.
   */
  public void addOnce(UnreadableRecord record) {
    if (known.add(new SkippedPosition(record.topic(), record.partition(), record.offset()))) {
      add(record);
    }
  }

  /** How many records of a topic were skipped since the start of the process. */
  public long count(String topic) {
    var count = counts.get(topic);
    return count == null ? 0 : count.total.sum();
  }

  /** How many records were skipped since the start of the process. */
  public long total() {
    return counts.values().stream().mapToLong(count -> count.total.sum()).sum();
  }

  /** Null where all records were readable. */
  public @Nullable NewestRecord newest() {
    return newest;
  }

  /** The records of one topic that were skipped, and when that was last logged. */
  private final class TopicCount {

    private final LongAdder total = new LongAdder();
    private @Nullable Instant loggedAt;
    private long logged;

    private synchronized void add(UnreadableRecord record, Instant now) {
      total.increment();
      if (loggedAt == null || !now.isBefore(loggedAt.plus(LOG_INTERVAL))) {
        var more = total.sum() - logged - 1;
        LOG.warn("source {}: the {} skips a record that it cannot use{}{}; {}", source, role.label,
            role.writes ? ", the dead letters hold it" : "",
            more == 0 ? "" : " (and " + more + " of this topic since the last such line)", record.describe());
        loggedAt = now;
        logged = total.sum();
      }
    }
  }
}
