package io.tidemark.capture.source;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This instance's membership in the consumer group that distributes the sources. Each source has a slot, which is a
 * partition of the group's topic. One thread polls the group and calls the listeners of the slots that the group
 * assigns or revokes, or that are lost.
 */
public final class GroupMembership implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);
  private static final Duration POLL_TIMEOUT = Duration.ofMillis(100);
  private static final Duration REJOIN_PAUSE = Duration.ofSeconds(2);
  private static final Duration LONGEST_REJOIN_PAUSE = Duration.ofSeconds(30);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

  private final GroupSettings settings;
  private final OwnedSlots ownedSlots;
  private final Set<Integer> eligibleSlots = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean rebalanceDue;
  private volatile long lastHeartbeat;
  private volatile @Nullable String problem;
  private Duration pause = REJOIN_PAUSE;

  private GroupMembership(GroupSettings settings, Map<Integer, OwnershipListener> listeners) {
    this.settings = settings;
    this.ownedSlots = new OwnedSlots(listeners);
    this.eligibleSlots.addAll(listeners.keySet());
    this.thread = new Thread(this::run, "group-membership");
    this.lastHeartbeat = System.nanoTime();
  }

  /**
   * Starts the thread that joins the group, and returns immediately.
   *
   * @param listeners listeners by slot, for the sources that this instance can run
   */
  public static GroupMembership start(GroupSettings settings, Map<Integer, OwnershipListener> listeners) {
    var membership = new GroupMembership(settings, listeners);
    membership.thread.setDaemon(true);
    membership.thread.start();
    return membership;
  }

  /**
   * Withdraws from a slot whose source this instance cannot run. The next rebalance, which this starts, assigns the
   * slot to another eligible instance, if there is one.
   */
  public void withdraw(int slot) {
    if (eligibleSlots.remove(slot)) {
      rebalanceDue = true;
    }
  }

  /**
   * Returns why the membership last failed, or null if it has not failed or a heartbeat has been answered since.
   * Missing answers of Kafka alone are no failure.
   */
  public @Nullable String problem() {
    return problem;
  }

  /**
   * Returns the time since this instance was last proven to be a member of the group, or since the start of this object
   * if it never was.
   */
  public Duration sinceHeartbeat() {
    return Duration.ofNanos(System.nanoTime() - lastHeartbeat);
  }

  /**
   * Releases all slots and leaves the group, so that other instances need not wait. Blocks until this is done, for at
   * most nine seconds.
   */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(OwnedSlots.RELEASE_TIMEOUT.plus(LEAVE_TIMEOUT).plus(REJOIN_PAUSE));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!isClosing()) {
      try {
        participate();
      } catch (RuntimeException | Error e) { // the thread must survive: nothing would start another
        failed(e);
      }
    }
  }

  private void participate() {
    var consumer = settings.consumer(() -> Set.copyOf(eligibleSlots));
    try {
      var heartbeats = new GroupHeartbeats(consumer);
      consumer.subscribe(List.of(settings.group()), ownedSlots);
      while (!isClosing()) {
        poll(consumer, heartbeats);
      }
    } finally {
      consumer.close(CloseOptions.timeout(OwnedSlots.RELEASE_TIMEOUT.plus(LEAVE_TIMEOUT))
          .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
      ownedSlots.loseAll();
    }
  }

  /** Polls the group. A heartbeat renews the leases only if the poll after it did not report the slots as lost. */
  private void poll(KafkaConsumer<byte[], byte[]> consumer, GroupHeartbeats heartbeats) {
    var provenAt = heartbeats.provenAt();
    if (rebalanceDue) {
      rebalanceDue = false;
      consumer.enforceRebalance("this instance cannot run one of its sources");
    }
    ownedSlots.pollStarted();
    consumer.poll(POLL_TIMEOUT);
    ownedSlots.renew(provenAt);
    if (provenAt - lastHeartbeat > 0) {
      lastHeartbeat = provenAt;
      problem = null;
      pause = REJOIN_PAUSE;
    }
  }

  /**
   * Pauses before the group is joined again. The attempts never end, since a missing right may be granted, and a failed
   * login or an unreachable broker may work again.
   */
  private void failed(Throwable failure) {
    problem = String.valueOf(failure.getMessage());
    LOG.warn("group {}: the membership failed; this instance releases its sources and joins again in {} s. Cause: {}",
        settings.group(),
        pause.toSeconds(),
        failure.toString());
    try {
      closing.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      closing.countDown();
    }
    var doubled = pause.multipliedBy(2);
    pause = doubled.compareTo(LONGEST_REJOIN_PAUSE) < 0 ? doubled : LONGEST_REJOIN_PAUSE;
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /**
   * The last time at which a consumer certainly was a member of its group, derived from the consumer's metrics. The
   * metrics count the answers to heartbeats, which arrive on a thread of the consumer.
   */
  private static final class GroupHeartbeats {

    private static final String GROUP = "consumer-coordinator-metrics";
    private static final double MILLISECOND = 1e6;

    private final Metric answered;
    private final Metric longest;
    private double count;
    private long checkedAt;
    private long provenAt;

    GroupHeartbeats(KafkaConsumer<?, ?> consumer) {
      this.answered = metric(consumer, "heartbeat-total");
      this.longest = metric(consumer, "heartbeat-response-time-max");
      this.checkedAt = System.nanoTime();
      this.provenAt = checkedAt - Duration.ofDays(1).toNanos();
    }

    /**
     * Returns the latest time, in nanoseconds, at which the consumer certainly was a member of the group, or a time
     * long ago if no heartbeat has been answered yet.
     */
    long provenAt() {
      var answers = value(answered);
      var response = value(longest);
      if (answers > count && !Double.isNaN(response)) {
        // The answer came after the previous check, so its heartbeat was sent no earlier than the longest response time
        // before the previous check. The metric has the longest of few seconds, or none if no answer came in them.
        provenAt = checkedAt - (long) (response * MILLISECOND);
      }
      count = answers;
      checkedAt = System.nanoTime();
      return provenAt;
    }

    private static double value(Metric metric) {
      return metric.metricValue() instanceof Double value ? value : Double.NaN;
    }

    private static Metric metric(KafkaConsumer<?, ?> consumer, String name) {
      return consumer.metrics().values().stream()
          .filter(each -> each.metricName().group().equals(GROUP) && each.metricName().name().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("Kafka's client has no metric " + name));
    }
  }
}
