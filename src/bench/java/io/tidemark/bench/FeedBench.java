package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.serve.feed.FeedLimits;
import io.tidemark.serve.feed.Feeds;
import io.tidemark.serve.web.AccessControl;
import io.tidemark.serve.web.FeedRoutes;
import io.tidemark.serve.web.Health;
import io.tidemark.serve.web.StatusRoutes;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The bench part that measures how many events per second a feed sends to its readers, from reading the changes in
 * Kafka to the connections. The readers and Kafka run in separate processes.
 */
final class FeedBench implements BenchPart {
  private static final String TOPIC = "pool.changes";
  private static final String HOST = "127.0.0.1";
  private static final int MORE_CONNECTIONS = 100;

  @Override
  public String name() {
    return "feeds";
  }

  @Override
  public String description() {
    return "changes from Kafka to 1,000 readers of a feed (--readers), by processor time";
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var readers = settings.readers();
    var status = new StatusRoutes(List.of(), () -> new Health(List.of()), InstantSource.system());
    var producer = new AtomicReference<RecordedProducer>();
    try (var source = BenchSource.create(kafka);
        var ledger = source.ledger(config -> {
          producer.set(new RecordedProducer(config));
          return producer.get();
        });
        var bare = requireNonNull(producer.get()).bare();
        var feeds = feeds(source);
        var routes = new FeedRoutes(List.of(feeds), status, AccessControl.open(), InstantSource.system());
        var server = OpenServer.start(HOST, readers + MORE_CONNECTIONS, routes);
        var followers = HttpLoad.start()) {
      var changes = changes(source, requireNonNull(producer.get()), LedgerBench.changeSets(1, ledger), ledger::commit);
      HttpLoad.follow(followers, readers, "http://%s:%d/v1/feeds/%s".formatted(HOST, server.port(), TOPIC));
      var deliveries =
          new Deliveries(followers, (long) changes.size() * readers, () -> LedgerBench.write(bare, changes));
      return List.of(new Throughput("feeds, %,d readers".formatted(readers), "events/s", 0,
          Throughput.Clock.PROCESSOR, deliveries::run, null).measure(settings, progress)
          .ofPlan(BenchResult.PLAN_POOLS));
    }
  }

  private static Feeds feeds(BenchSource source) {
    var quarantine = new Quarantine("main", ReaderRole.FEEDS, source.topics().all(), InstantSource.system());
    return new Feeds(quarantine, source.topics(), source.registry(), source.client(), FeedLimits.ofHeap());
  }

  /** Returns the changes of pools among the records of one transaction. */
  private static List<ProducerRecord<byte[], byte[]>> changes(BenchSource source, RecordedProducer producer,
      List<ChangeSet> sets, Consumer<List<ChangeSet>> commit) {
    var topic = source.topics().pool().changes().name();
    return producer.recorded(() -> commit.accept(sets)).stream()
        .filter(record -> record.topic().equals(topic)).toList();
  }

  /** A repeated delivery of the same records, which waits until every reader has them. */
  private static final class Deliveries {
    private final ChildJvm readers;
    private final long delivered;
    private final Runnable send;
    private long awaited;

    Deliveries(ChildJvm readers, long delivered, Runnable send) {
      this.readers = readers;
      this.delivered = delivered;
      this.send = send;
    }

    long run() {
      awaited += delivered;
      send.run();
      HttpLoad.await(readers, awaited);
      return delivered;
    }
  }
}
