package io.tidemark.kafka;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
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
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that measures how long open transactions have blocked the readers of a source's partitions. Readers of
 * committed records stop at the last stable offset: the offset of the first record of the earliest open transaction.
 * Their lag can be 0 nevertheless, since lag counts only up to this offset.
 */
public final class OpenTransactionMonitor implements AutoCloseable {

  /**
   * Stands for a topic's name: all internal topics of the source's stream application, whose names begin with the
   * source's prefix and {@code stream-}. They are measured together.
   */
  public static final String INTERNAL = "internal";

  private static final Logger LOG = LoggerFactory.getLogger(OpenTransactionMonitor.class);
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  /**
   * Time for which a partition must have been blocked before {@link #problem}, and so the health of the instance,
   * names its transactions. Nothing is logged. Transactions of the ledger and the stream application end sooner.
   */
  private static final Duration WORTH_A_MESSAGE = Duration.ofMinutes(1);

  private final String prefix;
  private final Set<String> topics;
  private final Admin admin;
  private final InstantSource clock;
  private final ScheduledExecutorService timer;
  private volatile Map<TopicPartition, BlockedPartition> blocked = Map.of();
  private volatile @Nullable String problem;

  /**
   * A partition whose last stable offset is before the end of the log.
   *
   * @param stable last stable offset
   * @param end offset after the last record
   * @param since time at which the last stable offset was first seen to be {@code stable}
   * @param readAt time at which the offsets were last read
   */
  record BlockedPartition(long stable, long end, Instant since, Instant readAt) {}

  OpenTransactionMonitor(Topics topics, Admin admin, InstantSource clock) {
    this.prefix = topics.prefix();
    this.topics = topics.all().stream().<String>map(Topic::name).collect(Collectors.toUnmodifiableSet());
    this.admin = admin;
    this.clock = clock;
    this.timer = Executors.newSingleThreadScheduledExecutor(
        work -> Thread.ofPlatform().daemon().name("open-transactions-" + prefix).unstarted(work));
  }

  /**
   * Starts a monitor of all topics of a source, including the internal topics of its stream application.
   *
   * @param admin client that the monitor uses, and closes when the monitor is closed
   */
  @SuppressWarnings("FutureReturnValueIgnored") // closing the monitor ends the timer
  public static OpenTransactionMonitor start(Topics topics, Admin admin) {
    var monitor = new OpenTransactionMonitor(topics, admin, InstantSource.system());
    var unused = monitor.timer.scheduleWithFixedDelay(monitor::read, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    return monitor;
  }

  /**
   * Returns the names that {@link #blockedFor} and {@link #blockedRecords} accept: the names of the source's topics,
   * and {@link #INTERNAL} for all internal topics together.
   */
  public Stream<String> topics() {
    return Stream.concat(topics.stream(), Stream.of(INTERNAL));
  }

  /**
   * Returns how long the last stable offset of a blocked partition had stood still when its offsets were last read, for
   * the partition of the topic that had been blocked longest; zero if none is blocked, or if that reading was the first
   * that found it. So the result does not grow while Kafka does not answer for the partition.
   */
  public Duration blockedFor(String topic) {
    return of(topic).map(each -> Duration.between(each.since(), each.readAt())).max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /**
   * Returns the number of records of a topic, including transaction markers, that readers of committed records could
   * not read yet when the offsets were last read. They are read every 10 seconds.
   */
  public long blockedRecords(String topic) {
    return of(topic).mapToLong(each -> each.end() - each.stable()).sum();
  }

  /**
   * Returns a description, for people, of the open transactions on partitions whose readers have been blocked for
   * more than a minute, or null if there are no such partitions. Leaves out partitions for which Kafka does not
   * answer. If Kafka does not answer at all, returns what was found before.
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

  /** Reads the offsets and transactions of all partitions that have a leader. */
  void read() {
    try {
      var names = AdminCalls.await(admin.listTopics().names()).stream()
          .filter(name -> topics.contains(name) || name.startsWith(prefix + "stream-")).toList();
      var offsets = new TopicOffsets(admin);
      var partitions = offsets.partitions(names);
      var ends = offsets.answered(partitions, IsolationLevel.READ_UNCOMMITTED);
      var stable = offsets.answered(partitions, IsolationLevel.READ_COMMITTED);
      update(partitions, stable, ends);
      problem = describe(stable.keySet());
    } catch (KafkaException e) {
      LOG.debug("cannot read the open transactions on topics with the prefix {}", prefix, e);
    }
  }

  /**
   * @param partitions all partitions. What is known of those without offsets stays as it is
   * @param stable last stable offsets
   * @param ends end offsets, read before the last stable offsets
   */
  void update(
      Collection<TopicPartition> partitions, Map<TopicPartition, Long> stable, Map<TopicPartition, Long> ends) {
    var before = blocked;
    var at = clock.instant();
    var now = new HashMap<TopicPartition, BlockedPartition>();
    for (var partition : partitions) {
      var last = before.get(partition);
      var reached = stable.get(partition);
      var end = ends.get(partition);
      if (reached == null || end == null) {
        if (last != null) {
          now.put(partition, last);
        }
      } else if (reached < end) {
        var since = last != null && last.stable() == reached ? last.since() : at;
        now.put(partition, new BlockedPartition(reached, end, since, at));
      }
    }
    blocked = Map.copyOf(now);
  }

  private @Nullable String describe(Set<TopicPartition> answered) {
    var late = clock.instant().minus(WORTH_A_MESSAGE);
    List<TopicPartition> old = blocked.entrySet().stream()
        .filter(each -> answered.contains(each.getKey()) && each.getValue().since().isBefore(late))
        .map(Map.Entry::getKey).toList();
    return old.isEmpty()
        ? null
        : "open transactions block readers of committed records at " + OpenTransaction.read(admin, old).stream()
            .map(OpenTransaction::toString).collect(Collectors.joining("; "));
  }
}
