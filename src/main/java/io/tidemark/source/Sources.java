package io.tidemark.source;

import io.tidemark.event.SourceSlot;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.SourceHealth;
import io.tidemark.market.Failure;
import io.tidemark.metrics.ProgramMetrics;
import io.tidemark.rule.RuleSet;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sources of a configuration, shared with the other instances: those that are this one's are at work. */
public final class Sources implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sources.class);

  private final Map<Integer, SourceRunner> bySlot = new ConcurrentHashMap<>();
  private final Consumer<Throwable> ended;
  private final GroupMembership ownership;

  private Sources(
      List<SourceSettings> sources,
      Function<SourceSettings, LedgerSettings> ledgers,
      Function<LedgerSettings, RuleSet> rules,
      SchemaRegistry registry,
      GroupSettings group,
      short replication,
      ProgramMetrics meters,
      Consumer<Throwable> ended) {
    this.ended = ended;
    var byKey = new HashMap<String, SourceSettings>();
    sources.forEach(source -> byKey.put(SourceSlots.key(slot(source)), source));
    SourceSlots.claim(sources.stream().map(Sources::slot).toList(), group.kafka(), registry, replication)
        .forEach(slot -> {
          var source = Objects.requireNonNull(byKey.get(SourceSlots.key(slot)));
          var ledger = ledgers.apply(source);
          bySlot.put(slot.getSlot(), new SourceRunner(source, ledger, registry,
              meters.source(source.name()), rules.apply(ledger), failure -> ended(slot.getSlot(), failure)));
        });
    this.ownership = GroupMembership.start(group, Map.<Integer, OwnershipListener>copyOf(bySlot), ended::accept);
  }

  /** @param ended hears why none of them can be worked here any more */
  public static Sources start(
      List<SourceSettings> sources,
      Function<SourceSettings, LedgerSettings> ledgers,
      Function<LedgerSettings, RuleSet> rules,
      SchemaRegistry registry,
      GroupSettings group,
      short replication,
      ProgramMetrics meters,
      Consumer<Throwable> ended) {
    return new Sources(sources, ledgers, rules, registry, group, replication, meters, ended);
  }

  public Collection<SourceRunner> runners() {
    return bySlot.values();
  }

  /** How each stands on this instance. */
  List<SourceHealth> health() {
    return bySlot.values().stream().map(SourceRunner::health).toList();
  }

  /** Whether Kafka is there for this instance, also where all sources are others'. */
  public HealthPart pulse() {
    var silence = ownership.sinceHeartbeat();
    return silence.compareTo(GroupSettings.SESSION_TIMEOUT) < 0
        ? new HealthPart(GroupMembership.GROUP, HealthStatus.UP, "answers")
        : new HealthPart(
            GroupMembership.GROUP, HealthStatus.DEGRADED,
            "Kafka has not answered for %d s".formatted(silence.toSeconds()));
  }

  @Override
  public void close() {
    ownership.close();
    bySlot.values().forEach(SourceRunner::close);
  }

  /**
   * Others go on without it, and other instances may work it; with the last one all ends. But not where the service
   * refuses the key: starting again and again would not help, and what is known is still served.
   */
  private void ended(int slot, Throwable failure) {
    ownership.withdraw(slot);
    if (!(failure instanceof Failure.BadKey) && allAreGivenUp()) {
      ended.accept(failure);
    } else {
      LOG.error("source in slot {} is left to other instances: {}", slot, failure.getMessage());
    }
  }

  private boolean allAreGivenUp() {
    return health().stream().allMatch(source -> source.status().equals(SourceHealth.GIVEN_UP));
  }

  private static SourceSlot slot(SourceSettings source) {
    return SourceSlot.newBuilder().setSource(source.name()).setPrefix(source.prefix()).build();
  }
}
