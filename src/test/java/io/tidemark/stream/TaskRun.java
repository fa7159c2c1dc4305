package io.tidemark.stream;

import java.io.File;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;

/** One processor of one partition, its stores in memory, which counts what each call does with them. */
public final class TaskRun<I, O> {

  private final Processor<String, I, String, O> processor;
  private final MockProcessorContext<String, O> context;
  private final List<CountingStore<?>> stores;
  private long lastOperations;
  private long mostOperations;

  public TaskRun(Processor<String, I, String, O> processor, int partition, List<CountingStore<?>> stores) {
    this.processor = processor;
    this.context = new MockProcessorContext<>(new Properties(), new TaskId(0, partition), new File("none"));
    this.stores = stores;
    stores.forEach(context::addStateStore);
    processor.init(context);
  }

  /** Initializes the processor again, as after a transaction that was aborted. */
  public void init() {
    processor.init(context);
  }

  /** What it forwards for one record. */
  public List<O> process(String key, I value, Instant at) {
    processor.process(new Record<>(key, value, at.toEpochMilli()));
    lastOperations = stores.stream().mapToLong(CountingStore::operations).sum();
    mostOperations = Math.max(mostOperations, lastOperations);
    var forwarded = context.forwarded().stream().<O>map(each -> each.record().value()).toList();
    context.resetForwards();
    return forwarded;
  }

  /** The operations on all stores together in the last call. */
  public long lastOperations() {
    return lastOperations;
  }

  /** The most operations on all stores together in one call. */
  public long mostOperations() {
    return mostOperations;
  }
}
