package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.event.Watch;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicReaderIT {

  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final Instant EARLY = Instant.parse("2026-05-05T12:00:00Z");
  static final Instant LATE = EARLY.plusSeconds(60);

  final SchemaRegistry registry = new BuiltInRegistry(List.of());
  final Topic<Watch> topic =
      new Topic<>(SharedBroker.freshPrefix() + "watch", Watch.class, CleanupPolicy.COMPACT, "", "", List.of());
  final List<String> keys = new ArrayList<>();
  TopicReader reader;

  @BeforeEach
  void createTopic() {
    try (var admin = Admin.create(CLIENT)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topic));
    }
    reader = new TopicReader(CLIENT, List.of(topic), registry);
  }

  @AfterEach
  void close() {
    reader.close();
  }

  @Test
  void committedRecords_areReadWhole_openAndAbortedOnesAreNot() throws Exception {
    try (var open = producer(); var closed = producer()) {
      commit(closed, "first", EARLY);
      closed.beginTransaction();
      closed.send(record("aborted", EARLY)).get();
      closed.abortTransaction();
      commit(closed, "second", LATE);
      open.beginTransaction();
      open.send(record("open", LATE)).get();

      reader.readAll(record -> keys.add(record.keyText()));

      open.abortTransaction();
    }
    assertThat(keys).containsExactly("first", "second");
  }

  @Test
  void openTransaction_isWaitedFor_whereARangeIsWanted() throws Exception {
    try (var producer = producer()) {
      producer.beginTransaction();
      producer.send(record("open", EARLY)).get();
      Thread.ofVirtual().start(producer::commitTransaction);

      reader.read(reader.offsets().committed(topic.name(), 0), record -> keys.add(record.keyText()));
    }
    assertThat(keys).containsExactly("open");
  }

  @Test
  void rangeReadWithinARange_isReadWhole() throws Exception {
    commitBoth();
    var all = reader.offsets().committed(topic.name(), 0);

    reader.read(all, outer -> reader.read(all, inner -> keys.add(outer.keyText() + " " + inner.keyText())));

    assertThat(keys).containsExactly("first first", "first second", "second first", "second second");
  }

  @Test
  void unreadableValue_saysWhy_andTombstonesAreTombstones() throws Exception {
    try (var producer = producer()) {
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic.name(), "strange", "{}".getBytes(UTF_8))).get();
      producer.send(new ProducerRecord<>(topic.name(), "tombstone", null)).get();
      commit(producer);
    }
    var records = new ArrayList<CommittedRecord>();
    reader.readAll(records::add);

    assertThat(records).extracting(CommittedRecord::keyText, record -> record.unreadable() == null)
        .containsExactly(tuple("strange", false),
            tuple("tombstone", true));
    assertThat(records.getFirst().unreadable().detail()).contains(topic.name());
    assertThat(records.getFirst().location()).isEqualTo(topic.name() + ", partition 0, offset 0");
  }

  @Test
  void follow_beginsAtItsStart_andEndsWithEnough() throws Exception {
    commitBoth();
    reader.startAt(LATE);

    reader.follow(record -> {
      keys.add(record.keyText());
      return false;
    });

    assertThat(keys).containsExactly("second");
  }

  @Test
  void close_endsFollow() throws Exception {
    reader.startAtEnd();
    var following = Thread.ofVirtual().start(() -> reader.follow(record -> true));

    reader.close();

    assertThat(following.join(Duration.ofMinutes(1))).isTrue();
  }

  @Test
  void followerWithoutRecords_endsWhenItIsClosed() throws Exception {
    var reading = new CompletableFuture<Thread>();
    var follower = new TopicFollower("no records", () -> new TopicReader(CLIENT, List.of(topic), registry), opened -> {
      opened.startAtEnd();
      reading.complete(Thread.currentThread());
      opened.follow(record -> true);
    }, failure -> {});
    follower.start();
    var thread = reading.get();

    follower.close();

    assertThat(thread.isAlive()).isFalse();
  }

  private void commitBoth() throws ExecutionException, InterruptedException {
    try (var producer = producer()) {
      commit(producer, "first", EARLY);
      commit(producer, "second", LATE);
    }
  }

  private void commit(KafkaProducer<String, byte[]> producer, String key, Instant at)
      throws ExecutionException, InterruptedException {
    producer.beginTransaction();
    producer.send(record(key, at)).get();
    commit(producer);
  }

  /** Commits, and waits for the marker: the answer to a commit comes before it. */
  private void commit(KafkaProducer<String, byte[]> producer) {
    producer.commitTransaction();
    reader.offsets().committed(topic.name(), 0);
  }

  private ProducerRecord<String, byte[]> record(String key, Instant at) {
    var value = Watch.newBuilder().setKind("test").setName(key).setText(null).setWho("me").setAt(at).build();
    return new ProducerRecord<>(
        topic.name(), null, at.toEpochMilli(), key, topic.serde(registry).encode(topic.name(), value));
  }

  private static KafkaProducer<String, byte[]> producer() {
    var producer = new KafkaProducer<>(
        Map.of("bootstrap.servers", SharedBroker.bootstrapServers(), "transactional.id", UUID.randomUUID().toString()),
        new StringSerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }
}
