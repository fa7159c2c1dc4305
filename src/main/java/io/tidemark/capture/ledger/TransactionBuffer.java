package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.DeadlineQueue.ResourceName;
import io.tidemark.capture.ledger.TransactionBuffer.PendingRecord;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Control;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import io.tidemark.event.SafeText;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.RecordHeader;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The records that the next {@link Ledger#commit} writes. The state store already holds those of its own topics.
 * Ticks and announcements are written in other transactions.
 *
 * <p>Sizes are checked here, before anything is written or stored. If the record of a resource's change or state is
 * larger than {@link RecordLimits#RECORD}, neither is written and the old state stays, so that the next change reuses
 * the revision number. Later updates of this resource in the same transaction may build on the dropped update, and are
 * dropped too.
 */
final class TransactionBuffer {

  private static final int LONGEST_KEY = 200;
  private static final int LONGEST_REASON = 1000;

  private final LedgerRecords records;
  private final ResourceStateStore store;
  private final List<PendingRecord> pending = new ArrayList<>();
  /** Number of pending records that the store holds already; the others are of the current call. */
  private int stored;
  /** Resources of which an update in the next transaction was dropped because it was too large. */
  private final Set<ResourceName> oversized = new HashSet<>();

  TransactionBuffer(LedgerRecords records, ResourceStateStore store) {
    this.records = records;
    this.store = store;
  }

  /** Returns the records of the next transaction, in the order of writing. */
  List<PendingRecord> pending() {
    return pending;
  }

  /** Clears the buffer. Call this method after the records are committed. */
  void clear() {
    pending.clear();
    stored = 0;
    oversized.clear();
  }

  /** Appends the records of a snapshot, and returns the change set without those that are too large. */
  ChangeSet append(ChangeSet changes) {
    var target = changes.targetState();
    var snapshot = Origin.newBuilder() // with the fields that a dead letter needs
        .setSource(target.getSource()).setOperation(target.getOperation()).setTarget(target.getTarget())
        .setObservedAt(target.getObservedAt()).build();
    var deadLetters = new ArrayList<>(changes.deadLetters());
    var updates = accepted(changes.updates(), update -> accept(update, snapshot, deadLetters));
    var listings = accepted(changes.listings(), listing -> accept(listing, snapshot, deadLetters));
    var members = accepted(changes.members(), page -> accept(List.of(records.members(page)), snapshot, deadLetters));
    accept(List.of(records.target(target)), snapshot, deadLetters);
    deadLetters.forEach(this::add);
    store();
    return new ChangeSet(target, members, updates, listings, deadLetters);
  }

  /**
   * Appends an update that time brings and no snapshot, such as an eviction. Returns false if the update is dropped,
   * because its records, or those of an earlier update of the resource in the same transaction, are too large.
   */
  boolean append(ResourceUpdate update, Origin snapshot) {
    var deadLetters = new ArrayList<DeadLetter>();
    var accepted = accept(update, snapshot, deadLetters);
    deadLetters.forEach(this::add);
    store();
    return accepted;
  }

  void append(Watch command) {
    pending.add(records.command(command));
    store();
  }

  void withdraw(String kind, String name) {
    pending.add(records.withdrawn(kind, name));
    store();
  }

  void forget(String target) {
    store.members(target).forEach(page -> pending.add(records.forgotten(page)));
    var known = store.targetState(target);
    if (known != null) {
      pending.add(records.forgotten(known));
    }
    store();
  }

  void append(DeadLetter deadLetter) {
    add(deadLetter);
    store();
  }

  private static <T> List<T> accepted(List<T> all, Predicate<T> accept) {
    return all.stream().filter(accept).toList();
  }

  private boolean accept(ResourceUpdate update, Origin snapshot, List<DeadLetter> deadLetters) {
    var name = new ResourceName(update.resource(), update.key());
    if (oversized.contains(name)) {
      return false;
    }
    var accepted = accept(encoded(withReachableRevisions(update)), snapshot, deadLetters);
    if (!accepted) {
      oversized.add(name);
    }
    return accepted;
  }

  /**
   * Appends a listing and returns true. Returns false if the listing is too large, or if the update of its ranking was
   * dropped, since the listing names the revision of the ranking.
   */
  private boolean accept(PoolListing listing, Origin snapshot, List<DeadLetter> deadLetters) {
    return !oversized.contains(new ResourceName("ranking", listing.getList()))
        && accept(List.of(records.listing(listing)), snapshot, deadLetters);
  }

  private List<PendingRecord> encoded(ResourceUpdate update) {
    var known = update.state() == null ? store.find(update.resource(), update.key()) : null;
    var state = records.state(update, known);
    return update.change() == null ? List.of(state) : List.of(records.change(update, update.change()), state);
  }

  /**
   * Appends either all of the records or, if one is too large, a dead letter. Returns whether the records were
   * appended.
   */
  private boolean accept(List<PendingRecord> together, Origin snapshot, List<DeadLetter> deadLetters) {
    for (var record : together) {
      if (record.size() > RecordLimits.RECORD) {
        deadLetters.add(deadLetter(snapshot, record));
        return false;
      }
    }
    pending.addAll(together);
    return true;
  }

  private void add(DeadLetter deadLetter) {
    var record = records.deadLetter(deadLetter);
    pending.add(record.size() > RecordLimits.RECORD ? records.deadLetter(withoutBody(deadLetter)) : record);
  }

  private static DeadLetter deadLetter(Origin snapshot, PendingRecord oversized) {
    var value = oversized.value() == null ? new byte[0] : oversized.value();
    var key = SafeText.masked(String.valueOf(oversized.keyText()), LONGEST_KEY);
    var deadLetter = DeadLetter.newBuilder()
        .setSource(snapshot.getSource())
        .setOperation(snapshot.getOperation())
        .setTarget(snapshot.getTarget())
        .setReason(
            ("topic %s, key %s: the record has %d bytes, the limit is %d; it is not written and the state of its"
                + " resource stays as it was")
                .formatted(oversized.topic(), key, oversized.size(), RecordLimits.RECORD))
        .setSentAt(snapshot.getObservedAt())
        .setReceivedAt(snapshot.getObservedAt());
    return DeadLetterBody.putInto(deadLetter, value);
  }

  /**
   * Returns the same dead letter without body and headers and with a shortened reason, which is small enough for any
   * broker.
   */
  private static DeadLetter withoutBody(DeadLetter deadLetter) {
    return DeadLetter.newBuilder(deadLetter)
        .setReason(SafeText.masked(deadLetter.getReason(), LONGEST_REASON))
        .setBody(ByteBuffer.allocate(0))
        .setHeaders(Map.of())
        .setTruncated(true)
        .build();
  }

  /**
   * Puts the records of the current call into the state store. Called once, at the end of the call, since no record
   * depends on another record being stored.
   */
  private void store() {
    store.putEncoded(pending.subList(stored, pending.size()));
    stored = pending.size();
  }

  /**
   * Corrects the revisions in a ranking's state; other updates stay as they are. A ranking lists, for each of its
   * pools, the revision that the pool has after this transaction, but a pool whose update was dropped keeps its old
   * revision, or has revision 0 if it had no state.
   */
  private ResourceUpdate withReachableRevisions(ResourceUpdate update) {
    if (oversized.isEmpty() || !(update.state() instanceof RankingState ranking)) {
      return update;
    }
    var state = RankingState.newBuilder(ranking).build();
    var order = state.getKnown().getOrder();
    if (order != null) {
      lowerRevisions(order);
    }
    return new ResourceUpdate(update.resource(), update.key(), update.change(), state);
  }

  private void lowerRevisions(RankingOrder order) {
    var revisions = order.getRevisions();
    for (int i = 0; i < revisions.size(); i++) {
      var pool = order.getEntries().get(i);
      if (oversized.contains(new ResourceName("pool", pool))) {
        revisions.set(i, store.find("pool", pool) instanceof PoolState known ? known.getRevision() : 0L);
      }
    }
  }

  /** An encoder of the records that a ledger writes. It sets the topic, key, value and headers of each record. */
  static final class LedgerRecords {

    /**
     * Header of {@code source.state} that names the registry of the schema ids. It is a header because a header can be
     * read without a registry.
     */
    static final String REGISTRY = RecordHeader.REGISTRY.wire();

    /**
     * Header of a tombstone that says why the resource was evicted or the target forgotten. Also the header of a dead
     * letter with the letter's reason.
     */
    static final String REASON = RecordHeader.REASON.wire();

    private static final String UNWATCHED = "unwatched";

    private static final int LONGEST_HEADER = 500;

    private final Map<String, Encoder<?>> changes = new HashMap<>();
    private final Map<String, Encoder<?>> states = new HashMap<>();
    private final Encoder<TargetState> targets;
    private final Encoder<TargetMembers> members;
    private final Encoder<PoolListing> listings;
    private final Encoder<DeadLetter> deadLetters;
    private final Encoder<SourceState> sources;
    private final Encoder<Control> controls;
    private final Encoder<Watch> commands;
    private final Traces traces;

    LedgerRecords(Topics topics, SchemaRegistry registry, Traces traces) {
      this.traces = traces;
      for (var each : topics.resources()) {
        changes.put(each.resource(), new Encoder<>(each.changes(), registry));
        states.put(each.resource(), new Encoder<>(each.state(), registry));
      }
      targets = new Encoder<>(topics.targetState(), registry);
      members = new Encoder<>(topics.targetMembers(), registry);
      listings = new Encoder<>(topics.poolListing(), registry);
      deadLetters = new Encoder<>(topics.deadLetters(), registry);
      sources = new Encoder<>(topics.sourceState(), registry);
      controls = new Encoder<>(topics.control(), registry);
      commands = new Encoder<>(topics.watch(), registry);
    }

    /**
     * Encodes a change. The headers have the id of the change and the names of its facets, so that readers can skip
     * a change without decoding its value, and the commit of the snapshot that observed the change, if it is traced.
     */
    PendingRecord change(ResourceUpdate update, SpecificRecord change) {
      var encoder = requireNonNull(changes.get(update.resource()), update.resource());
      var view = ChangeView.of(change);
      var generation = requireNonNull(view.generation(change)).toEpochMilli();
      var id = encoder.topic().name() + '/' + update.key() + '/' + generation + '/' + view.revision(change);
      var headers = new HashMap<>(
          Map.of(RecordHeader.ID.wire(), id, RecordHeader.FACETS.wire(), String.join(",", view.changed(change))));
      var origin = requireNonNull(view.origin(change));
      var poll = traces.poll(origin.getSource(), origin.getTarget(), origin.getObservedAt());
      if (poll != null) {
        headers.put(RecordHeader.TRACEPARENT.wire(), poll.child(Traces.COMMIT).text());
      }
      return encoder.record(update.key(), change).with(headers);
    }

    /**
     * @param known previous state, which the headers of a tombstone describe; not used if the update has a state, and
     *     null if there was none
     */
    PendingRecord state(ResourceUpdate update, @Nullable SpecificRecord known) {
      var encoder = requireNonNull(states.get(update.resource()), update.resource());
      var record = encoder.record(update.key(), update.state());
      return update.state() == null ? record.with(evictionHeaders(update, known)) : record;
    }

    PendingRecord target(TargetState target) {
      return targets.record(target.getTarget(), target);
    }

    PendingRecord members(TargetMembers page) {
      return members.record(ResourceStateStore.memberKey(page), page);
    }

    /** Returns a tombstone whose headers say why the target is forgotten, and when it was last observed. */
    PendingRecord forgotten(TargetState target) {
      return targets.record(target.getTarget(), null)
          .with(Map.of(REASON, UNWATCHED, RecordHeader.LAST_OBSERVED.wire(), target.getObservedAt().toString()));
    }

    PendingRecord forgotten(TargetMembers page) {
      return members.record(ResourceStateStore.memberKey(page), null).with(Map.of(REASON, UNWATCHED));
    }

    PendingRecord listing(PoolListing listing) {
      return listings.record(listing.getPool(), listing);
    }

    PendingRecord deadLetter(DeadLetter deadLetter) {
      return deadLetters
          .record(deadLetter.getTarget(), deadLetter)
          .with(Map.of(REASON, SafeText.masked(deadLetter.getReason(), LONGEST_HEADER)));
    }

    PendingRecord command(Watch command) {
      return commands.record(command.getKind() + "/" + command.getName(), command);
    }

    PendingRecord withdrawn(String kind, String name) {
      return commands.record(kind + "/" + name, null);
    }

    PendingRecord source(SourceState source) {
      return sources.record(source.getSource(), source).with(Map.of(REGISTRY, source.getRegistry()));
    }

    List<PendingRecord> control(Control control, int partitions) {
      var record = controls.record("", control);
      return IntStream.range(0, partitions)
          .mapToObj(partition -> new PendingRecord(record.topic(), partition, null, record.value(), Map.of()))
          .toList();
    }

    /**
     * Returns headers with the reason of an eviction and, if the previous state is known, the time of that state's
     * observation and the resource's network if it has one.
     */
    private static Map<String, String> evictionHeaders(ResourceUpdate update, @Nullable SpecificRecord known) {
      var headers = new HashMap<String, String>();
      var removed = update.change() == null ? null : ChangeView.of(update.change()).removed(update.change());
      headers.put(REASON, removed == null ? "evicted" : removed.getReason());
      if (known != null) {
        headers.put(RecordHeader.LAST_OBSERVED.wire(),
            ChangeView.ofResource(update.resource()).state().observedAt(known).toString());
        var network = AvroRecords.at(known, "known.network");
        if (network != null) {
          headers.put(RecordHeader.NETWORK.wire(), network.toString());
        }
      }
      return headers;
    }

    private record Encoder<V extends SpecificRecord>(Topic<V> topic, AvroSerde<V> serde) {

      private Encoder(Topic<V> topic, SchemaRegistry registry) {
        this(topic, topic.serde(registry));
      }

      /** Returns a record with the given value, or a tombstone if the value is null. */
      private PendingRecord record(String key, @Nullable SpecificRecord value) {
        var bytes = value == null ? null : serde.encode(topic.name(), topic.value().cast(value));
        return new PendingRecord(topic.name(), null, key.getBytes(UTF_8), bytes, Map.of());
      }
    }
  }

  /**
   * A record of the next transaction, encoded as the bytes that Kafka gets, but without its timestamp.
   *
   * @param partition null if the key determines the partition
   * @param value null for a tombstone
   */
  @SuppressWarnings("ArrayRecordComponent") // the arrays are never compared
  record PendingRecord(
      String topic,
      @Nullable Integer partition,
      byte @Nullable [] key,
      byte @Nullable [] value,
      Map<String, byte[]> headers) {

    /** An upper bound of the bytes that Kafka adds to key, value and headers: lengths, offsets, times. */
    private static final int OVERHEAD = 128;
    private static final int HEADER_OVERHEAD = 8;

    /** Returns the same record with only the given headers, whose values are encoded as UTF-8. */
    PendingRecord with(Map<String, String> texts) {
      var encoded = new HashMap<String, byte[]>();
      texts.forEach((name, text) -> encoded.put(name, text.getBytes(UTF_8)));
      return new PendingRecord(topic, partition, key, value, encoded);
    }

    /** Returns the key as text, or null if the record has no key. */
    @Nullable
    String keyText() {
      return key == null ? null : new String(key, UTF_8);
    }

    ProducerRecord<byte[], byte[]> stamped(Instant stamp) {
      var stamped = new ProducerRecord<byte[], byte[]>(topic, partition, stamp.toEpochMilli(), key, value);
      headers.forEach(stamped.headers()::add);
      return stamped;
    }

    int size() {
      var size = OVERHEAD + (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
      for (var header : headers.entrySet()) {
        size += HEADER_OVERHEAD + Utils.utf8Length(header.getKey()) + header.getValue().length;
      }
      return size;
    }
  }
}
