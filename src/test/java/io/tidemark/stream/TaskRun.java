package io.tidemark.stream;

import io.tidemark.event.ResourceSections;
import io.tidemark.stream.tick.ResourceStore;
import io.tidemark.stream.tick.TaskOutput;
import java.io.File;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;

/** One part of a task of one partition, its stores in memory, which counts what each call does with them. */
public final class TaskRun<I, O> {

  private final TaskPart<I, O> part;
  private final MockProcessorContext<String, O> context;
  private final List<O> forwarded = new ArrayList<>();
  private Consumer<Record<String, I>> process;
  private final List<CountingStore<?>> stores;
  private long lastOperations;
  private long mostOperations;

  /** Makes the part, and gives its method. */
  public interface TaskPart<I, O> {
    Consumer<Record<String, I>> start(ProcessingContext context, TaskOutput<O> output);
  }

  /** Makes a part that has sections in the records of resources, and gives its method. */
  public interface ResourcePart<I, O> {
    Consumer<Record<String, I>> start(ResourceStore resources, ProcessingContext context, TaskOutput<O> output);
  }

  /** A part behind each of whose records the record of a resource is put, as in a task. */
  public static <I, O> TaskPart<I, O> withResources(ResourcePart<I, O> part) {
    return (context, output) -> {
      var resources = new ResourceStore(context);
      return part.start(resources, context, output).andThen(record -> resources.save());
    };
  }

  /** The records of resources. */
  public static CountingStore<ResourceSections> resources() {
    return new CountingStore<>(
        ResourceStore.NAME, each -> new ResourceSections(new HashMap<>(each.getSections())));
  }

  public TaskRun(TaskPart<I, O> part, int partition, List<CountingStore<?>> stores) {
    this.part = part;
    this.context = new MockProcessorContext<>(new Properties(), new TaskId(0, partition), new File("none"));
    this.stores = stores;
    stores.forEach(context::addStateStore);
    init();
  }

  /** Makes the part again, as after a transaction that was aborted. */
  public void init() {
    process = part.start(context, (topic, record) -> forwarded.add(record.value()));
  }

  /** What it forwards for one record. */
  public List<O> process(String key, I value, Instant at) {
    process.accept(new Record<>(key, value, at.toEpochMilli()));
    lastOperations = stores.stream().mapToLong(CountingStore::operations).sum();
    mostOperations = Math.max(mostOperations, lastOperations);
    var all = Collections.unmodifiableList(new ArrayList<>(forwarded));
    forwarded.clear();
    return all;
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
