package io.tidemark.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.event.PublishedSchema;
import io.tidemark.event.Watch;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Versions of the program side by side, with the built-in registry: each has a registry of its own. */
class SchemaTopicIT {

  static final Map<String, Object> KAFKA = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final Topics TOPICS = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);

  /** The schema of a later version: a field that this one does not have. */
  static final Schema LATER = SchemaBuilder.record("Watch").namespace("io.tidemark.event").fields()
      .requiredString("kind").requiredString("name").optionalString("urgency").endRecord();

  @BeforeAll
  static void createTopics() {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1))
          .ensure(List.of(ClusterTopics.UNPREFIXED.schemas(), TOPICS.watch()));
    }
  }

  @Test
  void valueOfALaterVersion_isReadable_afterItsInstancesAreGone() throws IOException {
    var thisVersion = new BuiltInRegistry(List.of(TOPICS.watch()));
    try (var published = new SchemaTopic(ClusterTopics.UNPREFIXED, () -> KAFKA)) {
      thisVersion.publishIn(published);
      var value = laterVersionWrites("pause", "eth"); // after this version has read the schemas

      assertThat(TOPICS.watch().decoder(thisVersion).value(value))
          .isEqualTo(Watch.newBuilder().setKind("pause").setName("eth").build());
    }
  }

  @Test
  void topicThatIsCreatedAgain_isReadFromItsBeginning() throws IOException {
    var topics = new ClusterTopics(SharedBroker.freshPrefix());
    create(topics);
    var registry = new BuiltInRegistry(List.of(TOPICS.watch()));
    try (var published = new SchemaTopic(topics, () -> KAFKA)) {
      registry.publishIn(published);
      delete(topics);
      create(topics);
      var value = laterVersionWrites(topics, "pause", "eth");
      registry.id("any", SchemaBuilder.record("OnlyHere").fields().requiredString("name").endRecord());
      registry.publishIn(published);

      assertThat(TOPICS.watch().decoder(registry).value(value).getName()).isEqualTo("eth");
    }
    try (var reader = new SchemaTopic(topics, () -> KAFKA)) {
      var schemas = new ArrayList<Schema>();
      reader.readNew(schemas::add);
      assertThat(schemas).as("published again").contains(Watch.getClassSchema(), LATER);
    }
  }

  private static void create(ClusterTopics topics) {
    try (var admin = Admin.create(KAFKA)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topics.schemas()));
    }
  }

  private static void delete(ClusterTopics topics) {
    try (var admin = Admin.create(KAFKA)) {
      AdminCalls.await(admin.deleteTopics(List.of(topics.schemas().name())).all());
      await().until(() -> !AdminCalls.await(admin.listTopics().names()).contains(topics.schemas().name()));
    }
  }

  /** To publish a schema, it reads what others have published. */
  @Test
  void valueOfALaterVersion_isReadable_alsoAfterASchemaIsPublished() throws IOException {
    var value = laterVersionWrites("pause", "base");
    var registry = new BuiltInRegistry(List.of(TOPICS.watch()));
    try (var published = new SchemaTopic(ClusterTopics.UNPREFIXED, () -> KAFKA)) {
      registry.lookUpIn(published);
      registry.id("any", SchemaBuilder.record("OnlyHere").fields().requiredString("name").endRecord());

      assertThat(TOPICS.watch().decoder(registry).value(value).getName()).isEqualTo("base");
    }
  }

  @Test
  void readerOfTopics_findsTheSchema() throws IOException {
    var value = laterVersionWrites("pause", "solana");
    try (var producer = new KafkaProducer<>(KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(TOPICS.watch().name(), "pause/solana".getBytes(UTF_8), value));
    }
    var registry = new BuiltInRegistry(TOPICS.all());
    var kinds = new ArrayList<Object>();
    try (var published = new SchemaTopic(ClusterTopics.UNPREFIXED, () -> KAFKA);
        var reader = new TopicReader(KAFKA, List.of(TOPICS.watch()), registry)) {
      registry.lookUpIn(published);
      reader.readAll(record -> kinds.add(record.value() instanceof Watch watch ? watch.getName() : record));
    }
    assertThat(kinds).containsExactly("solana");
  }

  @Test
  void missingTopic_isSaid_withWhatToDo() {
    var waited = new TimeoutException("Topic tidemark-schemas not present in metadata after 10000 ms.",
        new UnknownTopicOrPartitionException());

    assertThat(new SchemaTopic(ClusterTopics.UNPREFIXED, () -> KAFKA).failure("write", waited))
        .hasMessage("cannot write topic tidemark-schemas: the topic does not exist."
            + " Every instance ('tidemark run') creates it at its start; restart an instance");
  }

  @Test
  void schemaThatNobodyPublished_isUnknown() {
    var registry = new BuiltInRegistry(TOPICS.all());
    try (var published = new SchemaTopic(ClusterTopics.UNPREFIXED, () -> KAFKA)) {
      registry.lookUpIn(published);

      assertThatThrownBy(() -> TOPICS.watch().decoder(registry).value(new byte[] {0, 0, 0, 0, 7, 1}))
          .isInstanceOfSatisfying(UnreadableRecordException.class,
              failure -> assertThat(failure.reason()).isEqualTo(UnreadableReason.UNKNOWN_SCHEMA));
    }
  }

  /** Whoever may write to the topic cannot make an id stand for another schema, nor stop a reader. */
  @Test
  void forgedEntries_areSkipped() throws IOException {
    var id = BuiltInRegistry.idOf(LATER);
    var forged = new PublishedSchema(id, "Watch", "\"string\"");
    var serde = ClusterTopics.UNPREFIXED.schemas().serde(new BuiltInRegistry(List.of()));
    try (var producer = new KafkaProducer<>(KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (var value : List.of(
          serde.encode("any", forged),
          serde.encode("any", new PublishedSchema(id, "Watch", "{ no schema")),
          "garbage".getBytes(UTF_8))) {
        producer.send(new ProducerRecord<>(ClusterTopics.UNPREFIXED.schemas().name(), 0,
            Integer.toString(id).getBytes(UTF_8), value));
      }
    }

    valueOfALaterVersion_isReadable_afterItsInstancesAreGone();
  }

  /** Its registry publishes the schema before the value is there, and is gone when somebody reads. */
  private static byte[] laterVersionWrites(String kind, String name) throws IOException {
    return laterVersionWrites(ClusterTopics.UNPREFIXED, kind, name);
  }

  private static byte[] laterVersionWrites(ClusterTopics topics, String kind, String name) throws IOException {
    var later = new BuiltInRegistry(List.of());
    int id;
    try (var published = new SchemaTopic(topics, () -> KAFKA)) {
      later.publishIn(published);
      id = later.id("any", LATER);
    }
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    var value = new GenericRecordBuilder(LATER).set("kind", kind).set("name", name).set("urgency", "high").build();
    new GenericDatumWriter<>(LATER).write(value, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }
}
