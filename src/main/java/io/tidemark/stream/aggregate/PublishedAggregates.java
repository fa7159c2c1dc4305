package io.tidemark.stream.aggregate;

import io.tidemark.stream.aggregate.GroupStore.GroupKey;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;

/** The newest aggregate of each group, in the store of its rollup: nothing is told twice. */
final class PublishedAggregates {

  private static final String AT = "at";

  private final ProcessorContext<?, ?> context;

  PublishedAggregates(ProcessorContext<?, ?> context) {
    this.context = context;
  }

  /** Gives the aggregate its time, and says whether it differs from the one told before in more than that. */
  boolean replaceIfChanged(GroupKey group, SpecificRecord aggregate, Instant minute) {
    var store = store(group);
    var told = store.get(group.name());
    stamp(aggregate, told == null ? minute : (Instant) told.get(position(told)));
    if (aggregate.equals(told)) {
      return false;
    }
    stamp(aggregate, minute);
    store.put(group.name(), aggregate);
    return true;
  }

  /** There is nothing more to tell of a group; says whether something was told. */
  boolean remove(GroupKey group) {
    return store(group).delete(group.name()) != null;
  }

  private KeyValueStore<String, SpecificRecord> store(GroupKey group) {
    return context.getStateStore(group.aggregate());
  }

  private static void stamp(SpecificRecord aggregate, Instant at) {
    aggregate.put(position(aggregate), at);
  }

  private static int position(SpecificRecord aggregate) {
    return aggregate.getSchema().getField(AT).pos();
  }
}
