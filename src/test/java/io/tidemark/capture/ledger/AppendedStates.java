package io.tidemark.capture.ledger;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.TransactionBuffer.LedgerRecords;
import io.tidemark.event.Origin;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Puts changes into a store as a ledger does, but writes nothing to Kafka. */
public final class AppendedStates {

  private static final Map<Topics, LedgerRecords> RECORDS = new ConcurrentHashMap<>();

  private AppendedStates() {}

  public static void append(ResourceStateStore store, Topics topics, ChangeSet changes) {
    new TransactionBuffer(records(topics), store).append(changes);
  }

  public static void append(ResourceStateStore store, Topics topics, ResourceUpdate update) {
    new TransactionBuffer(records(topics), store).append(update, Origin.newBuilder().build());
  }

  private static LedgerRecords records(Topics topics) {
    return RECORDS.computeIfAbsent(topics, any -> new LedgerRecords(any, new BuiltInRegistry(any.all()), Traces.OFF));
  }
}
