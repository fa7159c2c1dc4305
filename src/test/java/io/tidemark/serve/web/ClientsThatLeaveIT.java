package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.feed.FeedLimits;
import io.tidemark.serve.feed.Feeds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Clients that go away, at any time, leave no complaint in the log. */
@Timeout(120)
class ClientsThatLeaveIT {
  static final Duration TIMEOUT = Duration.ofSeconds(50);
  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final int ROUNDS = 20;
  static final int RECORDS = 100;

  /** As many of one address as may catch up at a time. */
  static final int CROWD = 4;

  static final String CATCHING_UP = "/v1/feeds/pool.changes?from=beginning";
  static final List<String> PATHS = List.of(CATCHING_UP, "/v1/feeds/pool.changes?status=true",
      "/v1/feeds?topic=pool.changes&topic=alerts", "/v1/feeds/nothing", "/v1/feeds", "/v1/status");

  final BuiltInRegistry registry = new BuiltInRegistry(List.of());
  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final ListAppender<ILoggingEvent> log = new ListAppender<>();
  final List<Socket> open = new ArrayList<>();
  FeedLimits limits;
  Feeds feeds;
  FeedRoutes routes;
  WebServer server;

  @BeforeEach
  void start() throws Exception {
    AvroSettings.apply();
    try (var admin = Admin.create(CLIENT)) {
      new TopicSetup(admin, new TopicLayout(3, (short) 1))
          .ensure(List.of(topics.pool().changes(), topics.alerts()));
    }
    write();
    limits = FeedLimits.ofHeap();
    feeds = new Feeds(new Quarantine("main", ReaderRole.FEEDS, topics.all(), InstantSource.system()), topics,
        registry, CLIENT, limits);
    var status = new StatusRoutes(List.of(), () -> new Health(List.of()), InstantSource.system());
    routes = new FeedRoutes(List.of(feeds), status, AccessControl.open(), InstantSource.system());
    server = LocalServer.start(List.of(routes, status));
    log.start();
    root().addAppender(log);
  }

  @AfterEach
  void stop() throws IOException {
    for (var each : open) {
      each.close();
    }
    root().detachAppender(log);
    routes.close();
    server.close();
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  }

  /** More than is written ahead of a client that takes nothing. */
  private void write() throws Exception {
    var topic = topics.pool().changes();
    try (var producer = new KafkaProducer<>(CLIENT, new StringSerializer(), new ByteArraySerializer())) {
      for (var i = 0; i < RECORDS; i++) {
        var value = PoolChange.newBuilder().setId("k" + i)
            .setAbout(PoolAbout.newBuilder().setName("x".repeat(100_000)).build()).build();
        producer.send(new ProducerRecord<>(topic.name(), "k" + i, topic.serde(registry).encode(topic.name(), value)))
            .get();
      }
    }
  }

  @Test
  void clientsCutBeforeOrAfterTheirAnswer_leaveNoTraceInTheLog() throws Exception {
    for (var round = 0; round < ROUNDS; round++) {
      for (var path : PATHS) {
        cut(ask(path));
        var client = ask(path);
        assertThat(client.getInputStream().read()).isEqualTo('H');
        cut(client);
      }
    }

    await().atMost(TIMEOUT).until(() -> feeds.readers() == 0 && feeds.catchingUp() == 0);
    assertThat(complaints()).isEmpty();
  }

  @Test
  void clientsCutWhileWaiting_leaveNoTraceInTheLog() throws Exception {
    for (var i = 0; i < CROWD; i++) {
      open.add(ask(CATCHING_UP));
    }
    await().atMost(TIMEOUT).until(() -> feeds.catchingUp() == CROWD);
    var waiting = new ArrayList<Socket>();
    for (var i = 0; i < ROUNDS; i++) {
      waiting.add(ask(CATCHING_UP));
    }
    await().atMost(TIMEOUT).until(() -> feeds.readers() + feeds.refused() >= CROWD + ROUNDS);
    for (var client : waiting) {
      cut(client);
    }

    var refused = ask(CATCHING_UP); // comes after them, so its time is over after theirs
    assertThat(new String(refused.getInputStream().readNBytes(12), UTF_8)).isEqualTo("HTTP/1.1 503");
    refused.close();
    assertThat(complaints()).isEmpty();
  }

  private Socket ask(String path) throws IOException {
    var client = new Socket(InetAddress.getLoopbackAddress(), server.port());
    client.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(UTF_8));
    return client;
  }

  /** Goes away as a program does that is killed. */
  private static void cut(Socket client) throws IOException {
    client.setSoLinger(true, 0);
    client.close();
  }

  private List<String> complaints() {
    return List.copyOf(log.list).stream().filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(event -> event.getLoggerName() + ": " + event.getFormattedMessage()).distinct().toList();
  }
}
