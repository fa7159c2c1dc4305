package io.tidemark.notify;

import static io.tidemark.notify.Alerts.priceMoved;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.event.Alert;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Delivery from a real Kafka to two local receivers, one of them unreachable, over a restart. */
class ReceiversIT {

  private static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());

  private final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  private final SchemaRegistry registry = new BuiltInRegistry(topics.all());
  private final List<String> taken = new CopyOnWriteArrayList<>();
  private final AtomicInteger rejections = new AtomicInteger();
  private DisposableServer server;
  private KafkaProducer<String, Alert> alerts;

  @BeforeEach
  void start() {
    server = HttpServer.create().host("127.0.0.1").port(0)
        .route(routes -> routes.post("/alive", (request, response) -> {
          String id = request.requestHeaders().get("webhook-id");
          return request.receive().aggregate().then(Mono.defer(() -> {
            if (rejections.getAndDecrement() > 0) {
              return response.status(429).header("Retry-After", "0").send();
            }
            taken.add(id);
            return response.status(204).send();
          }));
        }))
        .bindNow();
    try (Admin admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topics.alerts()));
    }
    alerts = new KafkaProducer<>(KAFKA, new StringSerializer(), topics.alerts().serde(registry).serializer());
  }

  @AfterEach
  void stop() {
    alerts.close();
    server.disposeNow();
  }

  private Receivers receivers() {
    var alive = receiver("alive", "http://127.0.0.1:" + server.port() + "/alive");
    var dead = receiver("dead", "http://127.0.0.1:1/nobody");
    return Receivers.start(List.of(dead, alive), topics, registry, KAFKA,
        new Quarantine("main", ReaderRole.RECEIVER, List.of(topics.alerts()), InstantSource.system()),
        Alerts.NO_LISTENER, Traces.OFF);
  }

  private static Receiver receiver(String name, String url) {
    return new Receiver(name, new PlainFormat(List.of(), NotificationLinks.NONE), URI.create(url), Alerts.ALL,
        NotificationLimit.parse("100000 per day"), Duration.ofDays(1), true);
  }

  private void send(int from, int to) {
    IntStream.range(from, to).forEach(i -> {
      Alert alert = priceMoved("alert/" + i);
      alert.setEventTime(Instant.now());
      alerts.send(new ProducerRecord<>(topics.alerts().name(), "eth_0xa", alert));
    });
    alerts.flush();
  }

  private boolean begun(String receiver) throws ExecutionException, InterruptedException {
    try (Admin admin = Admin.create(KAFKA)) {
      return admin.listConsumerGroupOffsets(Receivers.group(receiver, topics)).partitionsToOffsetAndMetadata().get()
          .containsKey(new TopicPartition(topics.alerts().name(), 0));
    }
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "alert/" + i + "/fired").toList();
  }

  @Test
  void waiting_countsTheAlertsOfTheReceiverAndNoTransactionMarkers() {
    var topic = topics.alerts();
    var config = new HashMap<>(KAFKA);
    config.put("transactional.id", topics.prefix() + "alerts");
    try (var producer = new KafkaProducer<>(config, new StringSerializer(), topic.serde(registry).serializer());
        var reader = new TopicReader(KAFKA, List.of(topic), registry)) {
      producer.initTransactions();
      for (var severity : List.of("info", "warning", "critical")) {
        Alert alert = priceMoved("alert/" + severity);
        alert.setSeverity(severity);
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic.name(), "eth_0xa", alert));
        producer.commitTransaction();
      }
      var partition = new TopicPartition(topic.name(), 0);
      var all = receiver("all", "http://127.0.0.1:1/nobody");
      var severe = new Receiver("severe", all.format(), all.url(), new AlertMatcher(Set.of(), "warning", Map.of()),
          all.limit(), all.deliverWithin(), true);

      await().untilAsserted(() -> assertThat(reader.offsets().latest(List.of(partition))) // Kafka ends a commit later
          .containsEntry(partition, 6L));
      assertThat(Receivers.waiting(all, Map.of(partition, 0L), reader)).isEqualTo(3);
      assertThat(Receivers.waiting(severe, Map.of(partition, 0L), reader)).isEqualTo(2);
      assertThat(Receivers.waiting(all, Map.of(partition, 4L), reader)).isEqualTo(1);
      assertThat(Receivers.waiting(all, Map.of(partition, 6L), reader)).isZero();
    }
  }

  @Test
  void newReceiver_getsLaterAlertsInOrder_besideAnUnreachableOne() throws Exception {
    send(0, 3);
    Receivers receivers = receivers();
    await().atMost(Duration.ofMinutes(2)).until(() -> begun("alive") && begun("dead"));
    rejections.set(2);
    send(3, 5);
    send(5, 8);
    await().atMost(Duration.ofMinutes(2)).until(() -> taken.size() >= 5);
    receivers.close();
    send(8, 12);
    Receivers again = receivers();
    await().atMost(Duration.ofMinutes(2)).until(() -> taken.size() >= 9);
    again.close();

    assertThat(taken).containsExactlyElementsOf(Stream.concat(ids(3, 8).stream(), ids(8, 12).stream()).toList());
  }

  @Test
  void alertsThatRetentionDeleted_areLogged_andTheRetainedOnesAreDelivered() throws Exception {
    Receivers receivers = receivers();
    await().atMost(Duration.ofMinutes(2)).until(() -> begun("alive") && begun("dead"));
    receivers.close();
    send(0, 5);
    try (Admin admin = Admin.create(KAFKA)) {
      admin.deleteRecords(Map.of(new TopicPartition(topics.alerts().name(), 0), RecordsToDelete.beforeOffset(3)))
          .all().get();
    }
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    ((Logger) LoggerFactory.getLogger(DeliveryLoop.class)).addAppender(lines);
    Receivers again = receivers();
    await().atMost(Duration.ofMinutes(2)).until(() -> taken.size() >= 2);
    again.close();
    ((Logger) LoggerFactory.getLogger(DeliveryLoop.class)).detachAppender(lines);

    assertThat(taken).containsExactlyElementsOf(ids(3, 5));
    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).contains(
        "receiver alive: the alerts at offsets 0 to 2 of " + topics.alerts().name() + "-0 are lost, because the topic's"
            + " retention deleted them before they were read. The delivery continues at offset 3. To keep alerts longer,"
            + " raise topics.retention.alerts");
  }
}
