package io.tidemark.serve.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.TargetState;
import io.tidemark.event.Watch;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The status of a source, from records in a real Kafka. */
@Timeout(240)
class StatusReaderIT {

  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");
  static final String CONFIGURED = "/networks/eth/new_pools";
  static final String ADDED = "/networks/eth/pools/0x1";

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  final KafkaProducer<byte[], byte[]> producer =
      new KafkaProducer<>(CLIENT, new ByteArraySerializer(), new ByteArraySerializer());
  StatusReader status;

  @BeforeEach
  void start() {
    AvroSettings.apply();
    try (var admin = Admin.create(CLIENT)) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1))
          .ensure(List.of(topics.sourceState(), topics.targetState(), topics.watch()));
    }
    status = new StatusReader("main", Set.of(CONFIGURED), topics, registry, CLIENT);
  }

  @AfterEach
  void stop() {
    status.close();
    producer.close();
  }

  @Test
  void targetThatWasRemoved_isLeftOut_andComesBackWithItsWatch() throws Exception {
    poll(CONFIGURED, NOW, true);
    poll(ADDED, NOW, true);
    watch("{ pages: 1, weight: 1.0 }");
    await().untilAsserted(() -> assertThat(names()).containsExactlyInAnyOrder(CONFIGURED, ADDED));

    watch(null);
    await().untilAsserted(() -> assertThat(names()).containsExactly(CONFIGURED));

    watch("{ pages: 1, weight: 1.0 }");
    await().untilAsserted(() -> assertThat(names()).containsExactlyInAnyOrder(CONFIGURED, ADDED));
    send(topics.watch(), "target/" + ADDED, null, NOW);
    await().untilAsserted(() -> assertThat(names()).containsExactly(CONFIGURED));
  }

  @Test
  void commands_arePublishedTogether_afterAllHaveBeenRead() throws Exception {
    status.close();
    for (var at = 0; at < 3_000; at++) {
      write(topics.watch(), "target/" + ADDED, command("{ pages: 1, weight: 1.0 }"), NOW);
    }
    producer.flush();
    watch(null);
    status = new StatusReader("main", Set.of(CONFIGURED), topics, registry, CLIENT);

    await().pollInterval(Duration.ofMillis(1)).until(() -> {
      assertThat(status.additions()).as("what was withdrawn long ago").isEmpty();
      return status.isCaughtUp();
    });
  }

  @Test
  void polledAt_isOfTheNewestPoll_changedAtOfTheNewestChange() throws Exception {
    poll(CONFIGURED, NOW, true);
    poll(CONFIGURED, NOW.plusSeconds(100), false);

    await().untilAsserted(() -> assertThat(status.json().path("polled_at").asLong())
        .isEqualTo(NOW.plusSeconds(100).toEpochMilli()));
    assertThat(status.json().path("changed_at").asLong()).isEqualTo(NOW.toEpochMilli());
  }

  private List<String> names() {
    return status.json().path("targets").findValues("target").stream().map(JsonNode::asText).toList();
  }

  private void poll(String target, Instant at, boolean changed) throws Exception {
    send(topics.targetState(), target, TargetState.newBuilder().setTarget(target).setOperation("pool")
        .setObservedAt(at).setAttemptedAt(at).setChanged(changed).build(), at);
  }

  private void watch(@Nullable String text) throws Exception {
    send(topics.watch(), "target/" + ADDED, command(text), NOW);
  }

  private static Watch command(@Nullable String text) {
    return Watch.newBuilder().setKind("target").setName(ADDED).setText(text).setWho("ann").setAt(NOW).build();
  }

  private <V extends SpecificRecord> void send(Topic<V> topic, String key, @Nullable V value, Instant at)
      throws Exception {
    write(topic, key, value, at).get();
  }

  private <V extends SpecificRecord> Future<RecordMetadata> write(
      Topic<V> topic, String key, @Nullable V value, Instant at) {
    var bytes = value == null ? null : topic.serde(registry).encode(topic.name(), value);
    return producer.send(new ProducerRecord<>(
        topic.name(), null, at.toEpochMilli(), key.getBytes(StandardCharsets.UTF_8), bytes));
  }
}
