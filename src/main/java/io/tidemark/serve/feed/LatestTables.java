package io.tidemark.serve.feed;

import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicReader.LostRange;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables of the topics whose newest records were requested in the last five minutes, each read by a dedicated
 * thread. A table that cannot be read, or does not fit into memory, is given up; half a minute later, a request begins
 * it anew. Thread-safe.
 */
final class LatestTables implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LatestTables.class);
  private static final long UNUSED_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long AGAIN_SECONDS = 30;

  private final Quarantine quarantine;
  private final FeedLimits limits;
  private final Function<Consumer<LostRange>, TopicReader> readers;
  private final Map<String, LatestTable> tables = new ConcurrentHashMap<>();
  private volatile boolean isClosed;

  LatestTables(Quarantine quarantine, FeedLimits limits, Function<Consumer<LostRange>, TopicReader> readers) {
    this.quarantine = quarantine;
    this.limits = limits;
    this.readers = readers;
  }

  /** Returns the table of a compacted topic, as {@link Feeds#latest} does. */
  CompletableFuture<LatestTable> load(Topic<?> topic) {
    var table = tables.computeIfAbsent(topic.name(), name -> {
      var added = new LatestTable(topic, limits);
      added.noteRequest();
      Thread.ofPlatform().daemon().name("latest-of-" + name).start(() -> run(added));
      return added;
    });
    table.noteRequest();
    return table.loaded;
  }

  private void run(LatestTable table) {
    var name = table.topic.name();
    try (var reader = readers.apply(lost -> {
      throw FeedRefusal.unavailable("records of " + name + " were deleted while they were read; try again later");
    })) {
      read(table, name, reader);
      tables.remove(name, table);
      table.end(FeedRefusal.unavailable(name + " is no longer read; try again"));
    } catch (RuntimeException e) { // requests must not wait for a table that nothing reads
      LOG.warn("newest records of {}: reading failed; a request after {} s begins anew", name, AGAIN_SECONDS, e);
      table.end(e instanceof FeedRefusal refusal
          ? refusal : FeedRefusal.unavailable("reading " + name + " failed; try again later"));
      CompletableFuture.delayedExecutor(AGAIN_SECONDS, TimeUnit.SECONDS).execute(() -> tables.remove(name, table));
    }
  }

  private void read(LatestTable table, String name, TopicReader reader) {
    var offsets = reader.offsets();
    var id = offsets.ids(List.of(name)).get(name);
    if (id == null) {
      throw FeedRefusal.unavailable("topic " + name + " does not exist yet");
    }
    var partitions = offsets.partitions(List.of(name));
    var begins = offsets.earliest(partitions);
    var ends = offsets.latest(partitions);
    table.begin(new FeedOffsets(id, FeedOffsets.list(begins)));
    reader.startOnly(begins, limits.consumer());
    var checkedAt = new long[] {System.nanoTime()};
    reader.follow(record -> {
      quarantine.addOnce(record);
      table.apply(record);
      return !isClosed;
    }, progress -> {
      if (!table.loaded.isDone() && progress.remaining(ends) == 0) {
        table.reached(FeedOffsets.list(ends));
      }
      if (System.nanoTime() - checkedAt[0] > CHECK_NANOS) {
        checkedAt[0] = System.nanoTime();
        table.expire(Instant.now());
        if (!id.equals(offsets.ids(List.of(name)).get(name))) {
          throw FeedRefusal.unavailable("topic " + name + " was deleted or created anew; try again later");
        }
      }
      return !isClosed && !table.isUnused(UNUSED_NANOS);
    });
  }

  /** Makes the threads end. Does not wait for them. */
  @Override
  public void close() {
    isClosed = true;
  }
}
