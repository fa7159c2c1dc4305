package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.Ledger.TransactionalWriter;
import io.tidemark.capture.ledger.TransactionBuffer.LedgerRecords;
import io.tidemark.capture.ledger.TransactionBuffer.PendingRecord;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Control;
import io.tidemark.event.SourceState;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicOffsets;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rebuild of lost states of a source. It folds the retained changes of the resources into states, and writes each
 * folded state, or a tombstone for an evicted resource, if the stored state is missing or older. It then records the
 * topics in {@code source.state}, from where the next session continues.
 */
public final class StateRebuild {

  private static final Logger LOG = LoggerFactory.getLogger(StateRebuild.class);

  /**
   * Age of the newest heartbeat at which the source counts as having no owner. An owner writes a heartbeat every
   * second.
   */
  private static final Duration OWNER_TIMEOUT = Duration.ofSeconds(30);
  private static final int BATCH = 500;

  private final LedgerSettings settings;
  private final SchemaRegistry registry;
  private final InstantSource time;
  private final LedgerClock clock;
  private final LedgerRecords records;
  private final List<RebuiltTopic> rebuilt = new ArrayList<>();
  private @Nullable Instant oldest;

  /**
   * The result for one topic of states.
   *
   * @param kept number of stored states of resources with retained changes that were not replaced, because the
   *     changes include nothing newer or no key frame
   * @param written number of states that were written, because the stored ones were missing or older than the
   *     changes; includes tombstones
   * @param unknown number of resources with neither a key frame in the retained changes nor a state
   */
  public record RebuiltTopic(String topic, long kept, long written, long unknown) {}

  private StateRebuild(LedgerSettings settings, SchemaRegistry registry, InstantSource time) {
    this.settings = settings;
    this.registry = registry;
    this.time = time;
    this.clock = new LedgerClock(time);
    this.records = new LedgerRecords(settings.topics(), registry, settings.traces());
  }

  /**
   * Rebuilds the states, and fences every writer of the source.
   *
   * @param createTopics whether missing topics are created, and settings of topics changed; if not, all must exist
   * @throws LedgerFailure.Refused if an instance owns the source, if the newest record of {@code source.state} cannot
   *     be read, if a topic is missing that may not be created, or if one of the {@link StateTopics} has another number
   *     of partitions than configured
   */
  public static List<RebuiltTopic> run(
      LedgerSettings settings, SchemaRegistry registry, InstantSource time, boolean createTopics) {
    return new StateRebuild(settings, registry, time).run(createTopics);
  }

  private List<RebuiltTopic> run(boolean createTopics) {
    try (var admin = Admin.create(settings.kafka())) {
      var now = StateTopics.read(admin, settings.topics());
      refuseOtherPartitions(now);
      if (now.topics().containsKey(settings.topics().shortName(settings.topics().sourceState()))) {
        refuseOwner(newestSourceState(admin));
      }
      if (createTopics) {
        new TopicSetup(admin, settings.layout()).ensure(settings.topics().all());
      } else {
        refuseMissing(admin);
      }
      var writer = TransactionalWriter.open(settings, ProducerFactory.KAFKA, LedgerListener.NONE);
      try {
        writer.fenceOthers();
        write(admin, writer, newestSourceState(admin));
        writer.close();
      } catch (RuntimeException e) {
        throw writer.fail("rebuild its states", e);
      }
    }
    return rebuilt;
  }

  private void write(Admin admin, TransactionalWriter writer, @Nullable SourceState before) {
    clock.advancePast(before == null ? newestTick(admin) : before.getClock());
    for (var each : settings.topics().resources()) {
      rebuild(admin, writer, each);
    }
    var now = clock.stamp();
    var topics = StateTopics.read(admin, settings.topics())
        .record(before == null ? List.of() : before.getStateTopics());
    var source = new CurrentSourceState(settings, registry.identity(), topics, before, now);
    source.update(state -> SourceState.newBuilder(state)
        .setStatus(SourceStatus.STOPPED.wire())
        .setMessage("its states were rebuilt from the changes")
        .setWatchingSince(before == null && oldest != null ? oldest : state.getWatchingSince())
        .build());
    writer.write(now, List.of(records.source(source.stampedAt(now))));
  }

  private void rebuild(Admin admin, TransactionalWriter writer, ResourceTopics<?, ?> topics) {
    var kept = 0L;
    var written = 0L;
    var unknown = 0L;
    for (var partition = 0; partition < settings.layout().partitions(); partition++) {
      var states = new HashMap<String, SpecificRecord>();
      read(admin, topics.state(), partition, (key, state) -> {
        if (state == null) {
          states.remove(key);
        } else {
          states.put(key, state);
        }
      });
      var folds = folds(admin, topics, partition);
      var pending = new ArrayList<PendingRecord>();
      for (var entry : folds.entrySet()) {
        var fold = entry.getValue();
        var known = states.get(entry.getKey());
        if (!fold.isComplete() && known == null) {
          unknown++;
        } else if (!fold.isComplete() || !fold.isAfter(known)) {
          kept++;
        } else if (!fold.isEvicted() || known != null) {
          written++;
          var state = fold.isEvicted() ? null : fold.state();
          pending.add(records.state(new ResourceUpdate(topics.resource(), entry.getKey(), null, state), known));
          flush(writer, pending, BATCH);
        }
      }
      flush(writer, pending, 1);
    }
    rebuilt.add(new RebuiltTopic(topics.state().name(), kept, written, unknown));
  }

  private void flush(TransactionalWriter writer, List<PendingRecord> pending, int least) {
    if (pending.size() >= least) {
      writer.write(clock.stamp(), List.copyOf(pending));
      pending.clear();
    }
  }

