package io.tidemark.cli.print;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.DeadLetterEncoder.CompressedBody;
import io.tidemark.cli.wiring.FoundRecord;
import io.tidemark.event.Alert;
import io.tidemark.event.Appeared;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.Entered;
import io.tidemark.event.EventClasses;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolLiquidityChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Records as people and programs see them. */
class RecordPrinterTest {

  static final Instant NOON = Instant.parse("2026-03-10T12:00:05Z");
  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  static final RecordPrinter TEXT = new RecordPrinter(ZoneOffset.UTC);

  @BeforeAll
  static void trustEvents() {
    EventClasses.trust();
  }

  @Test
  void movedPrice_isALineWithBeforeAfterAndPercent() {
    assertThat(TEXT.of(pool(moved("PEPE / SOL"))))
        .isEqualTo("12:00:05 pool         PEPE / SOL                       price 0.0012 -> 0.0013 (+8.3 %)");
  }

  @Test
  void facetThatDidNotChange_isNotSaid() {
    var same = new PoolLiquidity("10");
    var change = moved("PEPE / SOL");
    change.setLiquidity(new PoolLiquidityChange(same, same, null));

    assertThat(TEXT.of(pool(change))).endsWith("price 0.0012 -> 0.0013 (+8.3 %)");
  }

  @Test
  void deadDeadLetter_isTwoLinesWithItsBodyWrittenOut() {
    var body = "<b>\u001b[31m\nok".getBytes(UTF_8);
    var deadLetter =
        DeadLetter.newBuilder().setOperation("global").setTarget("/global").setReason("no JSON").setStatus(200)
            .setLength(900).setTruncated(true).setEncoding("gzip").setBody(CompressedBody.of(body, 1 << 20).bytes())
            .build();

    assertThat(TEXT.of(found(TOPICS.deadLetters(), "/global", deadLetter)).lines()).containsExactly(
        "12:00:05 0:7 global /global page 1: no JSON",
        "         status 200, 900 bytes, cut; <b>\\u001b[31m\\u000aok");
  }

  @Test
  void hostileName_doesNoHarm() {
    assertThat(TEXT.of(pool(moved("x\u001b[31m\n\u202e")))).contains("x\\u001b[31m\\u000a\\u202e").doesNotContain("\n");
  }

  @Test
  void newPool_saysHowOldAndWhere() {
    var change = PoolChange.newBuilder(moved("CAT / SOL"))
        .setPrice(null)
        .setAppeared(new Appeared("created", "solana/new", 3, 41.2))
        .build();

    assertThat(TEXT.of(pool(change))).endsWith("new, 41 s old, in solana/new");
  }

  @Test
  void partingsAndSights_areSaid() {
    var gone = PoolChange.newBuilder().setRemoved(new Removed("not_found")).build();
    var unseen = PoolChange.newBuilder().setVisibility(new Visibility(false, NOON)).build();

    assertThat(ChangePrinter.of(gone)).isEqualTo("gone: not_found");
    assertThat(ChangePrinter.of(unseen)).isEqualTo("out of sight");
  }

  @Test
  void ranking_countsWhoCame() {
    var order = RankingOrderChange.newBuilder().setEntered(List.of(new Entered("a", 1, new PoolAbout()))).setSize(20);
    var change = RankingChange.newBuilder().setOrder(order.build()).build();

    assertThat(TEXT.of(found(TOPICS.ranking().changes(), "solana/new", change)))
        .isEqualTo("12:00:05 ranking      solana/new                       1 entered of 20");
  }

  @Test
  void alert_isItsSummary() {
    var alert = Alert.newBuilder().setRule("new-pool").setSummary("New pool\nCAT").build();

    assertThat(TEXT.of(found(TOPICS.alerts(), "a", alert)))
        .isEqualTo("12:00:05 ALERT        new-pool                         info: New pool\\u000aCAT");
  }

  @Test
  void tombstone_isForgotten() {
    assertThat(TEXT.of(found(TOPICS.pool().state(), "eth_0x1", null)))
        .isEqualTo("12:00:05 pool.state   eth_0x1                          forgotten");
  }

  @Test
  void json_hasSchemaNamesAndPlainNulls() {
    var json = RecordJson.of(pool(moved("PEPE / SOL")));

    assertThat(json.fieldNames()).toIterable()
        .containsExactly("topic", "partition", "offset", "timestamp", "key", "headers", "value");
    assertThat(json.at("/headers/facets").asText()).isEqualTo("price");
    assertThat(json.at("/value/price/after/base_token_price_usd").asText()).isEqualTo("0.0013");
    assertThat(json.at("/value/price/move_percent").isDouble()).isTrue();
    assertThat(json.at("/value/origin/observed_at").asLong()).isEqualTo(NOON.toEpochMilli());
    assertThat(json.at("/value/liquidity").isNull()).isTrue();
  }

  @Test
  void liveChanges_countsWhatWasThereAndShowsOnlyAFewOfOneTopic() {
    var now = new AtomicReference<>(NOON);
    var bytes = new ByteArrayOutputStream();
    var liveChanges = new LiveChangesPrinter(TEXT, new PrintStream(bytes, true, UTF_8), now::get);
    var there = PoolChange.newBuilder(moved("OLD / SOL")).setOrigin(origin(true)).build();

    liveChanges.test(pool(there));
    liveChanges.test(pool(there));
    for (int i = 0; i < 5; i++) {
      liveChanges.test(pool(moved("NEW / SOL")));
    }
    now.set(NOON.plusSeconds(1));
    liveChanges.test(found(TOPICS.alerts(), "a", Alert.newBuilder().build()));

    assertThat(bytes.toString(UTF_8).lines().map(line -> line.substring(9).strip().split(" {2,}")[0]))
        .containsExactly("pool", "pool", "pool", "... and 2 more in this second", "found at the start: 2 pool",
            "ALERT");
  }

  private static PoolChange moved(String name) {
    var price = new PoolPriceChange(price("0.0012"), price("0.0013"), NOON, 8.3333);
    return PoolChange.newBuilder()
        .setOrigin(origin(false))
        .setAbout(PoolAbout.newBuilder().setName(name).build())
        .setPrice(price)
        .build();
  }

  private static Origin origin(boolean baseline) {
    return Origin.newBuilder().setBaseline(baseline).setObservedAt(NOON).build();
  }

  private static PoolPrice price(String usd) {
    return PoolPrice.newBuilder().setBaseTokenPriceUsd(usd).build();
  }

  private static FoundRecord pool(PoolChange change) {
    return found(TOPICS.pool().changes(), "solana_1", change);
  }

  private static FoundRecord found(Topic<?> topic, String key, SpecificRecord value) {
    var headers = new RecordHeaders().add("facets", "price".getBytes(UTF_8));
    var record = new ConsumerRecord<>(topic.name(), 0, 7, NOON.toEpochMilli(), TimestampType.CREATE_TIME, 0, 0, key,
        new byte[0], headers, Optional.empty());
    return new FoundRecord(topic, record, value);
  }
}
