package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.event.Alert;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicOffsets;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.serve.feed.FeedLimits;
import io.tidemark.serve.feed.Feeds;
import io.tidemark.serve.web.Health.HealthPart;
import io.tidemark.serve.web.Health.HealthStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Feeds over HTTP from a real broker: what a reader gets, also over a restart of the server. */
@Timeout(120)
class FeedIT {
  static final Duration TIMEOUT = Duration.ofSeconds(50);
  static final int PARTITIONS = 3;
  static final int MOST_WRITTEN = 500;

  /** Readers that may catch up at a time. */
  static final int CATCH_UPS = 8;

  /** Less than the 30 s after which a reader is cut off that takes nothing. */
  static final Duration BEFORE_STALLED = Duration.ofSeconds(20);

  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final ObjectMapper JSON = new ObjectMapper();
  static final BuiltInRegistry REGISTRY = new BuiltInRegistry(List.of());

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final Topic<PoolChange> topic = topics.pool().changes();
  final Quarantine quarantine =
      new Quarantine("main", ReaderRole.FEEDS, List.of(topic, topics.alerts()), InstantSource.system());
  final AtomicReference<String> problem = new AtomicReference<>("none");
  final StatusRoutes status = new StatusRoutes(List.of(),
      () -> new Health(List.of(new HealthPart("all", HealthStatus.UP, problem.get()))), InstantSource.system());
  final List<Client> clients = new ArrayList<>();
  Admin admin;
  KafkaProducer<String, byte[]> producer;
  FeedLimits limits;
  FeedRoutes routes;
  Feeds feeds;
  WebServer server;

  @BeforeEach
  void start() {
    AvroSettings.apply();
    admin = Admin.create(CLIENT);
    new TopicSetup(admin, new TopicLayout(PARTITIONS, (short) 1)).ensure(List.of(topic, topics.alerts()));
    producer = new KafkaProducer<>(
        Map.of("bootstrap.servers", SharedBroker.bootstrapServers(), "transactional.id", UUID.randomUUID().toString()),
        new StringSerializer(), new ByteArraySerializer());
    producer.initTransactions();
    startServer();
  }

  @AfterEach
  void stop() {
    clients.forEach(Client::close);
    stopServer();
    producer.close();
    admin.close();
  }

  @Test
  void readerThatComesBackAfterARestart_getsEachRecordOnce() throws Exception {
    write(0, 40);
    var first = connect("from=beginning", null);
    await().atMost(TIMEOUT).until(() -> first.names().contains("caught-up"));
    stopServer();
    await().atMost(TIMEOUT).until(first::isClosed);
    assertThat(first.names()).contains("caught-up").endsWith("end");

    write(40, 80);
    startServer();
    var second = connect("", first.idAfter(20));
    var third = connect("from=beginning", null);
    await().atMost(TIMEOUT).until(() -> second.keys().size() >= 60 && third.keys().size() >= 80);
    write(80, 90);
    await().atMost(TIMEOUT).until(() -> second.keys().size() >= 70);

    var all = new ArrayList<>(first.keys().subList(0, 20));
    all.addAll(second.keys());
    assertThat(all).containsExactlyInAnyOrderElementsOf(keys(0, 90));
    await().atMost(TIMEOUT)
        .untilAsserted(() -> assertThat(third.keys()).containsExactlyInAnyOrderElementsOf(keys(0, 90)));
  }

  @Test
  void readerWhoseRecordsAreDeleted_isToldOfTheGap() throws Exception {
    write(0, 30);
    var first = connect("from=beginning", null);
    await().atMost(TIMEOUT).until(() -> first.names().contains("caught-up"));
    var last = first.idAfter(1);
    stopServer();
    admin.deleteRecords(Map.of(new TopicPartition(topic.name(), 0), RecordsToDelete.beforeOffset(-1))).all().get();
    startServer();

    var second = connect("", last);
    await().atMost(TIMEOUT).until(() -> second.names().contains("caught-up"));

    var gap = second.data("gap").getFirst();
    assertThat(gap.path("partition").asInt()).isZero();
    assertThat(gap.path("records").asLong()).isEqualTo(gap.path("to").asLong() - gap.path("from").asLong());
    assertThat(second.data("record")).isNotEmpty().noneMatch(record -> record.path("partition").asInt() == 0);
    assertThat(second.data("gap")).hasSize(1);
  }

