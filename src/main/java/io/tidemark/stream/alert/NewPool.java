package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.ArmedPool;
import io.tidemark.event.Evidence;
import io.tidemark.event.PoolChange;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * A pool came into being: told once, when it first meets its floors, within a time of its creation.
 *
 * <p>A new pool is remembered until then; firing, leaving and growing old all make it forgotten.
 */
public record NewPool(String topic, Settings settings) implements Mechanism<PoolChange, ArmedPool> {

  /**
   * When to tell of new pools.
   *
   * @param within how long after its creation a pool counts as new
   */
  public record Settings(boolean enabled, Floors floors, Duration within) {

    public static final Settings DEFAULT = new Settings(true, Floors.of(1_000), Duration.ofMinutes(60));

    public Settings {
      Periods.requirePositive("new-pool.within", within);
    }
  }

  /** From changes of pools and ticks to alerts, by pool. */
  public static KStream<String, Alert> alerts(
      KStream<String, SpecificRecord> pools, Topic<PoolChange> topic, Settings settings, Registry registry) {
    return new NewPool(topic.name(), settings).alerts(pools, registry);
  }

  @Override
  public String rule() {
    return "new-pool";
  }

  @Override
  public Class<PoolChange> records() {
    return PoolChange.class;
  }

  @Override
  public Class<ArmedPool> memories() {
    return ArmedPool.class;
  }

  @Override
  public boolean isStale(ArmedPool armed, Instant now) {
    return now.isAfter(armed.getUntil());
  }

  @Override
  public @Nullable Finding look(PoolChange change, KeyValueStore<String, ArmedPool> memory) {
    var armed = isCreated(change) ? armed(change) : memory.get(change.getId());
    if (armed == null) {
      return null;
    }
    var over = change.getLeft() != null || isStale(armed, change.getOrigin().getObservedAt());
    var fires = !over && settings.floors().met(change.getNetwork(), change.getAbout());
    if (over || fires) {
      memory.delete(change.getId());
    } else {
      memory.put(change.getId(), armed);
    }
    return fires ? finding(change, armed) : null;
  }

  private boolean isCreated(PoolChange change) {
    return change.getAppeared() != null
        && change.getAppeared().getKind().equals("created")
        && !change.getOrigin().getBaseline()
        && settings.floors().isWatched(change.getNetwork());
  }

  private ArmedPool armed(PoolChange change) {
    var appeared = change.getAppeared();
    var evidence = Proof.of(topic, change)
        .with("appeared.kind", appeared.getKind())
        .with("appeared.list", appeared.getList())
        .with("appeared.age_seconds", appeared.getAgeSeconds())
        .with("about.created_at", change.getAbout().getCreatedAt())
        .with("about.reserve_usd", change.getAbout().getReserveUsd());
    return new ArmedPool(createdAt(change).plus(settings.within()), evidence.evidence());
  }

  private static Instant createdAt(PoolChange change) {
    var age = change.getAppeared().getAgeSeconds();
    var observedAt = change.getOrigin().getObservedAt();
    return age == null ? observedAt : observedAt.minusMillis(Math.round(age * 1000));
  }

  private Finding finding(PoolChange change, ArmedPool armed) {
    var about = change.getAbout();
    var at = change.getOrigin().getObservedAt();
    var age = Duration.between(armed.getUntil().minus(settings.within()), at);
    var summary = "New pool %s on %s (%s): reserve %s, %s old".formatted(
        Wording.name(about.getName()),
        Wording.name(about.getDex()),
        Wording.name(change.getNetwork()),
        Wording.usd(about.getReserveUsd()),
        Wording.span(age));
    var subject = new Finding.Subject(change.getId(), change.getNetwork(), about.getDex(), null);
    return new Finding(rule(), "info", subject, at, summary, evidence(change, armed));
  }

  /** The change that met the floors is evidence too, where it is not the one that showed the pool. */
  private List<Evidence> evidence(PoolChange change, ArmedPool armed) {
    var met = Proof.of(topic, change).with("about.reserve_usd", change.getAbout().getReserveUsd()).evidence();
    return change.getRevision() == armed.getAppeared().getRevision()
        ? List.of(armed.getAppeared())
        : List.of(armed.getAppeared(), met);
  }
}
