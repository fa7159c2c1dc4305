package io.tidemark.source;

import io.tidemark.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which sources are this instance's: its membership in the group that shares them out. One thread polls that group and
 * does nothing else; it tells the owners of sources what becomes theirs and what is theirs no longer.
 */
public final class GroupMembership implements AutoCloseable {

  /** The group of the whole cluster. */
  public static final String GROUP = Topics.SOURCES.name();

  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);
  private static final Duration POLL_TIMEOUT = Duration.ofMillis(100);
  private static final Duration REJOIN_PAUSE = Duration.ofSeconds(2);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);

  private final GroupSettings settings;
  private final OwnedSlots holdings;
  private final Set<Integer> eligibleSlots = ConcurrentHashMap.newKeySet();
  private final Consumer<RuntimeException> ended;
  private final LongSupplier nanos = System::nanoTime;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean rebalanceDue;
  private volatile long lastHeartbeat;

  private GroupMembership(GroupSettings settings, Map<Integer, OwnershipListener> owners,
      Consumer<RuntimeException> ended) {
    this.settings = settings;
    this.holdings = new OwnedSlots(owners, nanos);
    this.eligibleSlots.addAll(owners.keySet());
    this.ended = ended;
    this.thread = new Thread(this::run, "owner");
    this.lastHeartbeat = nanos.getAsLong();
  }

  /**
   * Joins the group and returns at once.
   *
   * @param owners by slot, who works the sources that this instance can work
   * @param ended hears why the group cannot be taken part in
   */
  public static GroupMembership start(
      GroupSettings settings, Map<Integer, OwnershipListener> owners, Consumer<RuntimeException> ended) {
    var ownership = new GroupMembership(settings, owners, ended);
    ownership.thread.setDaemon(true);
    ownership.thread.start();
    return ownership;
  }

  /** This instance cannot work a source after all: others may have it. */
  public void withdraw(int slot) {
    if (eligibleSlots.remove(slot)) {
      rebalanceDue = true;
    }
  }

  /** How long ago the group was heard of, or this began. */
  public Duration sinceHeartbeat() {
    return Duration.ofNanos(nanos.getAsLong() - lastHeartbeat);
  }

  /** Gives everything back and leaves the group, so that others need not wait. */
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

  /** From joining to leaving. */
  private void participate() {
    var consumer = settings.consumer(() -> Set.copyOf(eligibleSlots));
    try {
      var heartbeats = new GroupHeartbeats(consumer, nanos);
      consumer.subscribe(List.of(GROUP), holdings);
      while (!isClosing()) {
        poll(consumer, heartbeats);
      }
    } finally {
      consumer.close(CloseOptions.timeout(OwnedSlots.RELEASE_TIMEOUT.plus(LEAVE_TIMEOUT))
          .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
      holdings.loseAll();
    }
  }

  /** What was heard of the group is believed when the poll after it did not say that all is lost. */
  private void poll(KafkaConsumer<byte[], byte[]> consumer, GroupHeartbeats heartbeats) {
    var proven = heartbeats.provenAt();
    if (rebalanceDue) {
      rebalanceDue = false;
      consumer.enforceRebalance("a source is given up");
    }
    holdings.pollStarted();
    consumer.poll(POLL_TIMEOUT);
    holdings.renew(proven);
    lastHeartbeat = proven - lastHeartbeat > 0 ? proven : lastHeartbeat;
  }

  private void failed(RuntimeException failure) {
    if (GroupSettings.isFinal(failure)) {
      LOG.error("sources cannot be shared: {}", failure.getMessage());
      ended.accept(failure);
      closing.countDown();
    } else {
      LOG.warn("sources are given up for now, the group {} is joined again: {}", GROUP, failure.toString());
      pause();
    }
  }

  private void pause() {
    try {
      closing.await(REJOIN_PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      closing.countDown();
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }
}
