package io.tidemark.stream.rollup;

import io.tidemark.stream.rollup.Groups.Group;
import java.time.Instant;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The newest aggregate of each group, in the store of its rollup: nothing is told twice. */
final class Told {

  private static final String AT = "at";

  private final ProcessorContext<?, ?> context;

  Told(ProcessorContext<?, ?> context) {
    this.context = context;
  }

  /** The aggregate with its time, where it differs from the one told before in more than that. */
  @Nullable SpecificRecord changed(Group group, @Nullable SpecificRecord aggregate, Instant minute) {
    KeyValueStore<String, SpecificRecord> store = context.getStateStore(group.rollup());
    var told = store.get(group.name());
    if (aggregate == null) {
      store.delete(group.name());
      return null;
    }
    stamp(aggregate, told == null ? minute : (Instant) told.get(position(told)));
    if (aggregate.equals(told)) {
      return null;
    }
    stamp(aggregate, minute);
    store.put(group.name(), aggregate);
    return aggregate;
  }

  private static void stamp(SpecificRecord aggregate, Instant at) {
    aggregate.put(position(aggregate), at);
  }

  private static int position(SpecificRecord aggregate) {
    return aggregate.getSchema().getField(AT).pos();
  }
}
