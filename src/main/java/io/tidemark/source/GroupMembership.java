package io.tidemark.source;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.Metric;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This instance's membership in the consumer group that shares the sources out. One thread polls the group and does
 * nothing else but to call the listeners of the slots that are assigned, revoked or lost.
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
  private final LongSupplier nanos = System::nanoTime;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean rebalanceDue;
  private volatile long lastHeartbeat;
  private volatile @Nullable String problem;
  private Duration pause = REJOIN_PAUSE;

  private GroupMembership(GroupSettings settings, Map<Integer, OwnershipListener> listeners) {
    this.settings = settings;
    this.ownedSlots = new OwnedSlots(listeners, nanos);
    this.eligibleSlots.addAll(listeners.keySet());
    this.thread = new Thread(this::run, "group-membership");
    this.lastHeartbeat = nanos.getAsLong();
  }

  /**
   * Joins the group and returns at once.
   *
   * @param listeners by slot, of the sources that this instance can work
   */
  public static GroupMembership start(GroupSettings settings, Map<Integer, OwnershipListener> listeners) {
    var membership = new GroupMembership(settings, listeners);
    membership.thread.setDaemon(true);
    membership.thread.start();
    return membership;
  }

  /** This instance cannot work a source: the group assigns its slot to another one. */
  public void withdraw(int slot) {
    if (eligibleSlots.remove(slot)) {
      rebalanceDue = true;
    }
  }

  /** Why the membership ended last; null while heartbeats are answered. */
  @Nullable
  String problem() {
    return problem;
  }

  /** Time since the last proven heartbeat, or since the start. */
  public Duration sinceHeartbeat() {
    return Duration.ofNanos(nanos.getAsLong() - lastHeartbeat);
  }

  /** Releases all slots and leaves the group, so that other instances need not wait. */
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
      } catch (RuntimeException e) {
        failed(e);
      }
    }
  }

  /** Takes part in the group from joining to leaving. */
  private void participate() {
    var consumer = settings.consumer(() -> Set.copyOf(eligibleSlots));
    try {
      var heartbeats = new GroupHeartbeats(consumer, nanos);
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

  /** A heartbeat renews the leases only when the poll after it did not report the slots as lost. */
  private void poll(KafkaConsumer<byte[], byte[]> consumer, GroupHeartbeats heartbeats) {
    var provenAt = heartbeats.provenAt();
    if (rebalanceDue) {
      rebalanceDue = false;
      consumer.enforceRebalance("this instance gives a source up");
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

  /** Joins again after a pause, for ever: rights are given, logins and brokers come back. */
  private void failed(RuntimeException failure) {
    problem = String.valueOf(failure.getMessage());
    LOG.warn("this instance releases its sources and joins the group {} again in {} s: {}", settings.group(),
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
   * Proves when a consumer certainly was a member of its group. Heartbeats are answered on the consumer's own thread; its
   * metrics count them.
   */
  private static final class GroupHeartbeats {

    private static final String GROUP = "consumer-coordinator-metrics";
    private static final double MILLISECOND = 1e6;

    private final Metric answered;
    private final Metric longest;
    private final LongSupplier nanos;
    private double count;
    private long checkedAt;
    private long provenAt;

    GroupHeartbeats(KafkaConsumer<?, ?> consumer, LongSupplier nanos) {
      this.answered = metric(consumer, "heartbeat-total");
      this.longest = metric(consumer, "heartbeat-response-time-max");
      this.nanos = nanos;
      this.checkedAt = nanos.getAsLong();
      this.provenAt = checkedAt - Duration.ofDays(1).toNanos();
    }

    /** The latest proven time; long ago where no heartbeat is answered yet. */
    long provenAt() {
      var answers = value(answered);
      if (answers > count) {
        // The heartbeat was answered after the check before, and sent at most the longest response time earlier.
        provenAt = checkedAt - (long) (value(longest) * MILLISECOND);
        count = answers;
      }
      checkedAt = nanos.getAsLong();
      return provenAt;
    }

    private static double value(Metric metric) {
      return metric.metricValue() instanceof Double value && !value.isNaN() ? value : 0;
    }

    private static Metric metric(KafkaConsumer<?, ?> consumer, String name) {
      return consumer.metrics().values().stream()
          .filter(each -> each.metricName().group().equals(GROUP) && each.metricName().name().equals(name))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("Kafka's client has no metric " + name));
    }
  }
}
