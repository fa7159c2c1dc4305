package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Control;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.SafeText;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Encodes what a ledger writes: the topic, key, value and headers of each record. */
final class LedgerRecords {

  /** Header of {@code source.state}: the registry of the schema ids. It is readable without one. */
  static final String REGISTRY = "registry";

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

  LedgerRecords(Topics topics, SchemaRegistry registry) {
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

  /** Its headers name the change, and let readers skip it without decoding. */
  PendingRecord change(ResourceUpdate update, SpecificRecord change) {
    var encoder = requireNonNull(changes.get(update.resource()), update.resource());
    var view = ChangeView.of(change);
    var generation = requireNonNull(view.generation(change)).toEpochMilli();
    var id = "%s/%s/%d/%s".formatted(encoder.topic().name(), update.key(), generation, view.revision(change));
    return encoder.record(update.key(), change).with(Map.of("id", id, "facets", view.facetsHeader(change)));
  }

  /** @param known the state before; null where there was none */
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

  PendingRecord listing(PoolListing listing) {
    return listings.record(listing.getPool(), listing);
  }

  PendingRecord deadLetter(DeadLetter deadLetter) {
    return deadLetters
        .record(deadLetter.getTarget(), deadLetter)
        .with(Map.of("reason", SafeText.masked(deadLetter.getReason(), LONGEST_HEADER)));
  }

  PendingRecord command(Watch command) {
    return commands.record(command.getKind() + "/" + command.getName(), command);
  }

  PendingRecord source(SourceState source) {
    return sources.record(source.getSource(), source).with(Map.of(REGISTRY, source.getRegistry()));
  }

  SourceState source(byte[] bytes) {
    return sources.serde().decode(sources.topic().name(), bytes);
  }

  /** One control record for every partition. */
  List<PendingRecord> control(Control control, int partitions) {
    var record = controls.record("", control);
    return IntStream.range(0, partitions)
        .mapToObj(partition -> new PendingRecord(record.topic(), partition, null, record.value(), Map.of()))
        .toList();
  }

  /** Why the resource is evicted, and when it was last observed. */
  private static Map<String, String> evictionHeaders(ResourceUpdate update, @Nullable SpecificRecord known) {
    var headers = new HashMap<String, String>();
    var removed = update.change() == null ? null : ChangeView.of(update.change()).removed(update.change());
    headers.put("reason", removed == null ? "evicted" : removed.getReason());
    if (known != null) {
      headers.put("last-observed", ChangeView.ofResource(update.resource()).state().observedAt(known).toString());
    }
    return headers;
  }

  /** Encodes the records of one topic. */
  private record Encoder<V extends SpecificRecord>(Topic<V> topic, AvroSerde<V> serde) {

    private Encoder(Topic<V> topic, SchemaRegistry registry) {
      this(topic, topic.serde(registry));
    }

    /** The record of a value; a tombstone where there is none. */
    private PendingRecord record(String key, @Nullable SpecificRecord value) {
      var bytes = value == null ? null : serde.encode(topic.name(), topic.value().cast(value));
      return new PendingRecord(topic.name(), null, key, bytes, Map.of());
    }
  }

  /**
   * A record of the next transaction, without its timestamp.
   *
   * @param partition null where the key decides
   * @param value null for a tombstone
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  record PendingRecord(
      String topic,
      @Nullable Integer partition,
      @Nullable String key,
      byte @Nullable [] value,
      Map<String, String> headers) {

    /** An upper bound of what Kafka adds to key, value and headers: lengths, offsets, times. */
    private static final int OVERHEAD = 128;
    private static final int HEADER_OVERHEAD = 8;

    private PendingRecord with(Map<String, String> more) {
      return new PendingRecord(topic, partition, key, value, more);
    }

    ProducerRecord<byte[], byte[]> stamped(Instant stamp) {
      var stamped = new ProducerRecord<byte[], byte[]>(
          topic, partition, stamp.toEpochMilli(), key == null ? null : key.getBytes(UTF_8), value);
      headers.forEach((name, text) -> stamped.headers().add(name, text.getBytes(UTF_8)));
      return stamped;
    }

    int size() {
      var size = OVERHEAD + (key == null ? 0 : key.getBytes(UTF_8).length) + (value == null ? 0 : value.length);
      for (var header : headers.entrySet()) {
        size += HEADER_OVERHEAD + header.getKey().getBytes(UTF_8).length + header.getValue().getBytes(UTF_8).length;
      }
      return size;
    }
  }
}
