package io.tidemark.capture.source;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The slots that this instance owns, each with its lease. A slot whose release has begun is no longer among them. A
 * slot is the partition that stands for one source. Confined to the group's thread.
 */
final class OwnedSlots implements ConsumerRebalanceListener {

  /** Maximum time for the sessions of revoked slots to stop. */
  static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(OwnedSlots.class);

  private final Map<Integer, OwnershipListener> listeners;
  private final Map<Integer, Lease> leases = new TreeMap<>();
  private long polledAt;
  private boolean standsBy;

  /** @param listeners listeners by slot, for all slots that this instance may own */
  OwnedSlots(Map<Integer, OwnershipListener> listeners) {
    this.listeners = Map.copyOf(listeners);
  }

  /**
   * Notes the start of a poll of the group. The leases of the slots that the poll assigns begin at this time, since the
   * assignments are not older.
   */
  void pollStarted() {
    polledAt = System.nanoTime();
  }

  /** Renews all leases from the given time on, at which this instance certainly was a member of the group. */
  void renew(long provenAt) {
    leases.values().forEach(lease -> lease.renew(provenAt));
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> slots) {
    slots.forEach(slot -> assign(slot.partition()));
    var stoodBy = standsBy;
    standsBy = leases.isEmpty();
    if (standsBy && !stoodBy) { // log once: each rebalance calls this method
      LOG.info("this instance stands by, because no source is assigned to it; number of sources it can run: {}",
          listeners.size());
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> slots) {
    var given = slots.stream()
        .map(slot -> endLease(slot.partition())
            ? listener(slot.partition()).onRevoked()
            : CompletableFuture.completedFuture(null))
        .toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(given).get(RELEASE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("slots {}: their sessions did not stop within {} s and are aborted. Cause: {}", slots,
          RELEASE_TIMEOUT.toSeconds(),
          e.toString());
      slots.forEach(slot -> listener(slot.partition()).onLost());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      slots.forEach(slot -> listener(slot.partition()).onLost());
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> slots) {
    slots.forEach(slot -> lose(slot.partition()));
  }

  /** Loses all slots, because this instance is no longer a member of the group. */
  void loseAll() {
    Set.copyOf(leases.keySet()).forEach(this::lose);
  }

  private void assign(int slot) {
    var lease = new Lease(System::nanoTime, GroupSettings.LEASE, polledAt);
    leases.put(slot, lease);
    listener(slot).onAssigned(lease);
  }

  private void lose(int slot) {
    if (endLease(slot)) {
      listener(slot).onLost();
    }
  }

  private boolean endLease(int slot) {
    var lease = leases.remove(slot);
    if (lease != null) {
      lease.end();
    }
    return lease != null;
  }

  private OwnershipListener listener(int slot) {
    return Objects.requireNonNull(listeners.get(slot), () -> "slot " + slot + " belongs to no configured source");
  }
}
