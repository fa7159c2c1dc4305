package io.tidemark.notify;

import static io.tidemark.notify.Alerts.NOON;
import static io.tidemark.notify.Alerts.priceMoved;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.tidemark.event.Alert;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.BadRecord;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Failures of Kafka and the registry while alerts are delivered to a local server. */
class DeliveryLoopTest {

  private static final Topics TOPICS = new Topics("test.", Retention.DEFAULT);
  private static final TopicPartition ALERTS = new TopicPartition(TOPICS.alerts().name(), 0);
  private static final AvroSerde<Alert> SERDE = TOPICS.alerts().serde(new BuiltInRegistry(TOPICS.all()));
  private static final Duration SHORT = Duration.ofMillis(1);

  private final List<String> taken = new CopyOnWriteArrayList<>();
  private final AtomicReference<Instant> now = new AtomicReference<>(NOON.plusSeconds(5));
  private final Quarantine quarantine = new Quarantine("main", ReaderRole.RECEIVER, List.of(TOPICS.alerts()), now::get);
  private final List<Integer> answers = new CopyOnWriteArrayList<>();
  private final Map<String, Boolean> taking = new ConcurrentHashMap<>();
  private final AtomicBoolean reading = new AtomicBoolean(true);
  private final AtomicInteger unreadable = new AtomicInteger();
  private final AtomicReference<String> waiting = new AtomicReference<>("");
  private final DeliveryListener listener = new DeliveryListener() {
    @Override
    public void attempted(String receiver, String outcome) {}

    @Override
    public void digested(String receiver, int alerts) {}

    @Override
    public void reported(String receiver, DeliveryState state) {
      taking.put(receiver, state.accepts());
      reading.set(state.reads());
      unreadable.set(state.unreadable());
      waiting.set(state.waiting() + " since " + state.oldest());
    }
  };
  private DisposableServer server;
  private DeliveryLoop delivery;
  private Thread thread;

  @BeforeEach
  void listen() {
    server = HttpServer.create().host("127.0.0.1").port(0)
        .handle((request, response) -> request.receive().aggregate().then(Mono.defer(() -> {
          if (answers.isEmpty()) {
            taken.add(request.requestHeaders().get("webhook-id"));
          }
          return response.status(answers.isEmpty() ? 204 : answers.getFirst()).send();
        })))
        .bindNow();
  }

  @AfterEach
  void stop() throws InterruptedException {
    delivery.stop();
    thread.join();
    server.disposeNow();
    ((Logger) LoggerFactory.getLogger(DeliveryLoop.class)).detachAndStopAllAppenders();
  }

  private void start(Deserializer<Alert> alerts, Duration pause, Supplier<Consumer<byte[], byte[]>> consumers) {
    Receiver receiver = new Receiver("r", new PlainFormat(List.of(), NotificationLinks.NONE),
        URI.create("http://127.0.0.1:" + server.port()), Alerts.ALL, Alerts.LIMIT,
        Duration.ofDays(1), true);
    delivery = new DeliveryLoop(
        receiver, ALERTS.topic(), alerts, quarantine, consumers, listener, Traces.OFF, now::get, pause);
    thread = Thread.ofPlatform().start(delivery);
  }

  /** Assigns the partition with these alerts, from its beginning. */
  private static MockConsumer<byte[], byte[]> holding(MockConsumer<byte[], byte[]> consumer, String... alerts) {
    consumer.updateBeginningOffsets(Map.of(ALERTS, 0L));
    consumer.updateEndOffsets(Map.of(ALERTS, 0L));
    consumer.schedulePollTask(() -> {
      consumer.rebalance(List.of(ALERTS));
      IntStream.range(0, alerts.length).forEach(i -> consumer.addRecord(new ConsumerRecord<>(
          ALERTS.topic(), 0, i, "eth_0xa".getBytes(UTF_8), SERDE.encode(ALERTS.topic(), priceMoved(alerts[i])))));
    });
    return consumer;
  }

  private static MockConsumer<byte[], byte[]> working() {
    return new MockConsumer<>("earliest");
  }

