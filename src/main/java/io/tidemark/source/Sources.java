package io.tidemark.source;

import io.tidemark.event.SourceSlot;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.source.CommandAnnouncer.Announcements;
import io.tidemark.source.OwnerState.GivenUp;
import io.tidemark.topic.SchemaRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The configured sources, shared with the other instances: this instance runs those that it owns. */
public final class Sources implements AutoCloseable {

  private final Map<Integer, SourceRunner> bySlot = new ConcurrentHashMap<>();
  private final Consumer<Throwable> onAllGivenUp;
  private final GroupMembership membership;

  /**
   * A source, and what its sessions work with.
   *
   * @param announcements makes those of a session
   */
  public record ConfiguredSource(
      SourceSettings settings,
      LedgerSettings ledger,
      Supplier<Announcements> announcements,
      SourceListener listener) {}

  /**
   * Claims a slot for each source and joins the group.
   *
   * @param replication of the topic of the slots
   * @param onAllGivenUp receives why none of the sources can be worked here any more
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

  /** Why this instance is not a member of the group; null where it is, or Kafka does not answer. */
  public @Nullable String membershipProblem() {
    return membership.problem();
  }

  /** How long Kafka has not answered this instance, be it the owner of a source or not. */
  public Duration sinceHeartbeat() {
    return membership.sinceHeartbeat();
  }

  @Override
  public void close() {
    membership.close();
    bySlot.values().forEach(SourceRunner::close);
  }

  /** Leaves a source to the other instances. With the last one the program ends. */
  private void givenUp(int slot, Throwable failure) {
    membership.withdraw(slot);
    if (allGivenUp()) {
      onAllGivenUp.accept(failure);
    }
  }

  private boolean allGivenUp() {
    return bySlot.values().stream().allMatch(runner -> runner.state() instanceof GivenUp);
  }

  private static SourceSlot slot(ConfiguredSource source) {
    return SourceSlot.newBuilder()
        .setSource(source.settings().name())
        .setPrefix(source.settings().prefix())
        .build();
  }
}
