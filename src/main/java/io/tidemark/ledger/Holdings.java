package io.tidemark.ledger;

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
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sources that are ours, each with its lease. One thread's: the one that polls the group. */
final class Holdings implements ConsumerRebalanceListener {

  /** How long what is to be given back may be finished. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(Holdings.class);

  private final Map<Integer, Owner> owners;
  private final LongSupplier nanos;
  private final Map<Integer, Lease> leases = new TreeMap<>();
  private long polledAt;

  /** @param owners by slot, who works what may become ours */
  Holdings(Map<Integer, Owner> owners, LongSupplier nanos) {
    this.owners = Map.copyOf(owners);
    this.nanos = nanos;
  }

  /** A poll begins: what it will say was said no earlier. */
  void polling() {
    polledAt = nanos.getAsLong();
  }

  /** The group certainly held us for its member then. */
  void renew(long proven) {
    leases.values().forEach(lease -> lease.renew(proven));
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> slots) {
    slots.forEach(slot -> take(slot.partition()));
    if (leases.isEmpty()) {
      LOG.info("standing by: all of {} sources are other instances' for now", owners.size());
    }
  }

  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> slots) {
    var given = slots.stream().map(slot -> giveBack(slot.partition())).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(given).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("slots {} were not given back in order within {} s: {}", slots, PATIENCE.toSeconds(), e.toString());
      slots.forEach(slot -> owner(slot.partition()).lose());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      slots.forEach(slot -> owner(slot.partition()).lose());
    }
  }

  @Override
  public void onPartitionsLost(Collection<TopicPartition> slots) {
    slots.forEach(slot -> lose(slot.partition()));
  }

  /** Whatever is left: we are no member any more. */
  void loseAll() {
    Set.copyOf(leases.keySet()).forEach(this::lose);
  }

  private void take(int slot) {
    var lease = new Lease(nanos, GroupSettings.LEASE, polledAt);
    leases.put(slot, lease);
    owner(slot).take(lease);
  }

  private CompletableFuture<Void> giveBack(int slot) {
    return end(slot) ? owner(slot).giveBack() : CompletableFuture.completedFuture(null);
  }

  private void lose(int slot) {
    if (end(slot)) {
      owner(slot).lose();
    }
  }

  private boolean end(int slot) {
    var lease = leases.remove(slot);
    if (lease != null) {
      lease.end();
    }
    return lease != null;
  }

  private Owner owner(int slot) {
    return Objects.requireNonNull(owners.get(slot), () -> "slot " + slot + " is none of ours");
  }
}
