package io.tidemark.stream.aggregate;

import io.tidemark.event.Control;
import io.tidemark.event.GroupUpdate;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.CountingStore;
import io.tidemark.stream.TaskRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.Record;

/** One aggregation without a cluster: changes and ticks in, aggregates out. */
public final class AggregateRun<A extends SpecificRecord> {

  private static final SchemaRegistry REGISTRY = new BuiltInRegistry(List.of());

  private final Aggregation<?, A> aggregation;
  private final CountingStore<A> newest;
  private final List<CountingStore<?>> memberStores = List.of(
      TaskRun.resources(), new CountingStore<byte[]>(Members.WAITING),
      new CountingStore<Long>(Members.TICK));
  private final List<CountingStore<?>> groupStores;
  private final List<Record<String, SpecificRecord>> out = new ArrayList<>();
  private TaskRun<SpecificRecord, GroupUpdate> members;
  private TaskRun<GroupUpdate, SpecificRecord> groups;

  public AggregateRun(Aggregation<?, A> aggregation) {
    this.aggregation = aggregation;
    this.newest = new CountingStore<>(aggregation.name(), copier(aggregation.aggregateType()));
    this.groupStores = List.of(
        new CountingStore<>(Groups.HELD, copier(GroupUpdate.class)), new CountingStore<byte[]>(Groups.GROUPS),
        new CountingStore<Long>(Groups.ACTIVE), new CountingStore<Long>(Groups.PENDING), newest);
    restart();
  }

  /** Values are copied, as in a store of bytes. */
  private static <V extends SpecificRecord> UnaryOperator<V> copier(Class<V> type) {
    var serde = new AvroSerde<>(type, REGISTRY);
    return value -> serde.decode("test", serde.encode("test", value));
  }

  /** A change that is committed at a time. */
  public void change(String key, SpecificRecord change, Instant at) {
    members.process(key, change, at).forEach(update -> groups.process(update.getGroup(), update, at));
  }

  /** Ticks until all that is due by a time is published. */
  public void until(Instant at) {
    control(Control.newBuilder().setAt(at).build());
    control(Control.newBuilder().setAt(at.plusSeconds(1)).build());
  }

  public void control(Control control) {
    change("", control, control.getAt());
  }

  /** Aggregates not read before. */
  public List<A> published() {
    return out().stream().filter(aggregation.aggregateType()::isInstance).map(aggregation.aggregateType()::cast)
        .toList();
  }

  /** All that came out and was not read before, control too. */
  public List<SpecificRecord> out() {
    return read().stream().map(Record::value).toList();
  }

  /** Groups with a tombstone not read before. */
  public List<String> removedGroups() {
    return read().stream().filter(each -> each.value() == null).map(Record::key).toList();
  }

  private List<Record<String, SpecificRecord>> read() {
    var all = new ArrayList<>(out);
    out.clear();
    return all;
  }

  /** The newest aggregate of a group, in the store. */
  public A stored(String group) {
    return newest.get(group);
  }

  /** The task ends, and begins elsewhere with what its changelogs hold; what came out before is forgotten. */
  public void restart() {
    out.clear();
    members = new TaskRun<>(
        TaskRun.withResources((resources, context,
            output) -> new Members(List.of(aggregation), resources, REGISTRY, context, output)::process),
        0, memberStores);
    groups = new TaskRun<>(
        (context, output) -> new Groups(List.of(aggregation), REGISTRY, context, (topic, record) -> {
          out.add(record);
          output.forward(topic, record);
        })::process, 0, groupStores);
  }
}
