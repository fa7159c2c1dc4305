package io.tidemark.capture.source;

import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.source.CommandAnnouncer.Announcements;
import io.tidemark.capture.source.OwnerState.GivenUp;
import io.tidemark.event.SourceSlot;
import io.tidemark.kafka.TransactionProtocol;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The configured sources, which this instance shares with other instances. This instance runs the sources that it owns.
 */
public final class Sources implements AutoCloseable {

  private final Map<Integer, SourceRunner> bySlot = new ConcurrentHashMap<>();
  private final Consumer<Throwable> onAllGivenUp;
  private final GroupMembership membership;

  /**
   * A source, with everything that its sessions use.
   *
   * @param transactions the transaction protocol of the cluster, which each session checks
   * @param announcements creates the announcements of a session
   */
  public record ConfiguredSource(
      SourceSettings settings,
      LedgerSettings ledger,
      TransactionProtocol transactions,
      Supplier<Announcements> announcements,
      SourceListener listener) {}

  /**
   * Claims a slot for each source and joins the group.
   *
   * @param replication replication factor of the topic of slots
   * @param onAllGivenUp receives the failure after which this instance can no longer run any of the sources
   */
  public Sources(
      List<ConfiguredSource> sources,
      SchemaRegistry registry,
      GroupSettings group,
      short replication,
      Consumer<Throwable> onAllGivenUp) {
    this.onAllGivenUp = onAllGivenUp;
    var byKey = new HashMap<String, ConfiguredSource>();
    sources.forEach(source -> byKey.put(SourceSlots.key(slot(source)), source));
    SourceSlots.claim(sources.stream().map(Sources::slot).toList(), group.kafka(), group.topics(), registry,
        replication)
        .forEach(slot -> {
          var source = Objects.requireNonNull(byKey.get(SourceSlots.key(slot)));
          bySlot.put(
              slot.getSlot(), new SourceRunner(source, registry, failure -> givenUp(slot.getSlot(), failure)));
        });
    this.membership =
        GroupMembership.start(group, Map.<Integer, OwnershipListener>copyOf(bySlot));
  }

  public Collection<SourceRunner> runners() {
    return bySlot.values();
  }

  /** Returns this instance's membership in the group, even if this instance owns no source. */
  public GroupMembership membership() {
    return membership;
  }

  @Override
  public void close() {
    membership.close();
    bySlot.values().forEach(SourceRunner::close);
  }

  /** Leaves a source to other instances. After the last source is given up, calls {@link #onAllGivenUp}. */
  private void givenUp(int slot, Throwable failure) {
    membership.withdraw(slot);
    if (bySlot.values().stream().allMatch(runner -> runner.state() instanceof GivenUp)) {
      onAllGivenUp.accept(failure);
    }
  }

  private static SourceSlot slot(ConfiguredSource source) {
    return SourceSlot.newBuilder()
        .setSource(source.settings().name())
        .setPrefix(source.settings().prefix())
        .build();
  }
}
