package io.tidemark.ledger;

import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.change.States;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest states of a source, kept as the bytes they have in Kafka and decoded when asked for. One thread's: the
 * ledger's.
 */
public final class Store implements States {

  private final Map<String, Shelf<?>> resources = new HashMap<>();
  private final Map<String, Shelf<?>> byTopic = new HashMap<>();
  private final Shelf<TargetState> targets;
  private final Shelf<TargetMembers> members;

  public Store(Topics topics, Registry registry) {
    topics.resources().forEach(each -> resources.put(each.resource(), shelf(each.state(), registry)));
    targets = shelf(topics.targetState(), registry);
    members = shelf(topics.targetMembers(), registry);
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
    for (var page = members.find(memberKey(target, 1)); page != null; ) {
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

  /** How many states of a resource are known. */
  public int size(String resource) {
    return resource(resource).size();
  }

  /** Visits all states of a resource, each decoded for the visit. */
  public void forEach(String resource, BiConsumer<String, SpecificRecord> visitor) {
    resource(resource).forEach(visitor);
  }

  /** Shows every target that was ever looked at. */
  public void forEachTarget(Consumer<TargetState> visitor) {
    targets.forEach((name, state) -> visitor.accept(state));
  }

  /** Takes over a record as it is in Kafka, where its topic is one that is kept here. */
  void keep(String topic, @Nullable String key, byte @Nullable [] value) {
    var shelf = byTopic.get(topic);
    if (shelf != null && key != null) {
      shelf.keep(key, value);
    }
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

  private <V extends SpecificRecord> Shelf<V> shelf(Topic<V> topic, Registry registry) {
    var shelf = new Shelf<>(topic, registry);
    byTopic.put(topic.name(), shelf);
    return shelf;
  }
}