  private Map<String, RebuiltState> folds(Admin admin, ResourceTopics<?, ?> topics, int partition) {
    var view = ChangeView.ofResource(topics.resource());
    var half = settings.topics().retention().changes().dividedBy(2);
    var folds = new HashMap<String, RebuiltState>();
    read(admin, topics.changes(), partition, (key, change) -> {
      if (change != null) {
        folds.computeIfAbsent(key, any -> new RebuiltState(view, half)).add(change);
      }
    });
    folds.values().stream().filter(RebuiltState::isComplete).map(RebuiltState::generation)
        .forEach(generation -> oldest = oldest == null || generation.isBefore(oldest) ? generation : oldest);
    return folds;
  }

  /** Reads a partition as the other method does. Logs and skips unreadable records. */
  private void read(Admin admin, Topic<?> topic, int partition, BiConsumer<String, @Nullable SpecificRecord> visitor) {
    read(admin, topic, partition, visitor, unreadable -> LOG.warn(
        "source {}: the rebuild skips an unreadable record. Record: {}", settings.source(), unreadable.describe()));
  }

  /** Waits for open transactions to end, and visits the committed records of a partition. */
  private void read(Admin admin, Topic<?> topic, int partition, BiConsumer<String, @Nullable SpecificRecord> visitor,
      Consumer<UnreadableRecord> onUnreadable) {
    try (var reader = new TopicReader(settings.kafka(), List.of(topic), registry)) {
      var ends = reader.offsets().written(List.of(new TopicPartition(topic.name(), partition)));
      new OpenTransactionWait(settings, admin, LedgerListener.NONE).await(ends);
      reader.read(reader.offsets().committed(topic.name(), partition), record -> {
        if (record.unreadable() != null) {
          onUnreadable.accept(record.unreadable());
        } else {
          visitor.accept(record.keyText(), record.value());
        }
      });
    }
  }

  /**
   * Returns the newest state of the source, or null if there is none.
   *
   * @throws LedgerFailure.Refused if the newest record with the source's key cannot be read. Without it, the owner is
   *     not known, and neither are the budget and the clock
   */
  private @Nullable SourceState newestSourceState(Admin admin) {
    var newest = new AtomicReference<@Nullable SourceState>();
    for (var partition = 0; partition < settings.layout().partitions(); partition++) {
      var unreadable = new AtomicReference<@Nullable UnreadableRecord>();
      read(admin, settings.topics().sourceState(), partition, (key, state) -> {
        if (state instanceof SourceState of && key.equals(settings.source())) {
          newest.set(of);
          unreadable.set(null);
        }
      }, record -> unreadable.set(isOfSource(record) ? record : unreadable.get()));
      refuseUnreadable(unreadable.get());
    }
    return newest.get();
  }

  private void refuseUnreadable(@Nullable UnreadableRecord newest) {
    if (newest != null) {
      throw new LedgerFailure.Refused(
          ("source %s: cannot rebuild its states, because its newest state cannot be read: %s. If the schema is missing"
              + " in the registry, restore it there. If another program wrote the record: stop the source, delete the"
              + " topic %s, and rebuild again; the count of calls of this month is then lost, so set 'spent'")
              .formatted(settings.source(), newest.describe(), settings.topics().sourceState().name()));
    }
  }

  private boolean isOfSource(UnreadableRecord record) {
    return record.key() != null && settings.source().equals(new String(record.key(), UTF_8));
  }

  /**
   * Returns the latest time in the control records, such as ticks, of partition 0, or 1970 if there are none. If
   * {@code source.state} is lost, the ledger's clock continues from this time.
   */
  private Instant newestTick(Admin admin) {
    var newest = new Instant[] {Instant.EPOCH};
    read(admin, settings.topics().control(), 0, (key, control) -> {
      if (control instanceof Control tick && tick.getAt().isAfter(newest[0])) {
        newest[0] = tick.getAt();
      }
    });
    return newest[0];
  }

  private void refuseOwner(@Nullable SourceState state) {
    if (state == null || state.getStatus().equals(SourceStatus.STOPPED.wire())) {
      return;
    }
    var silence = Duration.between(state.getHeartbeatAt(), time.instant());
    if (silence.compareTo(OWNER_TIMEOUT) < 0) {
      throw new LedgerFailure.Refused(
          ("source %s: cannot rebuild its states, because instance %s owns the source (last heartbeat %d s ago);"
              + " stop that instance first")
              .formatted(settings.source(), state.getOwner(), Math.max(0, silence.toSeconds())));
    }
  }

  private void refuseMissing(Admin admin) {
    var missing = new TreeSet<>(settings.topics().all().stream().<String>map(Topic::name).toList());
    new TopicOffsets(admin).partitions(List.copyOf(missing)).forEach(each -> missing.remove(each.topic()));
    if (!missing.isEmpty()) {
      throw new LedgerFailure.Refused(
          ("source %s: cannot rebuild its states, because these topics do not exist: %s. topics.create is false, so"
              + " create them first; 'tidemark topics --format shell' prints how")
              .formatted(settings.source(), String.join(", ", missing)));
    }
  }

  private void refuseOtherPartitions(StateTopics now) {
    for (var topic : now.topics().values()) {
      if (topic.getEnds().size() != settings.layout().partitions()) {
        var name = settings.topics().prefix() + topic.getTopic();
        throw new LedgerFailure.Refused(
            ("topic %s has %d partitions instead of the configured %d; delete the topic (kafka-topics.sh --delete"
                + " --topic %s), then rebuild again")
                .formatted(name, topic.getEnds().size(), settings.layout().partitions(), name));
      }
    }
  }
}
