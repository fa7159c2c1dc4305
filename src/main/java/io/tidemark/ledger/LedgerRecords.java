package io.tidemark.ledger;

import static java.util.Objects.requireNonNull;

import io.tidemark.change.ResourceUpdate;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Control;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Removed;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** How each thing a ledger writes looks in Kafka: its topic, key, value and headers. */
final class LedgerRecords {

  /** Header of {@code source.state}: which registry the ids are of, readable without any. */
  static final String REGISTRY = "registry";

  private static final int LONGEST_HEADER = 500;

  private final Map<String, TopicCodec<?>> changes = new HashMap<>();
  private final Map<String, TopicCodec<?>> states = new HashMap<>();
  private final TopicCodec<TargetState> targets;
  private final TopicCodec<TargetMembers> members;
  private final TopicCodec<PoolListing> listings;
  private final TopicCodec<DeadLetter> deadLetters;
  private final TopicCodec<SourceState> sources;
  private final TopicCodec<Control> controls;
  private final TopicCodec<Watch> commands;

  LedgerRecords(Topics topics, SchemaRegistry registry) {
    for (var each : topics.resources()) {
      changes.put(each.resource(), new TopicCodec<>(each.changes(), registry));
      states.put(each.resource(), new TopicCodec<>(each.state(), registry));
    }
    targets = new TopicCodec<>(topics.targetState(), registry);
    members = new TopicCodec<>(topics.targetMembers(), registry);
    listings = new TopicCodec<>(topics.poolListing(), registry);
    deadLetters = new TopicCodec<>(topics.deadLetters(), registry);
    sources = new TopicCodec<>(topics.sourceState(), registry);
    controls = new TopicCodec<>(topics.control(), registry);
    commands = new TopicCodec<>(topics.watch(), registry);
  }

  /** Its headers name it, and let a reader skip it without decoding. */
  PendingRecord change(ResourceUpdate entry, SpecificRecord change) {
    var codec = requireNonNull(changes.get(entry.resource()), entry.resource());
    var view = ChangeView.of(change);
    var generation = requireNonNull(view.generation(change)).toEpochMilli();
    var id = "%s/%s/%d/%s".formatted(codec.topic(), entry.key(), generation, view.revision(change));
    return codec.draft(entry.key(), change).withHeaders(Map.of("id", id, "facets", view.facetsHeader(change)));
  }

  /** @param known the state before; null where there was none */
  PendingRecord state(ResourceUpdate entry, @Nullable SpecificRecord known) {
    var draft = requireNonNull(states.get(entry.resource()), entry.resource()).draft(entry.key(), entry.state());
    return entry.state() == null ? draft.withHeaders(evictionHeaders(entry, known)) : draft;
  }

  PendingRecord target(TargetState target) {
    return targets.draft(target.getTarget(), target);
  }

  PendingRecord members(TargetMembers page) {
    return members.draft(ResourceStateStore.memberKey(page), page);
  }

  PendingRecord listing(PoolListing listing) {
    return listings.draft(listing.getPool(), listing);
  }

  PendingRecord deadLetter(DeadLetter letter) {
    return deadLetters
        .draft(letter.getTarget(), letter)
        .withHeaders(Map.of("reason", PrintableText.of(letter.getReason(), LONGEST_HEADER)));
  }

  PendingRecord command(Watch word) {
    return commands.draft(word.getKind() + "/" + word.getName(), word);
  }

  PendingRecord source(SourceState source) {
    return sources.draft(source.getSource(), source).withHeaders(Map.of(REGISTRY, source.getRegistry()));
  }

  SourceState source(byte[] bytes) {
    return sources.decode(bytes);
  }

  /** The same word to every partition: whoever reads one has heard it. */
  List<PendingRecord> control(Control word, int partitions) {
    var value = controls.encode(word);
    return IntStream.range(0, partitions)
        .mapToObj(partition -> new PendingRecord(controls.topic(), partition, null, value, Map.of()))
        .toList();
  }

  /** Why a state is forgotten, and when the resource was last seen. */
  private static Map<String, String> evictionHeaders(ResourceUpdate entry, @Nullable SpecificRecord known) {
    var headers = new HashMap<String, String>();
    var left = entry.change() == null ? null : (Removed) field(entry.change(), "removed");
    headers.put("reason", left == null ? "evicted" : left.getReason());
    if (known != null) {
      headers.put("last-seen", field(known, "observed_at").toString());
    }
    return headers;
  }

  private static Object field(SpecificRecord value, String name) {
    return value.get(value.getSchema().getField(name).pos());
  }
}
