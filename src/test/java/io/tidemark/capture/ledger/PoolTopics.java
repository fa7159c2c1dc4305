package io.tidemark.capture.ledger;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.TransactionBuffer.LedgerRecords;
import io.tidemark.capture.ledger.TransactionBuffer.PendingRecord;
import io.tidemark.event.PoolState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics of a source with very many pools: of 500 targets, each shows twenty; the rest are not visible. */
final class PoolTopics {

  private static final int TARGETS = 500;
  private static final int MEMBERS = 20;
  private static final int TOGETHER = 1_000;

  private final Topics topics;
  private final LedgerRecords records;
  private final RecordedPools pools;
  private final Instant observedAt;

  PoolTopics(Topics topics, SchemaRegistry registry, RecordedPools pools, Instant observedAt) {
    this.topics = topics;
    this.records = new LedgerRecords(topics, registry, Traces.OFF);
    this.pools = pools;
    this.observedAt = observedAt;
  }

  /** Writes so many pools; answers the sizes of their values, in order. */
  int[] write(int count, Map<String, Object> kafka) {
    var sizes = new int[count];
    try (var producer = producer(kafka)) {
      producer.initTransactions();
      commit(producer, targets());
      for (var first = 0; first < count; first += TOGETHER) {
        var pending = IntStream.range(first, Math.min(count, first + TOGETHER)).mapToObj(this::record).toList();
        for (var i = 0; i < pending.size(); i++) {
          sizes[first + i] = pending.get(i).value().length;
        }
        commit(producer, pending);
      }
    }
    Arrays.sort(sizes);
    return sizes;
  }

  private void commit(Producer<byte[], byte[]> producer, List<PendingRecord> pending) {
    producer.beginTransaction();
    pending.forEach(record -> producer.send(record.stamped(observedAt)));
    producer.commitTransaction();
  }

  private PendingRecord record(int number) {
    var pool = pool(pools, number);
    return records.state(new ResourceUpdate("pool", pool.getKnown().getId(), null, pool), null);
  }

  static PoolState pool(RecordedPools pools, int number) {
    var visible = number < TARGETS * MEMBERS;
    return pools.pool(number, name(visible ? number / MEMBERS : number % TARGETS), visible);
  }

  private List<PendingRecord> targets() {
    return IntStream.range(0, TARGETS).boxed().<PendingRecord>mapMulti((number, each) -> {
      each.accept(records.target(target(number)));
      each.accept(records.members(new TargetMembers(name(number), 1, members(number), null)));
    }).toList();
  }

  private List<String> members(int target) {
    return IntStream.range(target * MEMBERS, (target + 1) * MEMBERS)
        .mapToObj(number -> pool(pools, number).getKnown().getId())
        .toList();
  }

  private TargetState target(int number) {
    return TargetState.newBuilder()
        .setTarget(name(number)).setSource("main").setOperation("new_pools").setSnapshot(1).setObservedAt(observedAt)
        .setMembers(MEMBERS)
        .build();
  }

  static String name(int target) {
    return "/networks/network-" + target + "/new_pools?include=base_token,dex,quote_token";
  }

  private KafkaProducer<byte[], byte[]> producer(Map<String, Object> kafka) {
    var config = new HashMap<>(kafka);
    config.put("transactional.id", topics.prefix() + "made-up");
    config.put("compression.type", "lz4");
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }
}