  private static MockConsumer<byte[], byte[]> failingToCommit() {
    return new MockConsumer<>("earliest") {
      @Override
      public synchronized void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
        if (offsets.get(ALERTS).offset() > 0) {
          throw new CommitFailedException();
        }
        super.commitSync(offsets);
      }
    };
  }

  @Test
  void failedCommit_startsANewSessionAtTheCommittedOffset() {
    Queue<MockConsumer<byte[], byte[]>> sessions =
        new ArrayDeque<>(List.of(holding(failingToCommit(), "a"), holding(working(), "a", "b")));
    MockConsumer<byte[], byte[]> first = sessions.element();
    start(SERDE.deserializer(), SHORT, sessions::remove);

    await().until(() -> taken.size() >= 3);
    assertThat(taken).containsExactly("a/fired", "a/fired", "b/fired");
    assertThat(first.closed()).isTrue();
    assertThat(delivery.problem()).contains("CommitFailedException");

    now.updateAndGet(time -> time.plusSeconds(60));
    await().until(() -> delivery.problem() == null);
  }

  /** A token that was revoked, and is valid again. */
  @ParameterizedTest
  @ValueSource(ints = {302, 400, 401, 403, 404, 500})
  void receiverThatRefuses_isAProblem_andGetsAllWhenItRecovers(int status) {
    answers.add(status);
    start(SERDE.deserializer(), SHORT, () -> holding(working(), "a", "b", "c"));

    await().until(() -> {
      now.updateAndGet(time -> time.plusSeconds(10));
      return delivery.problem() != null;
    });
    assertThat(delivery.problem()).contains("has accepted nothing since 2026-11-21T12:", "Last failure: " + status);
    assertThat(taking).containsEntry("r", false);

    answers.clear();
    await().until(() -> {
      now.updateAndGet(time -> time.plusSeconds(10));
      return taken.size() == 3;
    });
    assertThat(taken).contains("a/fired", "b/fired", "c/fired");
    await().until(() -> delivery.problem() == null && taking.get("r"));
  }

  @Test
  void failureOfAReceiverThatGotNothing_isCommitted_untilItRecovers() {
    answers.add(503);
    var consumer = holding(working(), "a");
    start(SERDE.deserializer(), SHORT, () -> consumer);

    await().until(() -> committedProblem(consumer).equals("503"));
    assertThat(consumer.committed(Set.of(ALERTS)).get(ALERTS).offset()).isZero();

    answers.clear();
    await().until(() -> {
      now.updateAndGet(time -> time.plusSeconds(10));
      return committedProblem(consumer).isEmpty() && !taken.isEmpty();
    });
  }

  private static String committedProblem(MockConsumer<byte[], byte[]> consumer) {
    var position = consumer.committed(Set.of(ALERTS)).get(ALERTS);
    return position == null ? "" : Receivers.DeliveryProgress.of(position.metadata()).problem();
  }

  @Test
  void alertThatWasSetAside_isReadAgainByTheNextSession() {
    var consumer = working();
    consumer.updateBeginningOffsets(Map.of(ALERTS, 0L));
    consumer.updateEndOffsets(Map.of(ALERTS, 4L));
    consumer.schedulePollTask(() -> {
      consumer.commitSync(Map.of(ALERTS,
          new OffsetAndMetadata(3, new Receivers.DeliveryProgress("", "500", List.of(1L)).text())));
      consumer.rebalance(List.of(ALERTS));
      for (int i = 0; i < 4; i++) {
        consumer.addRecord(new ConsumerRecord<>(
            ALERTS.topic(), 0, i, "eth_0xa".getBytes(UTF_8), SERDE.encode(ALERTS.topic(), priceMoved("a" + i))));
      }
    });
    start(SERDE.deserializer(), SHORT, () -> consumer);

    await().untilAsserted(() -> assertThat(taken).hasSize(2));
    assertThat(taken).containsExactlyInAnyOrder("a1/fired", "a3/fired");
    await().until(() -> consumer.committed(Set.of(ALERTS)).get(ALERTS).offset() == 4);
    assertThat(Receivers.DeliveryProgress.of(consumer.committed(Set.of(ALERTS)).get(ALERTS).metadata()).aside())
        .isEmpty();
  }

  @Test
  void alertSetAsideThatRetentionDeleted_isLogged() {
    var consumer = working();
    consumer.updateBeginningOffsets(Map.of(ALERTS, 2L));
    consumer.updateEndOffsets(Map.of(ALERTS, 3L));
    consumer.schedulePollTask(() -> {
      consumer.commitSync(Map.of(ALERTS,
          new OffsetAndMetadata(3, new Receivers.DeliveryProgress("", "500", List.of(1L)).text())));
      consumer.rebalance(List.of(ALERTS));
    });
    var lines = logged();
    start(SERDE.deserializer(), SHORT, () -> consumer);

    await().untilAsserted(() -> assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.contains("the alerts at offsets [1] of " + ALERTS + " are lost")));
  }

  @Test
  void groupWithoutOffsets_beginsAtTheEnd_andIsLogged() {
    var consumer = working();
    consumer.updateEndOffsets(Map.of(ALERTS, 5L));
    consumer.schedulePollTask(() -> consumer.rebalance(List.of(ALERTS)));
    var lines = logged();
    start(SERDE.deserializer(), SHORT, () -> consumer);

    await().untilAsserted(() -> assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.contains("the consumer group has no offsets for [" + ALERTS + "]")));
    assertThat(consumer.committed(Set.of(ALERTS)).get(ALERTS).offset()).isEqualTo(5);
  }

  @Test
  void failedNotification_isLoggedAsTheRunbooksSay() throws IOException {
    var runbooks = Files.readString(Path.of(System.getProperty("basedir", "."), "docs/running/runbooks.md"));
    var quotes = Pattern.compile("`notification ID/STATUS ([^`]+)`").matcher(runbooks).results()
        .map(quote -> "notification a/fired " + quote.group(1).replaceAll("\\s+", " ")).toList();
    answers.add(400);
    var lines = logged();
    start(SERDE.deserializer(), SHORT, () -> holding(working(), "a"));

    assertThat(quotes).hasSize(2).allSatisfy(quote -> await().untilAsserted(
        () -> assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
            .anyMatch(line -> line.contains(quote))));
  }

  private static ListAppender<ILoggingEvent> logged() {
    var lines = new ListAppender<ILoggingEvent>();
    lines.list = new CopyOnWriteArrayList<>();
    lines.start();
    ((Logger) LoggerFactory.getLogger(DeliveryLoop.class)).addAppender(lines);
    return lines;
  }

  /** As after the topic was created anew, or restored from an older copy. */
  @Test
  void topicThatEndsBeforeTheCommittedOffset_isReadFromItsBeginning_evenIfAnAlertWasSetAside() {
    var consumer = working();
    consumer.updateBeginningOffsets(Map.of(ALERTS, 0L));
    consumer.updateEndOffsets(Map.of(ALERTS, 2L));
    consumer.schedulePollTask(() -> {
      consumer.commitSync(Map.of(ALERTS,
          new OffsetAndMetadata(5_000, new Receivers.DeliveryProgress("", "500", List.of(4_900L)).text())));
      consumer.rebalance(List.of(ALERTS));
      for (int i = 0; i < 2; i++) {
        consumer.addRecord(new ConsumerRecord<>(
            ALERTS.topic(), 0, i, "eth_0xa".getBytes(UTF_8), SERDE.encode(ALERTS.topic(), priceMoved("a" + i))));
      }
    });
    var lines = logged();
    start(SERDE.deserializer(), SHORT, () -> consumer);

    await().untilAsserted(() -> assertThat(taken).containsExactly("a0/fired", "a1/fired"));
    await().until(() -> consumer.committed(Set.of(ALERTS)).get(ALERTS).offset() == 2);
    assertThat(Receivers.DeliveryProgress.of(consumer.committed(Set.of(ALERTS)).get(ALERTS).metadata()).aside())
        .isEmpty();
    assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.contains(ALERTS + " ends at offset 2, before the committed offset 5000"));
  }

  @Test
  void badRecords_areSkippedAndCounted() {
    var consumer = holding(working(), "a");
    var bad = Stream.of(BadRecord.values()).filter(each -> !each.isInTheKey()).toList(); // receivers read no keys
    consumer.schedulePollTask(() -> {
      var offset = 1;
      for (var each : bad) {
        consumer.addRecord(
            new ConsumerRecord<>(ALERTS.topic(), 0, offset++, each.key(), each.value(TOPICS.alerts())));
      }
      consumer.addRecord(new ConsumerRecord<>(ALERTS.topic(), 0, offset, "eth_0xa".getBytes(UTF_8),
          SERDE.encode(ALERTS.topic(), priceMoved("b"))));
    });
    start(TOPICS.alerts().decoder(new BuiltInRegistry(TOPICS.all())).values(), SHORT, () -> consumer);

    await().until(() -> taken.contains("b/fired"));
    assertThat(quarantine.count(ALERTS.topic())).isEqualTo(bad.size());
    assertThat(delivery.problem()).isNull();
  }

  @Test
  void unreachableRegistry_isRetried() {
    AtomicBoolean away = new AtomicBoolean(true);
    Deserializer<Alert> alerts = (topic, bytes) -> {
      if (away.getAndSet(false)) {
        throw new SchemaRegistryFailure.RegistryUnreachable("no answer", null);
      }
      return SERDE.decode(topic, bytes);
    };
    Queue<MockConsumer<byte[], byte[]>> sessions =
        new ArrayDeque<>(List.of(holding(working(), "a", "b"), holding(working(), "a", "b")));
    start(alerts, SHORT, sessions::remove);

    await().until(() -> taken.size() >= 2);
    assertThat(taken).containsExactly("a/fired", "b/fired");
    assertThat(delivery.problem()).contains("no answer");
  }

  @Test
  void errorOfTheJvm_endsNoThread() {
    AtomicBoolean broken = new AtomicBoolean(true);
    start(SERDE.deserializer(), SHORT, () -> {
      if (broken.getAndSet(false)) {
        throw new NoClassDefFoundError("a library");
      }
      return holding(working(), "a");
    });

    await().until(() -> taken.contains("a/fired"));
    assertThat(delivery.problem()).contains("a library");
  }

  @Test
  void stop_endsThePauseBetweenSessions() throws InterruptedException {
    start(SERDE.deserializer(), Duration.ofHours(1), () -> {
      throw new KafkaException("Kafka is away");
    });
    await().until(() -> delivery.problem() != null);

    delivery.stop();

    assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
  }

  /** A missing right, a wrong login. */
  @Test
  void topicThatCannotBeRead_isReported_untilItIsReadForAMinute() {
    var refused = working();
    refused.setPollException(new TopicAuthorizationException(Set.of(ALERTS.topic())));
    Queue<MockConsumer<byte[], byte[]>> sessions = new ArrayDeque<>(List.of(refused, holding(working(), "a")));
    start(SERDE.deserializer(), SHORT, sessions::remove);

    await().until(() -> taken.contains("a/fired"));
    assertThat(reading).isFalse();
    assertThat(delivery.problem()).contains("TopicAuthorizationException");

    now.updateAndGet(time -> time.plusSeconds(60));
    await().untilTrue(reading);
  }

  @Test
  void unansweredPartition_isReported_whileOthersAreDelivered() {
    var away = new AtomicBoolean();
    var consumer = holding(answeringUnless(away), "a");
    start(SERDE.deserializer(), SHORT, () -> consumer);
    await().until(() -> taken.contains("a/fired"));

    away.set(true);
    now.updateAndGet(time -> time.plusSeconds(30));
    await().until(() -> unreadable.get() == 1);
    assertThat(delivery.problem()).isEqualTo("Kafka does not answer for partitions [0] of test.alerts");
    assertThat(reading).as("the others").isTrue();

    away.set(false);
    now.updateAndGet(time -> time.plusSeconds(30));
    await().until(() -> unreadable.get() == 0 && delivery.problem() == null);
  }

  private static MockConsumer<byte[], byte[]> answeringUnless(AtomicBoolean away) {
    return new MockConsumer<>("earliest") {
      @Override
      public synchronized Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
        if (away.get()) {
          throw new TimeoutException("no leader");
        }
        return super.endOffsets(partitions);
      }
    };
  }

  @Test
  void missingTopic_isReported_untilItIsThere() {
    var consumer = working();
    consumer.updatePartitions(ALERTS.topic(), List.of());
    start(SERDE.deserializer(), SHORT, () -> consumer);

    await().until(() -> {
      now.updateAndGet(time -> time.plusSeconds(30));
      return !reading.get();
    });
    assertThat(delivery.problem())
        .isEqualTo("Kafka does not answer for the topic test.alerts, or the topic does not exist");

    consumer.updatePartitions(ALERTS.topic(), List.of(new PartitionInfo(ALERTS.topic(), 0, null, null, null)));
    await().until(() -> {
      now.updateAndGet(time -> time.plusSeconds(30));
      return reading.get() && delivery.problem() == null;
    });
  }

  @Test
  void alertsThatWait_areReportedWithTheOldest() {
    answers.add(500);
    start(SERDE.deserializer(), SHORT, () -> holding(working(), "a", "b"));

    await().untilAtomic(waiting, equalTo("2 since 2026-11-21T12:00:04Z"));

    answers.clear();
    await().until(() -> {
      now.updateAndGet(time -> time.plusSeconds(10));
      return waiting.get().equals("0 since null");
    });
  }
}
