package io.tidemark.capture.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.Token;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenDescription;
import io.tidemark.event.TokenState;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fifty thousand targets show one token: each pool that is watched includes it. */
class ManyTargetsTest {
  private static final int TARGETS = Integer.getInteger("tidemark.many-targets", 50_000);
  private static final int LARGEST_STATE = 8 << 10;
  private static final String TOKEN = "eth_0xweth";
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);

  static {
    AvroSettings.apply();
  }

  private final Topics topics = new Topics("many.", Retention.DEFAULT);
  private final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  private final ChangeDetector detector =
      new ChangeDetector(PublishSettings.EVERYTHING, MONTH, MONTH, START, START);

  /** What Kafka has: the newest record of each key. */
  private final Map<String, ConsumerRecord<byte[], byte[]>> kafka = new LinkedHashMap<>();

  private final Map<String, Function<SpecificRecord, byte[]>> encoders = new HashMap<>();
  private ResourceStateStore store = new ResourceStateStore(topics, registry, null);
  private Deadlines deadlines = new Deadlines(detector, store, List.of(), (target, now) -> true);
  private Instant now = START;

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void tokenIn50000Targets_stateAndCostBounded_informantReplaced() {
    long first = poll(0, 2_000);
    poll(2_000, TARGETS - 2_000);
    long last = poll(TARGETS - 2_000, TARGETS);

    System.out.printf("%d targets of one token: its state has %d bytes; the first 2000 polls %d ms, the last %d ms%n",
        TARGETS, stateBytes(), first, last);
    assertThat(stateBytes()).isLessThan(LARGEST_STATE);
    assertThat(last).as("time of 2000 polls, against the first").isLessThan(20 * (first + 50));

    restart();
    assertThat(deadline()).as("the token is shown").isNull();

    // The first targets, all that the token remembers, show their pools without it: others show it still.
    for (int target = 0; target < 100; target++) {
      poll(target, "WETH", false);
    }
    assertThat(deadline()).as("the token is still shown").isNull();

    now = now.plusSeconds(60);
    var changes =
        poll(TARGETS - 1_000, "WETH 2", true).updates().stream().filter(each -> each.change() instanceof TokenChange);
    assertThat(changes).as("the informant is gone: another target's value stands").hasSize(1);
    restart();
    now = now.plusSeconds(60);
    assertThat(poll(TARGETS - 1_000, "WETH 3", true).updates()).anyMatch(each -> each.change() instanceof TokenChange);
    assertThat(poll(TARGETS - 500, "WETH 2", true).updates()).as("a first observation of what another shows")
        .noneMatch(each -> each.change() instanceof TokenChange);
    assertThat(stateBytes()).isLessThan(LARGEST_STATE);
  }

  @Test
  void tokenOfManyTargets_isNotVisibleAfterThreeGapsOfTheLast() {
    for (int round = 0; round < 3; round++) {
      for (int target = 0; target < 50; target++) {
        poll(target, "WETH", true);
      }
      now = now.plus(Duration.ofHours(1));
    }
    Instant last = now.minus(Duration.ofHours(1));
    restart();

    now = last.plus(Duration.ofHours(2));
    assertThat(deadline()).as("shown").isNull();
    now = last.plus(Duration.ofHours(3)).plusSeconds(60);
    assertThat(deadline()).as("three gaps of an hour after it was last shown").isBetween(last.plusSeconds(10_700), now);
  }

  private Instant deadline() {
    return detector.nextDeadline("token", store.find("token", TOKEN), store, now);
  }

  private int stateBytes() {
    return kafka.get("many.token.state " + TOKEN).value().length;
  }

  private long poll(int from, int to) {
    long begun = System.nanoTime();
    for (int target = from; target < to; target++) {
      poll(target, "WETH", true);
    }
    return Duration.ofNanos(System.nanoTime() - begun).toMillis();
  }

  private ChangeSet poll(int number, String symbol, boolean includesToken) {
    now = now.plusMillis(5);
    var query = new Query.PoolByAddress("eth", "0xp" + number, Set.of(), false, false);
    Pool pool = Pool.newBuilder().setId("eth_0xp" + number).setNetwork("eth").setAddress("0xp" + number).build();
    pool.setPrice(PoolPrice.newBuilder().setBaseTokenPriceUsd("1.0").build());
    Token token = Token.newBuilder().setId(TOKEN).setNetwork("eth").setAddress("0xweth").build();
    token.setDescription(TokenDescription.newBuilder().setSymbol(symbol).build());
    var included =
        new Included(List.of(), includesToken ? List.of(Observation.of(token)) : List.of(), List.of());
    var answer = new Answer<>(query, Body.of(new OnChainAnswer<>(Observation.of(pool), included)),
        symbol + includesToken, now, now, now, null, null, null);
    var target =
        new Target("main", "/networks/eth/pools/0xp" + number + "?include=base_token,dex,quote_token", query, 1);
    var changes = detector.detect(new Snapshot(target, List.of(answer), true, null, now, now), store);
    AppendedStates.append(store, topics, changes);
    deadlines.note(changes, now);
    changes.updates().forEach(each -> record("many." + each.resource() + ".state", each.key(), each.state()));
    record("many.target.state", target.name(), changes.targetState());
    changes.members().forEach(page -> record("many.target.members", ResourceStateStore.memberKey(page), page));
    return changes;
  }

  private void record(String name, String key, SpecificRecord value) {
    kafka.put(name + " " + key, new ConsumerRecord<>(name, 0, 0, key.getBytes(StandardCharsets.UTF_8),
        encoders.computeIfAbsent(name, this::encoder).apply(value)));
  }

  private Function<SpecificRecord, byte[]> encoder(String name) {
    return encoder(topics.all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow());
  }

  private <V extends SpecificRecord> Function<SpecificRecord, byte[]> encoder(Topic<V> topic) {
    AvroSerde<V> serde = topic.serde(registry);
    return value -> serde.encode(topic.name(), topic.value().cast(value));
  }

  /** Another session: it knows what is in Kafka. */
  private void restart() {
    store.close();
    store = new ResourceStateStore(topics, registry, null);
    store.putAllEncoded(new ArrayList<>(kafka.values()));
    store.loaded();
    deadlines = new Deadlines(detector, store, List.of(), (target, now) -> true);
    assertThat(store.find("token", TOKEN)).isInstanceOf(TokenState.class);
  }
}
