package io.tidemark.capture.ledger;

import static io.tidemark.capture.ledger.PoolOutcomes.outcome;
import static io.tidemark.capture.ledger.PoolOutcomes.priced;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.StateRebuild.RebuiltTopic;
import io.tidemark.capture.ledger.StateTopics.LostTopic;
import io.tidemark.capture.ledger.TestSource.Heard;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolState;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.ResourceMemoryCodec;
import io.tidemark.event.SourceState;
import io.tidemark.event.StateTopic;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.LaterMemory;
import io.tidemark.kafka.RecordHeader;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.ConfluentRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A ledger that starts proves that it has all which the last one committed. */
class LedgerInputTest {

  static final int POOLS = 20;

  final TestSource source = new TestSource();

  @Test
  void hangingTransaction_endsTheStartWithAdvice_nextStartSucceeds() {
    try (var foreign = foreignProducer()) {
      commitPools(() -> writeUncommitted(foreign));

      assertThatThrownBy(() -> start(Duration.ofSeconds(1), LedgerListener.NONE))
          .isInstanceOf(LedgerFailure.TimedOut.class)
          .hasMessageContainingAll("source main: ", "topic %spool.state, partition 0".formatted(source.topics.prefix()),
              "producer ", "transactional id foreign-" + source.topics.prefix(),
              "kafka-transactions.sh --bootstrap-server %s abort --topic %spool.state --partition 0 --start-offset "
                  .formatted(TestSource.KAFKA.get("bootstrap.servers"), source.topics.prefix()));

      foreign.abortTransaction();
      assertKnowsAllPools();
    }
  }

  /** The transaction of a killed process stays open until its timeout, or until its successor begins. */
  @Test
  void openTransactionOfTheLastLedger_isEnded() {
    var killed = new KafkaProducer<>(
        source.settings("main").producerConfig(), new ByteArraySerializer(), new ByteArraySerializer());
    try (killed) {
      commitPools(() -> {});
      killed.initTransactions();
      writeUncommitted(killed);

      assertKnowsAllPools();
    }
  }

  @Test
  void foreignTransactionThatEnds_isWaitedFor() {
    try (var foreign = foreignProducer()) {
      commitPools(() -> writeUncommitted(foreign));
      var messages = new ArrayList<String>();

      try (var ledger = start(Duration.ofMinutes(5), new LedgerListener() {
        @Override
        public void waiting(String message) {
          messages.add(message);
          foreign.abortTransaction();
        }
      })) {
        assertThat(ledger.states().size("pool")).isEqualTo(POOLS);
      }
      assertThat(messages).singleElement().asString().contains("waiting until ", "pool.state, partition 0");
    }
  }

  @Test
  void deletedStateTopic_isRefusedByName() {
    commitPools(() -> {});
    admin(admin -> admin.deleteTopics(List.of(poolStates())).all());

    assertRefused("topic %s no longer exists".formatted(poolStates()));
  }

  /** Replaced by an older version, which goes back to the later one. */
  @Test
  void topicOfALaterVersion_isNotMissed_andStaysRecorded() {
    SourceState newest;
    try (var ledger = source.start()) {
      newest = ledger.sourceState();
    }
    var added = StateTopic.newBuilder().setTopic("next.state").setId("of-a-later-version").setBegins(List.of(0L, 0L))
        .setEnds(List.of(7L, 3L)).build();
    write(SourceState.newBuilder(newest)
        .setStateTopics(Stream.concat(newest.getStateTopics().stream(), Stream.of(added)).toList()).build(),
        Map.of(RecordHeader.REGISTRY.wire(), newest.getRegistry()));

    try (var ledger = source.start()) {
      ledger.tick();
    }

    assertThat(source.committed(source.topics.sourceState()).getLast().value().getStateTopics()).last()
        .isEqualTo(added);
  }