  @Test
  void unreadableRecord_isAnEventOfItsOwn_andCounted() throws Exception {
    write(5, 9); // was there before: whoever reads from now on does not get it
    var reader = connect("", null);
    await().atMost(TIMEOUT).until(() -> reader.names().contains("caught-up"));
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic.name(), "bad", "{}".getBytes(UTF_8))).get();
    producer.commitTransaction();
    write(0, 1);
    await().atMost(TIMEOUT).until(() -> !reader.keys().isEmpty());

    assertThat(reader.keys()).containsExactly("k0");
    assertThat(reader.data("unreadable")).singleElement()
        .satisfies(bad -> assertThat(bad.path("unreadable").path("reason").asText()).isNotEmpty());
    assertThat(quarantine.total()).isEqualTo(1);
  }

  @Test
  void severalTopics_areOneStream_thatGoesOnExactly() throws Exception {
    write(0, 10);
    writeAlerts(0, 10);
    var parameters = "topic=pool.changes&topic=alerts&from=beginning";
    var first = follow(parameters, null);
    await().atMost(TIMEOUT).until(() -> first.names().stream().filter("caught-up"::equals).count() == 2);
    assertThat(first.keys()).hasSize(20);

    write(10, 15);
    var second = follow(parameters, first.idAfter(7));
    writeAlerts(10, 15);
    await().atMost(TIMEOUT).until(() -> second.keys().size() >= 23);

    var all = new ArrayList<>(first.keys().subList(0, 7));
    all.addAll(second.keys());
    assertThat(all).hasSize(30).containsAll(keys(0, 15)).contains("a0", "a14").doesNotHaveDuplicates();
    assertThat(feeds.readers()).isEqualTo(2);
  }

  /** One that has gone takes no place from those that come. */
  @Test
  void clientsThatGoAwayWhileTheyCatchUp_makeRoomForOthers() throws Exception {
    write(0, 40, "x".repeat(100_000)); // more than is read ahead of a client that takes nothing
    for (var i = 0; i < 12; i++) {
      try (var gone = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        gone.getOutputStream().write(
            "GET /v1/feeds/pool.changes?from=beginning HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
        if (i % 2 == 0) { // the others go away before they have an answer
          assertThat(gone.getInputStream().read()).isEqualTo('H');
        }
      }
    }

    await().atMost(BEFORE_STALLED).until(() -> feeds.catchingUp() < CATCH_UPS / 2);
    var reader = connect("from=beginning", null);

    await().atMost(TIMEOUT).until(() -> reader.names().contains("caught-up"));
    assertThat(reader.keys()).hasSize(40);
    await().atMost(TIMEOUT).until(() -> feeds.readers() == 1 && feeds.catchingUp() == 0);
  }

  @Test
  void unreadableRecordThatSeveralCatchUpOn_isCountedOnce() throws Exception {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(topic.name(), "bad", "{}".getBytes(UTF_8))).get();
    producer.commitTransaction();

    for (var i = 0; i < 3; i++) {
      var reader = connect("from=beginning", null);
      await().atMost(TIMEOUT).until(() -> reader.names().contains("caught-up"));
      assertThat(reader.data("unreadable")).hasSize(1);
    }

    assertThat(quarantine.total()).isEqualTo(1);
  }

  @Test
  void readerThatWantsTheStatus_getsItAtOnce_andAfterEachChange() {
    var reader = connect("status=true", null);
    await().atMost(TIMEOUT).until(() -> reader.names().containsAll(List.of("status", "caught-up")));
    problem.set("slow");
    await().atMost(TIMEOUT).until(() -> reader.data("status").size() == 2);
    var other = connect("status=true", null);
    var without = connect("status=false", null);
    await().atMost(TIMEOUT).until(() -> other.names().contains("status") && without.names().contains("caught-up"));
    problem.set("slower");
    await().atMost(TIMEOUT).until(() -> other.data("status").size() == 2 && reader.data("status").size() == 3);

    assertThat(reader.data("status").stream().map(each -> each.at("/health/parts/all/message").asText()))
        .containsExactly("none", "slow", "slower");
    assertThat(other.data("status").getFirst().at("/health/parts/all/message").asText()).isEqualTo("slow");
    assertThat(other.data("status").getFirst().path("now").asLong())
        .isGreaterThanOrEqualTo(reader.data("status").get(1).path("now").asLong());
    assertThat(without.names()).doesNotContain("status");
  }

  @Test
  void filters_areThoseOfTheUrl() throws Exception {
    write(0, 10);
    var byKey = connect("from=beginning&key=k3&key=k7", null);
    var byCondition = connect("from=beginning&where=" + URLEncoder.encode("id == 'k5'", UTF_8), null);
    await().atMost(TIMEOUT)
        .until(() -> byKey.names().contains("caught-up") && byCondition.names().contains("caught-up"));

    assertThat(byKey.keys()).containsExactlyInAnyOrder("k3", "k7");
    assertThat(byCondition.keys()).containsExactly("k5");
  }

  @Test
  void readerThatStopsReading_isCutOff_andTheOthersGetEverything() throws Exception {
    try (var slow = new Socket()) {
      slow.setReceiveBufferSize(4_096);
      slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      slow.getOutputStream().write(
          "GET /v1/feeds/pool.changes HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
      var fast = connect("", null);
      await().atMost(TIMEOUT).until(() -> fast.names().contains("caught-up") && feeds.readers() == 2);

      var written = new AtomicInteger();
      while (feeds.tooSlow() == 0 && written.get() < MOST_WRITTEN) {
        write(written.get(), written.addAndGet(20), "x".repeat(100_000));
        await().atMost(TIMEOUT).until(() -> fast.keys().size() >= written.get());
      }

      assertThat(new String(slow.getInputStream().readAllBytes(), UTF_8).contains("\"reason\":\"too slow")).isTrue();
      assertThat(fast.keys()).containsExactlyInAnyOrderElementsOf(keys(0, written.get()));
      assertThat(feeds.readers()).isEqualTo(1);
    }
  }

  /** They do not read: each holds a turn until it is cut off. */
  @Test
  void silentClientsOfOneAddress_leaveTurnsToOthers() throws Exception {
    write(0, 40, "x".repeat(50_000));
    var silent = new ArrayList<Socket>();
    for (var i = 0; i < 2 * CATCH_UPS; i++) {
      silent.add(request("127.0.0.1", "/v1/feeds/pool.changes?from=beginning", 4_096));
    }
    await().atMost(TIMEOUT).until(() -> feeds.catchingUp() >= CATCH_UPS / 2);

    try (var other = request("127.0.0.2", "/v1/feeds/pool.changes?from=beginning", 1 << 20)) {
      assertThat(readUntil(other, "event: caught-up")).contains("HTTP/1.1 200 OK", "\"key\":\"k39\"");
      assertThat(feeds.catchingUp()).as("half of the turns, and the other one").isLessThanOrEqualTo(CATCH_UPS / 2 + 1);
    }
    for (var socket : silent) {
      socket.close();
    }
  }

  /** Its condition is just below the budget of one record. */
  @Test
  void clientWithSlowConditions_isCutOff_othersGetEverything() throws Exception {
    var loop = IntStream.range(0, 13).boxed().toList();
    var costly = connect("where=" + URLEncoder.encode(
        loop + ".exists(a, " + loop + ".exists(b, " + loop + ".exists(c, a + b + c == 99)))", UTF_8), null);
    var cheap = connect("where=" + URLEncoder.encode("about.name == \"name\"", UTF_8), null);
    await().atMost(TIMEOUT).until(() -> feeds.readers() == 2 && cheap.names().contains("caught-up"));

    var written = new AtomicInteger();
    var until = System.nanoTime() + TIMEOUT.toNanos();
    while (!costly.names().contains("end") && System.nanoTime() < until) { // it earns time while records are written
      write(written.get(), written.addAndGet(100));
      await().atMost(TIMEOUT).until(() -> cheap.keys().size() > written.get() - 2_000);
    }

    assertThat(costly.data("end").toString()).contains("where: this client's conditions");
    await().atMost(TIMEOUT).until(() -> cheap.keys().size() >= written.get());
  }

  @Test
  void stream_hasSeveralSubscriptions_withTheirFilters() throws Exception {
    write(0, 10);
    writeAlerts(0, 3);
    try (var client = new StreamClient(server.port(), "/v1/stream")) {
      var some = client.subscribe("pool.changes", "from", "beginning", "where", "id == 'k3' || id == 'k12'");
      var one = client.subscribe(topic.name(), "key", "k12");
      var alerts = client.subscribe("alerts", "from", "beginning");
      var created = client.subscribe("new-pools", "from", "beginning", "where.pool.changes", "id != ''");
      await().atMost(TIMEOUT).until(() -> Stream.of(some, one, alerts, created)
          .allMatch(each -> client.of(each, "caught-up").size() == 1));
      write(10, 20, "a\u2028b\u0085");
      await().atMost(TIMEOUT).until(() -> client.keys(some).size() == 2 && client.keys(one).size() == 1);
      client.send("unsubscribe", some);
      client.await(each -> each.path("message").asText().equals("Unsubscription is successful"));
      write(10, 20);
      await().atMost(TIMEOUT).until(() -> client.keys(one).size() == 2);

      assertThat(client.messages.get(0).path("code").asInt()).isEqualTo(3_000);
      assertThat(client.messages.get(1).path("type").asText()).isEqualTo("welcome");
      assertThat(client.keys(some)).containsExactly("k3", "k12");
      assertThat(client.keys(one)).containsExactly("k12", "k12");
      assertThat(client.keys(alerts)).containsExactlyInAnyOrder("a0", "a1", "a2");
      assertThat(client.keys(created)).isEmpty();
      assertThat(feeds.readers()).isEqualTo(3);
      client.socket.abort();
    }
    await().atMost(TIMEOUT).until(() -> feeds.readers() == 0);
  }

  @Test
  void streamThatGoesOnAfterARestart_getsEachRecordOnce() throws Exception {
    write(0, 40);
    var all = new ArrayList<String>();
    String last;
    try (var client = new StreamClient(server.port(), "/v1/stream")) {
      var first = client.subscribe("pool.changes", "from", "beginning");
      await().atMost(TIMEOUT).until(() -> client.of(first, "caught-up").size() == 1);
      var read = client.of(first, "record").subList(0, 25);
      all.addAll(client.keys(first).subList(0, 25));
      last = read.getLast().path("id").asText();
      stopServer();
      assertThat(client.await(each -> each.at("/message/event").asText().equals("end")).toString())
          .contains("shutdown");
      await().atMost(TIMEOUT).untilAsserted(() -> assertThat(client.closedWith).isEqualTo(1_001));
    }
    write(40, 60);
    startServer();
    try (var client = new StreamClient(server.port(), "/v1/stream")) {
      var second = client.subscribe("pool.changes", "last-event-id", last);
      await().atMost(TIMEOUT).until(() -> client.of(second, "caught-up").size() == 1);
      write(60, 70);
      await().atMost(TIMEOUT).until(() -> client.keys(second).size() >= 45);
      all.addAll(client.keys(second));
    }
    assertThat(all).containsExactlyInAnyOrderElementsOf(keys(0, 70));
  }

  @Test
  void wrongCommandsOfAStream_areAnswered_andClosedInTheEnd() {
    try (var client = new StreamClient(server.port(), "/v1/stream")) {
      for (var wrong : List.of("nonsense", "[]", "{}", "{\"command\":\"subscribe\",\"identifier\":\"x\"}",
          "{\"command\":\"subscribe\",\"identifier\":\"{}\"}")) {
        client.send(wrong);
      }
      for (var wrong : List.of(StreamClient.identifier("nothing"), StreamClient.identifier("OnchainTrade"),
          StreamClient.identifier("pool.changes", "wher", "x"), StreamClient.identifier("pool.changes", "where", "x y"),
          StreamClient.identifier("pool.changes", "status", "true"), "{\"channel\":\"new-pools\",\"where\":[]}",
          StreamClient.identifier("pool.changes", "source", "unknown"))) {
        client.send("subscribe", wrong);
        assertThat(client.await(each -> each.path("identifier").asText().equals(wrong)).path("type").asText())
            .as(wrong).isEqualTo("reject_subscription");
      }
      assertThat(client.messages.stream().skip(2).map(each -> each.path("code").asInt()))
          .containsExactly(400, 400, 400, 400, 400, 404, 404, 400, 400, 400, 400, 404);
      client.subscribe("pool.changes");
      for (var i = 0; i < 20; i++) {
        client.send("unsubscribe", StreamClient.identifier("pool.changes", "key", "k"));
      }
      await().atMost(TIMEOUT).until(() -> client.closedWith == 1_008);
      assertThat(client.messages.stream().filter(each -> each.path("type").asText().equals("error"))).hasSize(25);
    }
    await().atMost(TIMEOUT).until(() -> feeds.readers() == 0);
  }

  @Test
  void stream_hasLimits_andPings() throws Exception {
    try (var client = new StreamClient(server.port(), "/v1/stream")) {
      for (var i = 0; i < 40; i++) {
        client.subscribe("pool.changes", "key", "k" + i);
      }
      client.send("subscribe", StreamClient.identifier("pool.changes"));
      assertThat(client.await(each -> each.path("type").asText().equals("reject_subscription")).path("code").asInt())
          .isEqualTo(429);
      write(0, 50);
      await().atMost(TIMEOUT).until(() -> IntStream.range(0, 40).allMatch(
          i -> client.keys(StreamClient.identifier("pool.changes", "key", "k" + i)).equals(List.of("k" + i))));
      await().atMost(TIMEOUT).until(() -> client.pings.size() >= 2);
      client.socket.sendText("x".repeat(70_000), true);
      await().atMost(TIMEOUT).until(() -> feeds.readers() == 0);
    }
  }

  @Test
  void clientOfAStreamThatStopsReading_isCutOff() throws Exception {
    try (var slow = new Socket(); var fast = new StreamClient(server.port(), "/v1/stream")) {
      slow.setReceiveBufferSize(4_096);
      openStream(slow, server.port());
      slow.getOutputStream().write(masked("{\"command\":\"subscribe\",\"identifier\":"
          + "\"{\\\"channel\\\":\\\"pool.changes\\\"}\"}"));
      assertThat(readUntil(slow, "confirm_subscription")).isNotEmpty();
      var other = fast.subscribe("pool.changes");

      var written = new AtomicInteger();
      while (feeds.tooSlow() == 0 && written.get() < MOST_WRITTEN) {
        write(written.get(), written.addAndGet(20), "x".repeat(100_000));
        await().atMost(TIMEOUT).until(() -> fast.keys(other).size() >= written.get());
      }

      assertThat(readUntil(slow, "\"reason\":\"too slow")).contains("\"reason\":\"too slow");
      assertThat(fast.keys(other)).containsExactlyInAnyOrderElementsOf(keys(0, written.get()));
      await().atMost(TIMEOUT).until(() -> feeds.readers() == 1);
    }
  }

  @Test
  void clientOfAStreamThatAnswersNoPing_isClosed_othersAreNot() throws Exception {
    try (var pinging = startServer(AccessControl.open(), Duration.ofMillis(300));
        var answering = new StreamClient(pinging.port(), "/v1/stream"); var silent = new Socket()) {
      openStream(silent, pinging.port());

      var read = readUntil(silent, "no answer to pings");
      assertThat(read).contains("no answer to pings");
      assertThat(read.split("\"ping\"", -1)).hasSizeBetween(9, 12);
      await().atMost(TIMEOUT).until(() -> answering.pings.size() > 12); // one without answers gets ten
      assertThat(answering.closedWith).isZero();
    }
  }

  @Test
  void streamWithMoreCommandsThanItsKeyMaySend_isRefused_untilItMayAgain() {
    var now = new AtomicReference<>(Instant.parse("2026-03-10T12:00:00Z"));
    var access = new AccessControl(AccessControlTest.keys(2, AccessControlTest.SECRET), now::get);
    try (var limited = startServer(access, StreamRoutes.PING_INTERVAL); var client = new StreamClient(limited.port(),
        "/v1/stream", "Authorization", "Bearer " + AccessControlTest.READER)) {
      client.subscribe("pool.changes", "key", "k0");
      client.subscribe("pool.changes", "key", "k1");
      client.send("subscribe", StreamClient.identifier("pool.changes"));
      var refusal = client.await(each -> each.path("type").asText().equals("reject_subscription"));

      assertThat(refusal.path("code").asInt()).isEqualTo(429);
      assertThat(refusal.path("message").asText()).startsWith("too many commands");
      assertThat(feeds.readers()).isEqualTo(2);
      now.updateAndGet(before -> before.plusSeconds(60));
      client.subscribe("pool.changes");
    }
  }

  private static void openStream(Socket socket, int port) throws IOException {
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.getOutputStream().write(String.join("\r\n", "GET /v1/stream HTTP/1.1", "Host: x", "Connection: Upgrade",
        "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "")
        .getBytes(UTF_8));
    assertThat(readUntil(socket, "\"welcome\"")).contains("HTTP/1.1 101");
  }

  /** A text frame of up to 125 bytes with a mask of zeros. */
  private static byte[] masked(String text) {
    var bytes = text.getBytes(UTF_8);
    return ByteBuffer.allocate(bytes.length + 6).put((byte) 0x81).put((byte) (0x80 | bytes.length)).putInt(0).put(bytes)
        .array();
  }

  private Socket request(String from, String path, int buffer) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(buffer);
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(UTF_8));
    return socket;
  }

  private static String readUntil(Socket socket, String text) throws IOException {
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    var read = new StringBuilder();
    var buffer = new byte[8_192];
    for (var count = socket.getInputStream().read(buffer); count > 0; count = socket.getInputStream().read(buffer)) {
      read.append(new String(buffer, 0, count, UTF_8));
      if (read.indexOf(text) >= 0) {
        break;
      }
    }
    return read.toString();
  }

  private void startServer() {
    limits = FeedLimits.ofHeap();
    feeds = new Feeds(quarantine, topics, REGISTRY, CLIENT, limits);
    routes = new FeedRoutes(List.of(feeds), status, AccessControl.open(), InstantSource.system());
    server = startServer(AccessControl.open(), StreamRoutes.PING_INTERVAL);
  }

  private WebServer startServer(AccessControl access, Duration pingInterval) {
    return LocalServer.start(List.of(routes, new StreamRoutes(routes, access, InstantSource.system(), pingInterval)));
  }

  private void stopServer() {
    routes.close();
    server.close();
    assertThat(limits.bytes()).isZero();
  }

  private void write(int begin, int end) {
    write(begin, end, "name");
  }

  private void write(int begin, int end, String name) {
    producer.beginTransaction();
    for (var i = begin; i < end; i++) {
      var value = PoolChange.newBuilder().setId("k" + i)
          .setAbout(PoolAbout.newBuilder().setName(name).build()).build();
      producer.send(new ProducerRecord<>(
          topic.name(), i % PARTITIONS, "k" + i, topic.serde(REGISTRY).encode(topic.name(), value)));
    }
    producer.commitTransaction();
    awaitMarkers(topic);
  }

  private void writeAlerts(int begin, int end) throws ExecutionException, InterruptedException {
    producer.beginTransaction();
    for (var i = begin; i < end; i++) {
      producer.send(new ProducerRecord<>(topics.alerts().name(), i % PARTITIONS, "a" + i,
          topics.alerts().serde(REGISTRY).encode(topics.alerts().name(), Alert.newBuilder().build()))).get();
    }
    producer.commitTransaction();
    awaitMarkers(topics.alerts());
  }

  /** Waits until all that was committed is readable in each partition. */
  private void awaitMarkers(Topic<?> written) {
    IntStream.range(0, PARTITIONS).forEach(each -> new TopicOffsets(admin).committed(written.name(), each));
  }

  private static List<String> keys(int begin, int end) {
    return IntStream.range(begin, end).mapToObj(i -> "k" + i).toList();
  }

  private Client connect(String parameters, @Nullable String lastEvent) {
    return open("/v1/feeds/pool.changes?" + parameters, lastEvent);
  }

  private Client follow(String parameters, @Nullable String lastEvent) {
    return open("/v1/feeds?" + parameters, lastEvent);
  }

  private Client open(String path, @Nullable String lastEvent) {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    if (lastEvent != null) {
      request.header("Last-Event-ID", lastEvent);
    }
    var client = new Client(request.build());
    clients.add(client);
    return client;
  }

  private record Event(@Nullable String id, String name, JsonNode data) {}

  /** A client of Server-Sent Events, in a thread of its own. */
  private static final class Client {

    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private final Thread thread;

    Client(HttpRequest request) {
      thread = Thread.ofVirtual().start(() -> read(request));
    }

    private void read(HttpRequest request) {
      try (var lines = new BufferedReader(
          new InputStreamReader(http.send(request, BodyHandlers.ofInputStream()).body(), UTF_8))) {
        String id = null;
        var name = "";
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("id: ")) {
            id = line.substring(4);
          } else if (line.startsWith("event: ")) {
            name = line.substring(7);
          } else if (line.startsWith("data: ")) {
            events.add(new Event(id, name, JSON.readTree(line.substring(6))));
          }
        }
      } catch (IOException e) {
        if (events.stream().noneMatch(event -> event.name().equals("end"))) {
          throw new UncheckedIOException(e);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    List<String> names() {
      return events.stream().map(Event::name).toList();
    }

    List<JsonNode> data(String name) {
      return events.stream().filter(event -> event.name().equals(name)).map(Event::data).toList();
    }

    List<String> keys() {
      return data("record").stream().map(record -> record.path("key").asText()).toList();
    }

    /** The id of the last of the first so many records. */
    @Nullable
    String idAfter(int records) {
      return events.stream().filter(event -> event.name().equals("record")).skip(records - 1L).findFirst()
          .map(Event::id).orElseThrow();
    }

    boolean isClosed() {
      return !thread.isAlive();
    }

    void close() {
      http.shutdownNow();
    }
  }
}
