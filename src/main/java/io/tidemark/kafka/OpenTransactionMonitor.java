package io.tidemark.kafka;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that measures how long open transactions have kept the last stable offsets of a source's partitions
 * before the end of the log. Readers of committed records stop at the last stable offset, yet their lag is 0, since
 * lag counts only up to this offset.
 */
public final class OpenTransactionMonitor implements AutoCloseable {

  /** Name that stands for all internal topics of the streams. */
  public static final String INTERNAL = "internal";

  private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionMonitor.class);
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  /** Minimum age of a transaction to be reported. Transactions of a ledger and of streams end sooner. */
  private static final Duration WORTH_A_MESSAGE = Duration.ofMinutes(1);

  private final String prefix;
  private final Set<String> topics;
  private final Admin admin;
  private final InstantSource clock;
  private final ScheduledExecutorService timer;
  private volatile Map<TopicPartition, BlockedPartition> blocked = Map.of();
  private volatile @Nullable String problem;

  /**
   * A partition whose last stable offset is before its end.
   *
   * @param stable last stable offset
   * @param end offset after the last record
   * @param since time at which the last stable offset was first seen at {@code stable}
   */
  record BlockedPartition(long stable, long end, Instant since) {}

  OpenTransactionMonitor(Topics topics, Admin admin, InstantSource clock) {
    this.prefix = topics.prefix();
    this.topics = topics.all().stream().<String>map(Topic::name).collect(Collectors.toUnmodifiableSet());
    this.admin = admin;
    this.clock = clock;
    this.timer = Executors.newSingleThreadScheduledExecutor(
        work -> Thread.ofPlatform().daemon().name("open-transactions-" + prefix).unstarted(work));
  }

  /**
   * Starts a monitor of all topics of a source, including the internal topics of the source's streams.
   *
   * @param admin client, which the monitor closes at its end
   */
  @SuppressWarnings("FutureReturnValueIgnored") // closing the monitor ends the timer
  public static OpenTransactionMonitor start(Topics topics, Admin admin) {
    var monitor = new OpenTransactionMonitor(topics, admin, InstantSource.system());
    var unused = monitor.timer.scheduleWithFixedDelay(monitor::read, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return monitor;
  }

  /**
   * Returns the names under which topics are shown. The internal topics of the streams share the name
   * {@link #INTERNAL}.
   */
  public Stream<String> topics() {
    return Stream.concat(topics.stream(), Stream.of(INTERNAL));
  }

  /** Returns how long an open transaction has blocked the readers of a topic; zero if none does. */
  public Duration blockedFor(String topic) {
    var now = clock.instant();
    return of(topic).map(each -> Duration.between(each.since(), now)).max(Duration::compareTo).orElse(Duration.ZERO);
  }

  /**
   * Returns how many records of a topic, including transaction markers, readers of committed records cannot read yet.
   */
  public long blockedRecords(String topic) {
    return of(topic).mapToLong(each -> each.end() - each.stable()).sum();
  }

  /**
   * Returns a description, for people, of the transactions that have been open for more than a minute, or null if
   * there are none.
   */
  public @Nullable String problem() {
    return problem;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    admin.close(Duration.ofMillis(500));
  }

  private Stream<BlockedPartition> of(String topic) {
    return blocked.entrySet().stream()
        .filter(each -> topics.contains(each.getKey().topic())
            ? each.getKey().topic().equals(topic)
            : topic.equals(INTERNAL))
        .map(Map.Entry::getValue);
  }

  private void read() {
    try {
      var names = AdminCalls.await(admin.listTopics().names()).stream()
          .filter(name -> name.startsWith(prefix)).toList();
      var offsets = new TopicOffsets(admin);
      var partitions = offsets.partitions(names);
      var ends = offsets.written(partitions);
      update(offsets.latest(partitions), ends);
      problem = describe();
    } catch (KafkaException e) {
      LOG.debug("cannot read the open transactions of {}", prefix, e);
    }
  }

  /**
   * Updates the blocked partitions.
   *
   * @param stable last stable offset of each partition
   * @param ends end offset of each partition, read before the last stable offsets
   */
  void update(Map<TopicPartition, Long> stable, Map<TopicPartition, Long> ends) {
    var before = blocked;
    var now = new HashMap<TopicPartition, BlockedPartition>();
    ends.forEach((partition, end) -> {
      long reached = requireNonNull(stable.get(partition));
      if (reached < end) {
        var last = before.get(partition);
        now.put(partition, new BlockedPartition(reached, end,
            last != null && last.stable() == reached ? last.since() : clock.instant()));
      }
    });
    blocked = Map.copyOf(now);
  }

  private @Nullable String describe() {
    var late = clock.instant().minus(WORTH_A_MESSAGE);
    List<TopicPartition> old = blocked.entrySet().stream()
        .filter(each -> each.getValue().since().isBefore(late)).map(Map.Entry::getKey).toList();
    return old.isEmpty()
        ? null
        : "open transactions block readers of committed records at " + OpenTransaction.read(admin, old).stream()
            .map(OpenTransaction::toString).collect(Collectors.joining("; "));
  }
}
