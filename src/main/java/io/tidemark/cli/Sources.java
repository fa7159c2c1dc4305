package io.tidemark.cli;

import io.tidemark.cli.meter.Meters;
import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.event.SourceSlot;
import io.tidemark.ledger.GroupSettings;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.Owner;
import io.tidemark.ledger.Ownership;
import io.tidemark.ledger.Slots;
import io.tidemark.ledger.SourceHealth;
import io.tidemark.market.Failure;
import io.tidemark.rule.RuleSet;
import io.tidemark.topic.Registry;
import io.tidemark.web.Health.Condition;
import io.tidemark.web.Health.Part;
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
final class Sources implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Sources.class);

  private final Map<Integer, SourceAtWork> bySlot = new ConcurrentHashMap<>();
  private final Consumer<Throwable> ended;
  private final Ownership ownership;

  private Sources(
      List<SourceSettings> sources,
      Function<SourceSettings, LedgerSettings> ledgers,
      Function<LedgerSettings, RuleSet> rules,
      Registry registry,
      GroupSettings group,
      short replication,
      Meters meters,
      Consumer<Throwable> ended) {
    this.ended = ended;
    var byKey = new HashMap<String, SourceSettings>();
    sources.forEach(source -> byKey.put(Slots.key(slot(source)), source));
    Slots.claim(sources.stream().map(Sources::slot).toList(), group.kafka(), registry, replication).forEach(slot -> {
      var source = Objects.requireNonNull(byKey.get(Slots.key(slot)));
      var ledger = ledgers.apply(source);
      bySlot.put(slot.getSlot(), new SourceAtWork(source, ledger, registry,
          meters.source(source.name()), rules.apply(ledger), failure -> ended(slot.getSlot(), failure)));
    });
    this.ownership = Ownership.start(group, Map.<Integer, Owner>copyOf(bySlot), ended::accept);
  }

  /** @param ended hears why none of them can be worked here any more */
  static Sources start(
      List<SourceSettings> sources,
      Function<SourceSettings, LedgerSettings> ledgers,
      Function<LedgerSettings, RuleSet> rules,
      Registry registry,
      GroupSettings group,
      short replication,
      Meters meters,
      Consumer<Throwable> ended) {
    return new Sources(sources, ledgers, rules, registry, group, replication, meters, ended);
  }

  Collection<SourceAtWork> atWork() {
    return bySlot.values();
  }

  /** How each stands on this instance. */
  List<SourceHealth> health() {
    return bySlot.values().stream().map(SourceAtWork::health).toList();
  }

  /** Whether Kafka is there for this instance, also where all sources are others'. */
  Part pulse() {
    var silence = ownership.silence();
    return silence.compareTo(GroupSettings.SESSION_TIMEOUT) < 0
        ? new Part(Ownership.GROUP, Condition.UP, "answers")
        : new Part(
            Ownership.GROUP, Condition.DEGRADED, "Kafka has not answered for %d s".formatted(silence.toSeconds()));
  }

  @Override
  public void close() {
    ownership.close();
    bySlot.values().forEach(SourceAtWork::close);
  }

  /**
   * Others go on without it, and other instances may work it; with the last one all ends. But not where the service
   * refuses the key: starting again and again would not help, and what is known is still served.
   */
  private void ended(int slot, Throwable failure) {
    ownership.giveUp(slot);
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
