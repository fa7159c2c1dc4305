package io.tidemark.cli.print;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Appeared;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.Entered;
import io.tidemark.event.EventClasses;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolLiquidityChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.QuarantinedRecord;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import io.tidemark.topic.UnreadableRecord;
import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Records printed as text and as JSON. */
class RecordPrinterTest {

  static final Instant NOON = Instant.parse("2026-03-10T12:00:05Z");
  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  static final RecordPrinter PRINTER = new RecordPrinter(ZoneOffset.UTC);

  @BeforeAll
  static void trustEvents() {
    EventClasses.trust();
  }

  @Test
  void changedPrice_isALineWithBeforeAfterAndPercent() {
    assertThat(PRINTER.print(pool(moved("PEPE / SOL"))))
        .isEqualTo("12:00:05 pool         PEPE / SOL                       price 0.0012 -> 0.0013 (+8.3 %)");
  }

  @Test
  void unchangedFacet_isNotPrinted() {
    var same = PoolLiquidity.newBuilder().setReserveInUsd("10").build();
    var change = moved("PEPE / SOL");
    change.setLiquidity(new PoolLiquidityChange(same, same, null));

    assertThat(PRINTER.print(pool(change))).endsWith("price 0.0012 -> 0.0013 (+8.3 %)");
  }

  @Test
  void deadLetter_isTwoLinesWithItsBodyEscaped() {
    var body = "<b>\u001b[31m\nok".getBytes(UTF_8);
    var deadLetter =
        DeadLetter.newBuilder().setOperation("global").setTarget("/global").setReason("no JSON").setStatus(200)
            .setLength(900).setTruncated(true).setEncoding("gzip").setBody(DeadLetterBody.of(body, 1 << 20).bytes())
            .build();

    assertThat(PRINTER.print(record(TOPICS.deadLetters(), "/global", deadLetter)).lines()).containsExactly(
        "12:00:05 0:7 global /global page 1: no JSON",
        "         status 200, 900 bytes, truncated; <b>\\u001b[31m\\u000aok");
  }

  @Test
  void quarantinedRecord_isPrintedWithItsPlaceAndReason() {
    var body = "{}".getBytes(UTF_8);
    var deadLetter = DeadLetter.newBuilder().setOperation("stream").setTarget("t.pool.changes/2/3")
        .setReason("topic t.pool.changes, partition 2, offset 3, no key: a record without a key").setLength(2)
        .setEncoding("gzip").setBody(DeadLetterBody.of(body, 1 << 20).bytes())
        .setRecord(QuarantinedRecord.newBuilder().setReason("missing_key").build())
        .build();

    assertThat(PRINTER.print(record(TOPICS.deadLetters(), "/global", deadLetter)).lines()).containsExactly(
        "12:00:05 0:7 stream t.pool.changes/2/3: topic t.pool.changes, partition 2, offset 3, no key: a record without"
            + " a key",
        "         a record, missing_key, 2 bytes; {}");
  }

  @Test
  void unreadableRecord_isPrintedAsSuch() {
    var unreadable = new UnreadableRecord("t.pool.changes", 0, 7, NOON.toEpochMilli(), "k".getBytes(UTF_8), null,
        UnreadableReason.MISSING_VALUE, "a tombstone");
    var record = new CommittedRecord(
        "t.pool.changes", 0, 7, NOON.toEpochMilli(), "k", Map.of(), 1, null, unreadable);

    assertThat(PRINTER.print(record))
        .isEqualTo("12:00:05 UNREADABLE   k                                t.pool.changes, partition 0, offset 7: "
            + "a tombstone");
    assertThat(RecordJson.of(record).toString()).endsWith(
        "\"value\":null,\"unreadable\":{\"reason\":\"missing_value\",\"detail\":\"a tombstone\"}}");
  }

  @Test
  void hostileName_isEscaped() {
    assertThat(PRINTER.print(pool(moved("x\u001b[31m\n\u202e")))).contains("x\\u001b[31m\\u000a\\u202e")
        .doesNotContain("\n");
  }

  @Test
  void newPool_hasAgeAndList() {
    var change = PoolChange.newBuilder(moved("CAT / SOL"))
        .setPrice(null)
        .setAppeared(new Appeared("created", "solana/new", 3, 41.2))
        .build();

    assertThat(PRINTER.print(pool(change))).endsWith("new, 41 s old, in solana/new");
  }

  @Test
  void removalAndVisibility_arePrinted() {
    var removed = PoolChange.newBuilder().setRemoved(new Removed("not_found")).build();
    var hidden = PoolChange.newBuilder().setVisibility(new Visibility(false, NOON)).build();

    assertThat(ChangePrinter.print(removed)).isEqualTo("removed: not_found");
    assertThat(ChangePrinter.print(hidden)).isEqualTo("not visible");
  }

  @Test
  void ranking_hasCountsOfPools() {
    var order = RankingOrderChange.newBuilder().setEntered(List.of(new Entered("a", 1, new PoolAbout()))).setSize(20);
    var change = RankingChange.newBuilder().setOrder(order.build()).build();

    assertThat(PRINTER.print(record(TOPICS.ranking().changes(), "solana/new", change)))
        .isEqualTo("12:00:05 ranking      solana/new                       1 entered of 20");
  }

  @Test
  void alert_isItsSummary() {
    var alert = Alert.newBuilder().setRule("new-pool").setSummary("New pool\nCAT").build();

    assertThat(PRINTER.print(record(TOPICS.alerts(), "a", alert)))
        .isEqualTo("12:00:05 ALERT        new-pool                         info: New pool\\u000aCAT");
  }

  @Test
  void tombstone_isEvicted() {
    assertThat(PRINTER.print(record(TOPICS.pool().state(), "eth_0x1", null)))
        .isEqualTo("12:00:05 pool.state   eth_0x1                          evicted");
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
  void liveChanges_countBaselineAndPrintFewLinesPerTopic() {
    var now = new AtomicReference<>(NOON);
    var bytes = new ByteArrayOutputStream();
    var liveChanges = new LiveChangesPrinter(PRINTER, new PrintWriter(bytes, true, UTF_8), now::get, unreadable -> {});
    var baseline = PoolChange.newBuilder(moved("OLD / SOL")).setOrigin(origin(true)).build();

    liveChanges.test(pool(baseline));
    liveChanges.test(pool(baseline));
    for (int i = 0; i < 5; i++) {
      liveChanges.test(pool(moved("NEW / SOL")));
    }
    now.set(NOON.plusSeconds(1));
    liveChanges.test(record(TOPICS.alerts(), "a", Alert.newBuilder().build()));

    assertThat(bytes.toString(UTF_8).lines().map(line -> line.substring(9).strip().split(" {2,}")[0]))
        .containsExactly("pool", "pool", "pool", "... and 2 more in this second", "baseline: 2 pool",
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

  private static CommittedRecord pool(PoolChange change) {
    return record(TOPICS.pool().changes(), "solana_1", change);
  }

  private static CommittedRecord record(Topic<?> topic, String key, SpecificRecord value) {
    return new CommittedRecord(topic.name(), 0, 7, NOON.toEpochMilli(), key, Map.of("facets", "price"), 0,
        value, null);
  }
}
