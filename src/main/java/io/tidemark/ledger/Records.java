package io.tidemark.ledger;

import static java.util.Objects.requireNonNull;

import io.tidemark.change.Entry;
import io.tidemark.event.Control;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.Left;
import io.tidemark.event.PoolListing;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topics;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** How each thing a ledger writes looks in Kafka: its topic, key, value and headers. */
final class Records {

  /** Header of {@code source.state}: which registry the ids are of, readable without any. */
  static final String REGISTRY = "registry";

  private static final int LONGEST_HEADER = 500;

  private final Map<String, Codec<?>> changes = new HashMap<>();
  private final Map<String, Codec<?>> states = new HashMap<>();
  private final Codec<TargetState> targets;
  private final Codec<TargetMembers> members;
  private final Codec<PoolListing> listings;
  private final Codec<DeadLetter> letters;
  private final Codec<SourceState> sources;
  private final Codec<Control> controls;
  private final Codec<Watch> words;

  Records(Topics topics, Registry registry) {
    for (var each : topics.resources()) {
      changes.put(each.resource(), new Codec<>(each.changes(), registry));
      states.put(each.resource(), new Codec<>(each.state(), registry));
    }
    targets = new Codec<>(topics.targetState(), registry);
    members = new Codec<>(topics.targetMembers(), registry);
    listings = new Codec<>(topics.poolListing(), registry);
    letters = new Codec<>(topics.deadLetters(), registry);
    sources = new Codec<>(topics.sourceState(), registry);
    controls = new Codec<>(topics.control(), registry);
    words = new Codec<>(topics.watch(), registry);
  }

  /** Its headers name it, and let a reader skip it without decoding. */
  Draft change(Entry entry, SpecificRecord change) {
    var codec = requireNonNull(changes.get(entry.resource()), entry.resource());
    var life = ((Instant) field(change, "life")).toEpochMilli();
    var id = "%s/%s/%d/%s".formatted(codec.topic(), entry.key(), life, field(change, "revision"));
    return codec.draft(entry.key(), change).with(Map.of("id", id, "facets", Facets.changed(change)));
  }

  /** @param known the state before; null where there was none */
  Draft state(Entry entry, @Nullable SpecificRecord known) {
    var draft = requireNonNull(states.get(entry.resource()), entry.resource()).draft(entry.key(), entry.state());
    return entry.state() == null ? draft.with(farewell(entry, known)) : draft;
  }

  Draft target(TargetState target) {
    return targets.draft(target.getTarget(), target);
  }

  Draft members(TargetMembers page) {
    return members.draft(Store.memberKey(page), page);
  }

  Draft listing(PoolListing listing) {
    return listings.draft(listing.getPool(), listing);
  }

  Draft letter(DeadLetter letter) {
    return letters
        .draft(letter.getTarget(), letter)
        .with(Map.of("reason", Quoted.of(letter.getReason(), LONGEST_HEADER)));
  }

  Draft word(Watch word) {
    return words.draft(word.getKind() + "/" + word.getName(), word);
  }

  Draft source(SourceState source) {
    return sources.draft(source.getSource(), source).with(Map.of(REGISTRY, source.getRegistry()));
  }

  SourceState source(byte[] bytes) {
    return sources.decode(bytes);
  }

  /** The same word to every partition: whoever reads one has heard it. */
  List<Draft> control(Control word, int partitions) {
    var value = controls.encode(word);
    return IntStream.range(0, partitions)
        .mapToObj(partition -> new Draft(controls.topic(), partition, null, value, Map.of()))
        .toList();
  }

  /** Why a state is forgotten, and when the resource was last seen. */
  private static Map<String, String> farewell(Entry entry, @Nullable SpecificRecord known) {
    var headers = new HashMap<String, String>();
    var left = entry.change() == null ? null : (Left) field(entry.change(), "left");
    headers.put("reason", left == null ? "forgotten" : left.getReason());
    if (known != null) {
      headers.put("last-seen", field(known, "observed_at").toString());
    }
    return headers;
  }

  private static Object field(SpecificRecord value, String name) {
    return value.get(value.getSchema().getField(name).pos());
  }
}