  private void write(SourceState state, Map<String, String> headers) {
    var topic = source.topics.sourceState();
    var record = new ProducerRecord<>(topic.name(), state.getSource().getBytes(UTF_8),
        topic.serde(source.registry).encode(topic.name(), state));
    headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    try (var producer = new KafkaProducer<>(TestSource.KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(record);
    }
  }

  @Test
  void recreatedStateTopic_isRefusedByName() {
    commitPools(() -> {});
    admin(admin -> admin.deleteTopics(List.of(poolStates())).all());
    try (var admin = Admin.create(TestSource.KAFKA)) {
      new TopicSetup(admin, TestSource.TWO).ensure(source.topics.all());
    }

    assertRefused("topic %s was deleted and created again".formatted(poolStates()));
  }

  @Test
  void stateTopicWithMorePartitions_isRefusedByName() {
    commitPools(() -> {});
    admin(admin -> admin.createPartitions(Map.of(poolStates(), NewPartitions.increaseTo(3))).all());

    assertRefused("topic %s has 3 partitions; the source left it with 2".formatted(poolStates()));
  }

  @Test
  void emptiedStateTopic_isRefusedByName() {
    commitPools(() -> {});
    var partition = new TopicPartition(poolStates(), 0);
    setCleanupPolicy("delete");
    admin(admin -> admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1))).all());
    setCleanupPolicy("compact");

    assertRefused("topic %s lost records: its partition 0 ".formatted(poolStates()));
  }

  @Test
  void registryThatDoesNotAnswer_losesNoTopic() {
    commitPools(() -> {});
    var silent =
        new ConfluentRegistry(URI.create("http://127.0.0.1:1"), null, HttpClient.newHttpClient(), List.of(),
            Duration.ofSeconds(15), () -> source.now);

    assertThatThrownBy(() -> StateTopics.lost(source.settings("main"), silent))
        .isInstanceOf(SchemaRegistryFailure.RegistryUnreachable.class);
  }

  @Test
  void deletedStateTopic_isRebuiltFromTheChanges() {
    commitPools(() -> {});
    var before = states();
    admin(admin -> admin.deleteTopics(List.of(poolStates())).all());
    assertRefused("topic %s no longer exists".formatted(poolStates()));
    assertThat(StateTopics.lost(source.settings("main"), source.registry))
        .extracting(LostTopic::topic).containsExactly(poolStates());

    var rebuilt = rebuild();

    assertThat(rebuilt).filteredOn(each -> each.topic().equals(poolStates()))
        .containsExactly(new RebuiltTopic(poolStates(), 0, POOLS, 0));
    try (var ledger = source.start()) {
      assertThat(ledger.states().size("pool")).isEqualTo(POOLS);
      before.forEach((id, pool) -> assertSame(pool, (PoolState) ledger.states().find("pool", id)));
      ledger.commit(List.of(outcome(priced(ledger.states(), "eth_0x3", "2"))));
    }
    assertThat(source.committed(source.topics.pool().changes()))
        .extracting(Heard::value).filteredOn(change -> change.getId().equals("eth_0x3"))
        .extracting(PoolChange::getRevision).containsExactly(1L, 2L);
  }

  @Test
  void lostSourceState_isRebuiltWithTheClockOfTheTicks() {
    commitPools(() -> {});
    var name = source.topics.sourceState().name();
    admin(admin -> admin.deleteTopics(List.of(name)).all());

    assertThat(rebuild()).extracting(RebuiltTopic::written).containsOnly(0L);

    try (var ledger = source.start()) {
      assertThat(ledger.states().size("pool")).isEqualTo(POOLS);
      assertThat(ledger.sourceState().getWatchingSince()).isEqualTo(PoolOutcomes.GENERATION);
      assertThat(ledger.tick()).isAfter(source.now);
    }
  }

  /** Each kind in each topic that a ledger restores; the commands are those of CommandAnnouncerIT. */
  @Test
  void recordsThatCannotBeUsed_areSkippedAndKeptAsDeadLetters() {
    commitPools(() -> {});
    var topics = StateTopics.of(source.topics).stream().filter(topic -> !topic.name().endsWith("watch")).toList();
    var values = new ArrayList<byte[]>();
    values.add("garbage".getBytes(UTF_8));
    values.add(ByteBuffer.allocate(9).put((byte) 0).putInt(4711).array());
    values.add(null);
    try (var producer = new KafkaProducer<>(TestSource.KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (var topic : topics) {
        var id = source.registry.id(topic.subject(), topic.schema());
        var key = (topic.name().endsWith("source.state") ? "main" : "eth_0x3").getBytes(UTF_8);
        values.forEach(value -> producer.send(new ProducerRecord<>(topic.name(), key, value)));
        var cutShort = ByteBuffer.allocate(6).put((byte) 0).putInt(id).put((byte) 100).array();
        producer.send(new ProducerRecord<>(topic.name(), key, cutShort));
        producer.send(new ProducerRecord<>(topic.name(), new byte[] {(byte) 0xC3, 0x28}, cutShort));
      }
    }

    try (var ledger = source.start()) {
      assertThat(ledger.states().size("pool")).isEqualTo(POOLS);
      ledger.commit(List.of(outcome(priced(ledger.states(), "eth_0x3", "2"))));
      assertThat(ledger.states().find("pool", "eth_0x3")).extracting("revision").isEqualTo(2L);
    }

    assertThat(source.committed(source.topics.deadLetters())).hasSize(5 * topics.size())
        .extracting(letter -> letter.value().getRecord().getTopic()).containsOnly(
            topics.stream().map(Topic::name).toArray(String[]::new));
    assertThat(source.committed(source.topics.deadLetters()))
        .extracting(letter -> letter.value().getRecord().getReason())
        .containsOnly("no_schema_id", "unknown_schema", "missing_value", "malformed", "bad_key", "missing_header");
  }

  /** A session reads the memories in every tick. */
  @Test
  void stateWithoutAReadableMemory_isSkippedAndKeptAsADeadLetter() {
    commitPools(() -> {});
    var readable = PoolOutcomes.state("eth_0x1", 9, PoolPrice.newBuilder().build());
    var header = Arrays.copyOf(readable.getMemory().array(), 10);
    var unknown = header.clone();
    unknown[9]++;
    for (var memory : List.of(new byte[0], header, unknown)) {
      write(PoolState.newBuilder(readable).setMemory(ByteBuffer.wrap(memory)).build());
    }

    try (var ledger = source.start()) {
      assertThat(ledger.states().size("pool")).isEqualTo(POOLS);
      assertThat(ledger.states().find("pool", "eth_0x1")).extracting("revision").isEqualTo(1L);
      ledger.commit();
    }
    assertThat(source.committed(source.topics.deadLetters()))
        .extracting(letter -> letter.value().getRecord().getReason()).containsOnly("malformed").hasSize(3);
  }

  /** Replaced by an older version, which knows the later schema from the topic of schemas. */
  @Test
  void stateWithTheMemoryOfALaterVersion_isRestored() throws IOException {
    commitPools(() -> {});
    var memory = ResourceMemory.newBuilder().setTargets(List.of(PoolOutcomes.TARGET)).setAbsences(2).build();
    var state = PoolOutcomes.state("eth_0x1", 9, PoolPrice.newBuilder().build());
    write(PoolState.newBuilder(state).setMemory(LaterMemory.write(memory)).build());
    source.registry.addKnown(LaterMemory.SCHEMA);

    try (var ledger = source.start()) {
      var restored = (PoolState) ledger.states().find("pool", "eth_0x1");
      assertThat(restored.getRevision()).isEqualTo(9);
      assertThat(ResourceMemoryCodec.read(restored.getMemory())).isEqualTo(memory);
    }
  }

  private void write(PoolState state) {
    var topic = source.topics.pool().state();
    try (var producer = new KafkaProducer<>(TestSource.KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic.name(), state.getKnown().getId().getBytes(UTF_8),
          topic.serde(source.registry).encode(topic.name(), state)));
    }
  }

  /** The registry was restored from an old backup, say: without its schemas all states would count for nothing. */
  @Test
  void stateWhoseSchemaAnExternalRegistryLacks_isNeverSkipped() throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> respond(exchange, source.registry));
    server.start();
    var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    var registry = new ConfluentRegistry(url, null, HttpClient.newHttpClient(), List.of(),
        Duration.ofSeconds(15), () -> source.now);
    source.start("main", registry, ProducerFactory.KAFKA).close();
    try (var producer = new KafkaProducer<>(TestSource.KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(source.topics.pool().state().name(), "eth_0x3".getBytes(UTF_8),
          ByteBuffer.allocate(9).put((byte) 0).putInt(4711).array())).get();
    }

    for (var waited : List.of(Duration.ZERO, Duration.ofDays(1))) {
      source.now = source.now.plus(waited);
      assertThatThrownBy(() -> source.start("main", registry, ProducerFactory.KAFKA))
          .isInstanceOf(LedgerFailure.TimedOut.class).hasMessageContaining("answered 404");
    }
    server.stop(0);
  }

  /** As an external registry answers that has the schemas of this one, and no id 4711. */
  private static void respond(HttpExchange exchange, BuiltInRegistry schemas) throws IOException {
    var path = exchange.getRequestURI().getPath();
    var json = JsonNodeFactory.instance.objectNode();
    var status = 200;
    if (path.startsWith("/subjects/")) {
      var text = new ObjectMapper().readTree(exchange.getRequestBody()).get("schema").asText();
      json.put("id", schemas.id("", new Schema.Parser().parse(text)));
    } else {
      var schema = schemas.find(Integer.parseInt(path.substring(path.lastIndexOf('/') + 1)));
      if (schema != null) {
        json.put("schema", schema.toString());
      } else {
        status = 404;
        json.put("error_code", 40403).put("message", "Schema not found");
      }
    }
    var bytes = json.toString().getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void sourceThatIsPolled_isNotRebuilt() {
    try (var ledger = source.start()) {
      ledger.tick();
      assertThatThrownBy(() -> StateRebuild.run(source.settings("main"), source.registry, () -> source.now, true))
          .isInstanceOf(LedgerFailure.Refused.class)
          .hasMessageContainingAll("instance instance-1 owns the source", "stop that instance first");
    }
  }

  /** Otherwise the budget and the owner would be forgotten, as with the wrong registry. */
  @Test
  void sourceWhoseStateCannotBeRead_isNotRebuilt() {
    commitPools(() -> {});
    try (var producer = new KafkaProducer<>(TestSource.KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      var unknown = ByteBuffer.allocate(9).put((byte) 0).putInt(4711).array();
      producer.send(new ProducerRecord<>(source.topics.sourceState().name(), "main".getBytes(UTF_8), unknown));
    }

    assertThatThrownBy(this::rebuild)
        .isInstanceOf(LedgerFailure.Refused.class)
        .hasMessageContainingAll("because its newest state cannot be read", "source.state", "If the schema is missing");
  }

  @Test
  void rebuildThatMayNotCreateTopics_namesTheMissingOnes() {
    commitPools(() -> {});
    admin(admin -> admin.deleteTopics(List.of(poolStates())).all());

    assertThatThrownBy(() -> StateRebuild.run(
        source.settings("main"), source.registry, () -> source.now.plusSeconds(60), false))
        .isInstanceOf(LedgerFailure.Refused.class)
        .hasMessageContainingAll("these topics do not exist: " + poolStates() + ".", "tidemark topics");
  }

  @Test
  void lostSourceState_isRefusedByName() {
    commitPools(() -> {});
    var name = source.topics.sourceState().name();
    admin(admin -> admin.deleteTopics(List.of(name)).all());
    try (var admin = Admin.create(TestSource.KAFKA)) {
      new TopicSetup(admin, TestSource.TWO).ensure(source.topics.all());
    }

    assertRefused("topic %s has no record of the source, although ".formatted(name));
  }

  @Test
  void lossOfAllStateTopics_isNotTakenForAFirstStart() {
    commitPools(() -> {});
    admin(admin -> admin.deleteTopics(StateTopics.of(source.topics).stream().<String>map(Topic::name).toList()).all());
    try (var admin = Admin.create(TestSource.KAFKA)) {
      new TopicSetup(admin, TestSource.TWO).ensure(source.topics.all());
    }

    assertRefused("has no record of the source, although the source has written to " + source.topics.control().name());
    assertThat(rebuild()).extracting(RebuiltTopic::written).contains((long) POOLS);
    try (var ledger = source.start()) {
      assertThat(ledger.states().size("pool")).isEqualTo(POOLS);
    }
  }

  @Test
  void sourceStateThatNoLedgerWrote_doesNotStopTheSource() {
    SourceState newest;
    try (var ledger = source.start()) {
      newest = ledger.sourceState();
    }
    var lost = StateTopic.newBuilder().setTopic("pool.state").setId("another").setBegins(List.of(0L, 0L))
        .setEnds(List.of(7L, 3L)).build();
    write(SourceState.newBuilder(newest).setSource("other").build(), Map.of());
    write(SourceState.newBuilder(newest).setStateTopics(List.of(lost)).setClock(source.now.plusSeconds(9_000)).build(),
        Map.of());
    source.now = source.now.plusSeconds(10);

    try (var ledger = source.start()) {
      assertThat(ledger.tick()).isEqualTo(source.now);
      ledger.commit();
    }
    assertThat(source.committed(source.topics.deadLetters()))
        .extracting(letter -> letter.value().getRecord().getReason())
        .containsExactly("missing_header", "missing_header");
  }

  /** It stamped 50 minutes ahead whatever followed: timers, candles and aggregates stood still. */
  @Test
  void foreignRecordOfTheFuture_doesNotSetTheClock() {
    commitPools(() -> {});
    var ahead = source.now.plus(Duration.ofMinutes(50)).toEpochMilli();
    try (var producer = new KafkaProducer<>(TestSource.KAFKA, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (var topic : List.of(source.topics.pool().state(), source.topics.targetState(), source.topics.watch())) {
        producer.send(new ProducerRecord<>(topic.name(), 0, ahead, "eth_0xforeign".getBytes(UTF_8), (byte[]) null));
      }
    }
    source.now = source.now.plusSeconds(10);

    try (var ledger = source.start()) {
      assertThat(ledger.tick()).isEqualTo(source.now);
    }
  }

  /** A clock that is behind that of the last owner is waited for, from the last transaction of any kind. */
  @Test
  void clock_goesOnFromTheLastTransaction() {
    Instant last;
    try (var ledger = source.start()) {
      ledger.tick();
      last = source.now = source.now.plusMillis(700);
      ledger.commit(List.of(outcome(priced(ledger.states(), "eth_0xa", "1"))));
    }
    source.now = source.now.minusSeconds(2);

    try (var ledger = source.start()) {
      assertThat(ledger.tick()).isEqualTo(last.plusMillis(1));
    }
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> start(Duration.ofSeconds(1), LedgerListener.NONE))
        .isInstanceOf(LedgerFailure.Refused.class)
        .hasMessageContainingAll("source main: it cannot continue from a partial state: ", message, "tidemark rebuild");
  }

  private List<RebuiltTopic> rebuild() {
    return StateRebuild.run(source.settings("main"), source.registry, () -> source.now.plusSeconds(60), true);
  }

  private Map<String, PoolState> states() {
    var states = new HashMap<String, PoolState>();
    try (var ledger = source.start()) {
      ledger.states().visit("pool", null, Integer.MAX_VALUE, (id, state) -> states.put(id, (PoolState) state));
    }
    return states;
  }

  private static void assertSame(PoolState before, PoolState rebuilt) {
    assertThat(rebuilt.getKnown()).isEqualTo(before.getKnown());
    assertThat(rebuilt.getGeneration()).isEqualTo(before.getGeneration());
    assertThat(rebuilt.getRevision()).isEqualTo(before.getRevision());
  }

  private static ResourceUpdate keyFrame(ResourceUpdate update) {
    ((PoolChange) update.change()).getOrigin().setKeyFrame(true);
    return update;
  }

  private void assertKnowsAllPools() {
    try (var ledger = source.start()) {
      assertThat(ledger.states().size("pool")).isEqualTo(POOLS);
    }
  }

  private String poolStates() {
    return source.topics.pool().state().name();
  }

  private Ledger start(Duration wait, LedgerListener listener) {
    return TestSource.start(source.settings("main", wait), source.registry, ProducerFactory.KAFKA,
        () -> source.now, listener);
  }

  /** Commits half of the pools, lets something happen, and commits the others. */
  private void commitPools(Runnable meanwhile) {
    try (var ledger = source.start()) {
      commitPools(ledger, 0, POOLS / 2);
      meanwhile.run();
      commitPools(ledger, POOLS / 2, POOLS);
    }
  }

  private static void commitPools(Ledger ledger, int from, int to) {
    ledger.commit(List.of(outcome(IntStream.range(from, to)
        .mapToObj(each -> keyFrame(priced(ledger.states(), "eth_0x" + each, "1")))
        .toArray(ResourceUpdate[]::new))));
    ledger.tick();
  }

  private void setCleanupPolicy(String policy) {
    var topic = new ConfigResource(ConfigResource.Type.TOPIC, poolStates());
    var change = new AlterConfigOp(new ConfigEntry("cleanup.policy", policy), AlterConfigOp.OpType.SET);
    admin(admin -> admin.incrementalAlterConfigs(Map.of(topic, List.of(change))).all());
  }

  private static void admin(Function<Admin, KafkaFuture<Void>> request) {
    try (var admin = Admin.create(TestSource.KAFKA)) {
      AdminCalls.await(request.apply(admin));
    }
  }

  private KafkaProducer<byte[], byte[]> foreignProducer() {
    var config = new HashMap<>(TestSource.KAFKA);
    config.put("transactional.id", "foreign-" + source.topics.prefix());
    config.put("transaction.timeout.ms", 900_000);
    var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private void writeUncommitted(KafkaProducer<byte[], byte[]> producer) {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(poolStates(), 0, "foreign".getBytes(UTF_8), new byte[] {1}));
    producer.flush();
  }
}
