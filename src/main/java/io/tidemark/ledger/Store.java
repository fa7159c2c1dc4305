package io.tidemark.ledger;

import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.change.States;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest states of a source, kept on this machine's disk as the bytes they have in Kafka and decoded when asked
 * for. The ledger's thread writes; all may read, until it is closed.
 */
public final class Store implements States, AutoCloseable {

  /** What shows a resource is asked for again and again: looks and pages of so many are kept decoded. */
  private static final int TARGETS_AT_HAND = 500;

  private static final int AGENDA_BY_NAME = 0xF0;
  private static final int AGENDA_BY_TIME = 0xF1;

  private final LocalStore local;
  private final Map<String, Shelf<?>> resources = new HashMap<>();
  private final Map<String, Shelf<?>> byTopic = new HashMap<>();
  private final Shelf<TargetState> targets;
  private final Shelf<TargetMembers> members;
  private final Agenda agenda;

  /** In a folder of its own among the system's temporary ones. */
  public Store(Topics topics, Registry registry) {
    this(topics, registry, null);
  }

  /** @param folder where the store makes its own; null for the system's temporary one */
  public Store(Topics topics, Registry registry, @Nullable Path folder) {
    local = LocalStore.make(folder);
    topics.resources().forEach(each -> resources.put(each.resource(), shelf(each.state(), registry, 0)));
    targets = shelf(topics.targetState(), registry, TARGETS_AT_HAND);
    members = shelf(topics.targetMembers(), registry, TARGETS_AT_HAND);
    agenda = new Agenda(local, AGENDA_BY_NAME, AGENDA_BY_TIME);
  }

  @Override
  public @Nullable SpecificRecord find(String resource, String key) {
    return resource(resource).find(key);
  }

  @Override
  public @Nullable TargetState target(String name) {
    return targets.find(name);
  }

  @Override
  public List<TargetMembers> members(String target) {
    var pages = new ArrayList<TargetMembers>();
    var along = members.find(memberKey(target, 0));
    if (along != null) {
      pages.add(along);
    }
    for (var page = members.find(memberKey(target, 1)); page != null;) {
      pages.add(page);
      page = members.find(memberKey(target, page.getPage() + 1));
    }
    return pages;
  }

  /** Takes over all that an outcome says is known now. */
  public void apply(Outcome outcome) {
    outcome.entries().forEach(this::apply);
    targets.put(outcome.target().getTarget(), outcome.target());
    outcome.members().forEach(page -> members.put(memberKey(page), page));
  }

  /** How many states of a resource are known, counted one by one. */
  public int size(String resource) {
    return resource(resource).size();
  }

  /** Visits all states of a resource, each decoded for the visit. */
  public void forEach(String resource, BiConsumer<String, SpecificRecord> visitor) {
    resource(resource).visit(null, Integer.MAX_VALUE, visitor);
  }

  /**
   * Visits some states of a resource, in the order of their keys.
   *
   * @param after the key before the first; null for the very first
   * @return the key of the last; null where there were no more
   */
  @Nullable
  String visit(
      String resource, @Nullable String after, int most, BiConsumer<String, SpecificRecord> visitor) {
    return resource(resource).visit(after, most, visitor);
  }

  /** Shows every target that was ever looked at. */
  public void forEachTarget(Consumer<TargetState> visitor) {
    targets.visit(null, Integer.MAX_VALUE, (name, state) -> visitor.accept(state));
  }

  /** Takes over a record as it is in Kafka, where its topic is one that is kept here. */
  void keep(String topic, @Nullable String key, byte @Nullable [] value) {
    var shelf = byTopic.get(topic);
    if (shelf != null && key != null) {
      shelf.keep(key, value);
    }
  }

  /** Takes over many records as they are in Kafka, before anything is asked for. */
  void fill(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    try (var batch = local.batch()) {
      for (var record : records) {
        var shelf = byTopic.get(record.topic());
        if (shelf != null && record.key() != null) {
          shelf.fill(batch, record.key(), record.value());
        }
      }
      batch.write();
    }
  }

  /** To be called when it holds what Kafka does. */
  void filled() {
    local.filled();
  }

  /** When what is to be looked at without a sweep. */
  Agenda agenda() {
    return agenda;
  }

  @Override
  public void close() {
    local.close();
  }

  static String memberKey(TargetMembers page) {
    return memberKey(page.getTarget(), page.getPage());
  }

  private static String memberKey(String target, int page) {
    return target + "#" + page;
  }

  /** Takes over what became of one resource. */
  public void apply(Entry entry) {
    resource(entry.resource()).put(entry.key(), entry.state());
  }

  private Shelf<?> resource(String name) {
    var shelf = resources.get(name);
    if (shelf == null) {
      throw new IllegalArgumentException("no resource is named '" + name + "'; there are " + resources.keySet());
    }
    return shelf;
  }

  private <V extends SpecificRecord> Shelf<V> shelf(Topic<V> topic, Registry registry, int atHand) {
    var shelf = new Shelf<>(local, byTopic.size() + 1, topic, registry, atHand);
    byTopic.put(topic.name(), shelf);
    return shelf;
  }
}
