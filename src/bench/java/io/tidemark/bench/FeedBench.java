package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.tidemark.change.ChangeSet;
import io.tidemark.feed.FeedLimits;
import io.tidemark.feed.FeedRequest;
import io.tidemark.feed.FeedRequest.TopicRequest;
import io.tidemark.feed.Feeds;
import io.tidemark.feed.StartPosition;
import io.tidemark.http.server.ConnectionLimits;
import io.tidemark.topic.Quarantine;
import io.tidemark.topic.Quarantine.ReaderRole;
import io.tidemark.web.FeedRoutes;
import io.tidemark.web.Health;
import io.tidemark.web.StatusRoutes;
import io.tidemark.web.WebServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/**
 * Changes to readers of a feed, from Kafka to their connections. The limit is a bare Reactor Netty server that writes the
 * same bytes to as many connections. The readers and Kafka are in processes of their own.
 */
final class FeedBench implements BenchPart {
  private static final String TOPIC = "pool.changes";
  private static final String HOST = "127.0.0.1";
  private static final int CHUNK_BYTES = 32 << 10;
  private static final int MORE_CONNECTIONS = 100;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @Override
  public String name() {
    return "feeds";
  }

  @Override
  public String description() {
    return "changes from Kafka to 1,000 readers of a feed, by processor time; limit: a bare Reactor Netty server that"
        + " writes the same bytes";
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
        var routes = new FeedRoutes(List.of(feeds), status, InstantSource.system());
        var server = WebServer.start(
            new WebServer.ListenAddress("bench", HOST, 0, ConnectionLimits.of(readers + MORE_CONNECTIONS)),
            List.of(routes));
        var followers = HttpLoad.start();
        var others = HttpLoad.start()) {
      var changes = changes(source, requireNonNull(producer.get()), LedgerBench.changeSets(1, ledger), ledger::commit);
      var frames = frames(feeds, () -> LedgerBench.write(bare, changes), changes.size());
      try (var plain = PlainServer.start(frames)) {
        HttpLoad.follow(followers, readers, "http://%s:%d/v1/feeds/%s".formatted(HOST, server.port(), TOPIC));
        HttpLoad.follow(others, readers, "http://%s:%d/".formatted(HOST, plain.port()));
        var delivered = (long) changes.size() * readers;
        var ours = new Deliveries(followers, delivered, () -> LedgerBench.write(bare, changes));
        var limit = new Deliveries(others, delivered, plain::send);
        return List.of(new Throughput("feeds, %,d readers".formatted(readers), "events/s", 0,
            Throughput.Clock.PROCESSOR, ours::run, limit::run).measure(settings, progress)
            .ofPlan(BenchResult.PLAN_POOLS));
      }
    }
  }

  private static Feeds feeds(BenchSource source) {
    var quarantine = new Quarantine("main", ReaderRole.FEEDS, source.topics().all(), InstantSource.system());
    return Feeds.start(quarantine, source.topics(), source.registry(), source.client(), FeedLimits.ofHeap());
  }

  /** The changes of pools among the records of one transaction. */
  private static List<ProducerRecord<byte[], byte[]>> changes(BenchSource source, RecordedProducer producer,
      List<ChangeSet> sets, Consumer<List<ChangeSet>> commit) {
    var topic = source.topics().pool().changes().name();
    return producer.recorded(() -> commit.accept(sets)).stream()
        .filter(record -> record.topic().equals(topic)).toList();
  }

  /** What a reader of the feed gets of so many records. */
  private static List<byte[]> frames(Feeds feeds, Runnable write, int records) {
    var request = new FeedRequest(
        List.of(new TopicRequest(TOPIC, Set.of(), null, Set.of(), null, new StartPosition.End())), null, false);
    var frames = new ArrayList<byte[]>();
    try (var reader = feeds.open(request)) {
      reader.begun().join();
      write.run();
      var end = System.nanoTime() + TIMEOUT.toNanos();
      for (var read = 0; read < records;) {
        var out = Unpooled.buffer();
        reader.write(out, CHUNK_BYTES, false);
        var bytes = ByteBufUtil.getBytes(out);
        read += new String(bytes, StandardCharsets.UTF_8).split("event: record", -1).length - 1;
        if (bytes.length > 0) {
          frames.add(bytes);
        } else if (System.nanoTime() > end) {
          throw new IllegalStateException("feeds: %d of %d records were read".formatted(read, records));
        } else {
          Thread.onSpinWait();
        }
      }
    }
    return frames;
  }

  /** Sends the same records again and again, and waits until every reader has them. */
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

  /** A server that writes given bytes to all its connections, in their event loops; nothing copies them. */
  private record PlainServer(DisposableServer server, List<ByteBuf> frames,
      ConcurrentLinkedQueue<Connected> connections)
      implements AutoCloseable {

    static PlainServer start(List<byte[]> frames) {
      var connections = new ConcurrentLinkedQueue<Connected>();
      var server = HttpServer.create().host(HOST).port(0).handle((request, response) -> {
        Sinks.Many<ByteBuf> sink = Sinks.many().unicast().onBackpressureBuffer();
        return response.sse()
            .keepAlive(false)
            .withConnection(connection -> connections.add(new Connected(connection.channel(), sink)))
            .send(sink.asFlux(), chunk -> true);
      }).bindNow();
      var buffers = frames.stream()
          .map(bytes -> Unpooled.unreleasableBuffer(Unpooled.directBuffer(bytes.length).writeBytes(bytes))).toList();
      return new PlainServer(server, buffers, connections);
    }

    int port() {
      return server.port();
    }

    void send() {
      connections.forEach(to -> to.channel().eventLoop().execute(
          () -> frames.forEach(frame -> to.sink().tryEmitNext(frame.duplicate()).orThrow())));
    }

    @Override
    public void close() {
      server.disposeNow(TIMEOUT);
    }
  }

  /** A connection of the plain server. */
  private record Connected(Channel channel, Sinks.Many<ByteBuf> sink) {}
}
