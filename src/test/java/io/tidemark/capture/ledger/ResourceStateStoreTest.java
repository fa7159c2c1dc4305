package io.tidemark.capture.ledger;

import static io.tidemark.capture.ledger.PoolOutcomes.outcome;
import static io.tidemark.capture.ledger.PoolOutcomes.priced;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.PoolState;
import io.tidemark.event.TargetMembers;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class ResourceStateStoreTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);

  final ResourceStateStore store = new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), null);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void changes_areKnown() {
    var entry = priced(store, "a", "1");

    AppendedStates.append(store, TOPICS, outcome(entry));

    assertThat(store.find("pool", "a")).isEqualTo(entry.state());
    assertThat(store.targetState(PoolOutcomes.TARGET)).isEqualTo(PoolOutcomes.target(1));
  }

  @Test
  void evictedResource_isNotKnown() {
    AppendedStates.append(store, TOPICS, outcome(priced(store, "a", "1")));

    AppendedStates.append(store, TOPICS, outcome(new ResourceUpdate("pool", "a", null, null)));

    assertThat(store.find("pool", "a")).isNull();
    assertThat(store.size("pool")).isZero();
  }

  @Test
  void membersOfElevenPages_areInTheirOrder() {
    var pages =
        IntStream.rangeClosed(1, 11).mapToObj(page -> new TargetMembers("x", page, List.of("p" + page), null)).toList();

    AppendedStates.append(store, TOPICS, new ChangeSet(PoolOutcomes.target(1), pages, List.of(), List.of(), List.of()));

    assertThat(store.members("x")).isEqualTo(pages);
    assertThat(store.members("y")).isEmpty();
  }

  @Test
  void allStates_areVisited() {
    var a = priced(store, "a", "1");
    var b = priced(store, "b", "2");
    AppendedStates.append(store, TOPICS, outcome(a, b));
    var visited = new HashMap<String, SpecificRecord>();

    store.visit("pool", null, Integer.MAX_VALUE, visited::put);

    assertThat(visited).isEqualTo(Map.of("a", a.state(), "b", b.state()));
  }

  @Test
  void states_areVisitedAFewAtATime() {
    AppendedStates.append(store, TOPICS,
        outcome(priced(store, "a", "1"), priced(store, "b", "1"), priced(store, "b\0", "1")));
    var visited = new ArrayList<String>();

    var next = store.visit("pool", null, 2, (key, state) -> visited.add(key));
    assertThat(next).isNotNull();
    assertThat(visited).hasSize(2);
    var end = store.visit("pool", next, 2, (key, state) -> visited.add(key));

    assertThat(visited).containsExactlyInAnyOrder("a", "b", "b\0");
    assertThat(end).isNull();
  }

  @Test
  void sameKeyOfTwoResources_isTwo() {
    AppendedStates.append(store, TOPICS, outcome(priced(store, "a", "1")));

    assertThat(store.find("token", "a")).isNull();
    assertThat(store.size("token")).isZero();
  }

  @Test
  void targetPolledAgain_isKnownAsItIsNow() {
    AppendedStates.append(store, TOPICS, outcome());
    store.targetState(PoolOutcomes.TARGET);

    AppendedStates.append(store, TOPICS,
        new ChangeSet(PoolOutcomes.target(2), List.of(), List.of(), List.of(), List.of()));

    assertThat(store.targetState(PoolOutcomes.TARGET).getSnapshot()).isEqualTo(2);
  }

  @Test
  void filledFromKafka_theNewestOfAKeyIsKnown() {
    var topic = TOPICS.pool().state();
    var serde = topic.serde(new BuiltInRegistry(TOPICS.all()));
    var one = serde.encode(topic.name(), (PoolState) priced(store, "a", "1").state());
    var two = (PoolState) priced(store, "a", "2").state();

    store.putAllEncoded(
        List.of(record("a", one), record("b", one), record("a", serde.encode(topic.name(), two)), record("b", null)));

    assertThat(store.find("pool", "a")).isEqualTo(two);
    assertThat(store.find("pool", "b")).isNull();
  }

  @Test
  void closedStore_saysSoAndLeavesNothingBehind(@TempDir Path folder) {
    var closing = new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), folder);
    AppendedStates.append(closing, TOPICS, outcome(priced(closing, "a", "1")));
    assertThat(folder).isNotEmptyDirectory();

    closing.close();

    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> closing.find("pool", "a")).hasMessageContaining("closed");
  }

  @Test
  void whatAKilledProcessLeft_isDeleted(@TempDir Path folder) throws RocksDBException {
    RocksDB.loadLibrary();
    try (var options = new Options().setCreateIfMissing(true);
        var killed = RocksDB.open(options, folder.resolve("known-1234").toString())) {
      killed.put("\1a".getBytes(UTF_8), new byte[1]);
    }

    try (var next = new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), folder)) {
      assertThat(folder.resolve("known-1234")).doesNotExist();
      assertThat(next.size("pool")).isZero();
    }
  }

  @Test
  void severalInOneFolder_areApart(@TempDir Path folder) {
    try (var first = new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), folder)) {
      AppendedStates.append(first, TOPICS, outcome(priced(first, "a", "1")));

      try (var second = new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), folder)) {
        assertThat(second.find("pool", "a")).isNull();
      }
      assertThat(first.find("pool", "a")).isNotNull();
    }
  }

  @Test
  void folderThatIsNone_isNamedWithTheWayOut(@TempDir Path folder) throws IOException {
    var file = Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> new ResourceStateStore(TOPICS, new BuiltInRegistry(TOPICS.all()), file))
        .isInstanceOf(LedgerFailure.class)
        .hasMessageContaining("local store in " + file)
        .hasMessageContaining("local-store");
  }

  private static ConsumerRecord<byte[], byte[]> record(String key, byte[] value) {
    return new ConsumerRecord<>(TOPICS.pool().state().name(), 0, 0, key.getBytes(UTF_8), value);
  }

  @Test
  void unknownResource_isNamed() {
    assertThatThrownBy(() -> store.find("pond", "a")).hasMessageContaining("'pond'").hasMessageContaining("coin-day");
  }
}
