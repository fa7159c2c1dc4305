package io.tidemark.cli.print;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Alert;
import io.tidemark.event.Appeared;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Candle;
import io.tidemark.event.ContractChange;
import io.tidemark.event.ContractPrice;
import io.tidemark.event.ContractPriceChange;
import io.tidemark.event.ContractTimes;
import io.tidemark.event.ContractTimesChange;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.Derivatives;
import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.GlobalMarketCap;
import io.tidemark.event.GlobalMarketCapChange;
import io.tidemark.event.Moved;
import io.tidemark.event.Mover;
import io.tidemark.event.MoverWindow;
import io.tidemark.event.Movers;
import io.tidemark.event.OpenCandles;
import io.tidemark.event.Origin;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolLiquidityChange;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolPriceChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.PoolTrade;
import io.tidemark.event.PoolTradeChange;
import io.tidemark.event.QuarantinedRecord;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.Removed;
import io.tidemark.event.TokenChange;
import io.tidemark.event.TokenVenue;
import io.tidemark.event.TokenVenues;
import io.tidemark.event.Venue;
import io.tidemark.event.Venues;
import io.tidemark.event.Visibility;
import io.tidemark.kafka.AggregateTopics;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.RecordJson;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records printed as text and as JSON. */
class RecordPrinterTest {

  static final Instant NOON = Instant.parse("2026-03-10T12:00:05Z");
  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);
  static final RecordPrinter PRINTER = new RecordPrinter(ZoneOffset.UTC, Terminal.of(80, false), topic -> "");
  static final RecordPrinter WIDE_PRINTER = new RecordPrinter(ZoneOffset.UTC, Terminal.of(140, false), topic -> "");

  @BeforeAll
  static void trustEvents() {
    AvroSettings.apply();
  }

  @Test
  void changedPrice_isALineWithBeforeAfterAndPercent() {
    assertThat(PRINTER.print(pool(moved("PEPE / SOL"))))
        .isEqualTo("12:00:05 solana   PEPE / SOL       price $0.0012 -> $0.0013 +8.3%");
  }

  @Test
  void valueAfterTheChange_isWhatANarrowLineKeeps() {
    var narrow = new RecordPrinter(ZoneOffset.UTC, Terminal.of(60, false), topic -> "");

    assertThat(narrow.print(pool(moved("PEPE / SOL"))))
        .isEqualTo("12:00:05 solana   PEPE / SOL       price $0.0013 +8.3%");
  }

  @Test
  void unchangedFacet_isNotPrinted() {
    var same = PoolLiquidity.newBuilder().setReserveInUsd("10").build();
    var change = moved("PEPE / SOL");
    change.setLiquidity(new PoolLiquidityChange(same, same, null));

    assertThat(PRINTER.print(pool(change))).endsWith("price $0.0012 -> $0.0013 +8.3%");
  }

  @Test
  void deadLetter_isTwoLinesWithItsBodyEscaped() {
    var body = "<b>\u001b[31m\nok".getBytes(UTF_8);
    var deadLetter =
        DeadLetter.newBuilder().setOperation("global").setTarget("/global").setReason("no JSON").setStatus(200)
            .setLength(900).setTruncated(true).setEncoding("gzip")
            .setBody(DeadLetterBody.putInto(DeadLetter.newBuilder(), body).getBody())
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
        .setEncoding("gzip").setBody(DeadLetterBody.putInto(DeadLetter.newBuilder(), body).getBody())
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
        .isEqualTo("12:00:05 UNREADA… k                t.pool.changes, partition 0, offset 7: a tom…");
    assertThat(RecordJson.of(record).toString()).endsWith(
        "\"value\":null,\"unreadable\":{\"reason\":\"missing_value\",\"detail\":\"a tombstone\"}}");
  }

  @Test
  void hostileName_isEscaped() {
    assertThat(PRINTER.print(pool(moved("\u001b[3m\n")))).contains(" \\u001b[3m\\u000a ")
        .doesNotContain("\n");
  }

  @Test
  void otherFields_areCounted_andPrintedWhereTheTerminalIsWide() {
    var change = PoolChange.newBuilder(moved("PEPE / SOL"))
        .setLiquidity(new PoolLiquidityChange(liquidity("2000"), liquidity("1000"), null))
        .setTrade(
            new PoolTradeChange(new PoolTrade(NOON.getEpochSecond()), new PoolTrade(NOON.getEpochSecond() + 9), null))
        .build();

    assertThat(PRINTER.print(pool(change)))
        .isEqualTo("12:00:05 solana   PEPE / SOL       price $0.0012 -> $0.0013 +8.3% +2 more fields");
    assertThat(new RecordPrinter(ZoneOffset.UTC, Terminal.of(74, false), topic -> "").print(pool(change)))
        .endsWith("+8.3% +2 more");
    assertThat(new RecordPrinter(ZoneOffset.UTC, Terminal.of(140, false), topic -> "").print(pool(change))).endsWith(
        "price $0.0012 -> $0.0013 +8.3%, liquidity $2,000 -> $1,000 -50.0% +1 more field");
    assertThat(new RecordPrinter(ZoneOffset.UTC, Terminal.of(200, false), topic -> "").print(pool(change))).endsWith(
        "-50.0%, last trade 12:00:05 -> 12:00:14");
  }

  @Test
  void lines_neverExceedTheTerminal_whateverNamesContain() {
    var change = moved("狗狗币🚀".repeat(30));
    for (int columns = 40; columns < 200; columns += 7) {
      var line = new RecordPrinter(ZoneOffset.UTC, Terminal.of(columns, false), topic -> "").print(pool(change));

      assertThat(TerminalText.width(line)).isLessThanOrEqualTo(columns);
    }
  }

  @Test
  void colours_areOnATerminalThatWantsThem() {
    var line = new RecordPrinter(ZoneOffset.UTC, Terminal.of(80, true), topic -> "").print(pool(moved("PEPE / SOL")));

    assertThat(line).contains("\u001b[32m +8.3%\u001b[0m").contains("\u001b[1mPEPE / SOL");
    assertThat(line.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(PRINTER.print(pool(moved("PEPE / SOL"))));
  }

  @Test
  void mapOfFigures_isOneField_andItsDollarsArePrinted() {
    var change = GlobalChange.newBuilder()
        .setMarketCap(new GlobalMarketCapChange(
            new GlobalMarketCap(Map.of("eur", 1e12, "usd", 3e12), null),
            new GlobalMarketCap(Map.of("eur", 9e12, "usd", 3.3e12), null), null))
        .build();

    assertThat(PRINTER.print(record(TOPICS.global().changes(), "global", change)))
        .isEqualTo("12:00:05 global   whole market     total market cap $3T -> $3.3T +10.0%");
  }

  @Test
  void mapThatBecomesKnownWithoutAFigure_isPrintedAsNotKnown() {
    var change = GlobalChange.newBuilder()
        .setMarketCap(new GlobalMarketCapChange(
            new GlobalMarketCap(null, null), new GlobalMarketCap(Map.of(), null), null))
        .build();

    assertThat(PRINTER.print(record(TOPICS.global().changes(), "global", change)))
        .isEqualTo("12:00:05 global   whole market     total market cap not known");
  }

  @Test
  void candle_isItsClose() {
    var candle = Candle.newBuilder().setId("solana_58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2").setInterval("1m")
        .setStart(NOON).setOpen(2.0).setClose(3.0).setLow(1.5).setHigh(3.5).build();

    assertThat(PRINTER.print(record(TOPICS.candles(TOPICS.pool(), CandleInterval.MINUTE), "k", candle)))
        .isEqualTo("12:00:05 solana   58oQCh…hLYQo2    1m candle from 12:00: close $3 +50.0%");

    candle.setName("PEPE / WETH");
    assertThat(PRINTER.print(record(TOPICS.candles(TOPICS.pool(), CandleInterval.MINUTE), "k", candle)))
        .isEqualTo("12:00:05 solana   PEPE / WETH      1m candle from 12:00: close $3 +50.0%");
  }

  @Test
  void openCandlesWithoutACandle_areNamedByTheirId() {
    var none = OpenCandles.newBuilder().setId("solana_58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2").build();

    assertThat(PRINTER.print(record(TOPICS.openCandles(TOPICS.pool()), "k", none))).contains("solana   58oQCh…hLYQo2");
  }

  @Test
  void movers_areNamed() {
    var movers = Movers.newBuilder().setNetwork("eth").setH1(MoverWindow.newBuilder().setMeasured(9).setUp(5).setDown(4)
        .setGainers(List.of(mover("PEPE / WETH", 31.25))).setLosers(List.of(mover("CAT / WETH", -8.0))).build())
        .build();

    assertThat(PRINTER.print(record(AggregateTopics.aggregate(TOPICS, Movers.class), "eth", movers)))
        .isEqualTo("12:00:05 eth      movers           1h: PEPE / WETH +31.3%, CAT / WETH -8.0%");
  }

  @Test
  void venues_areTheCheapestAndTheDearest() {
    var venues = Venues.newBuilder().setCoin("bitcoin").setCompared(7).setSpreadPercent(1.5)
        .setCheapest(Venue.newBuilder().setMarket("kraken").setPriceUsd(100_000).build())
        .setDearest(Venue.newBuilder().setMarket("bitso").setPriceUsd(101_500).build()).build();

    assertThat(PRINTER.print(record(AggregateTopics.aggregate(TOPICS, Venues.class), "bitcoin", venues)))
        .startsWith("12:00:05 coin     bitcoin          kraken $100,000 to bitso $101,500, spread");
  }

  @Test
  void venuesOfAToken_areThePoolsWithTheLowestAndTheHighestPrice() {
    var venues = TokenVenues.newBuilder().setToken("base_0xa").setNetwork("base").setSymbol("CAT").setPools(3)
        .setSpreadPercent(2.5)
        .setCheapest(TokenVenue.newBuilder().setDex("aerodrome").setPriceUsd(2).build())
        .setDearest(TokenVenue.newBuilder().setDex("uniswap-v3-base").setPriceUsd(2.05).build()).build();

    assertThat(PRINTER.print(record(AggregateTopics.aggregate(TOPICS, TokenVenues.class), "base_0xa", venues)))
        .isEqualTo("12:00:05 base     CAT              spread 2.5%, from $2, on aerodrome, to $2.05");
  }

  @Test
  void derivatives_areFundingAndOpenInterest() {
    var derivatives = Derivatives.newBuilder().setCoin("ripple").setFundingRate(0.027).setOpenInterestUsd(1.2e9)
        .build();

    assertThat(PRINTER.print(record(AggregateTopics.aggregate(TOPICS, Derivatives.class), "ripple", derivatives)))
        .endsWith("ripple           funding 0.027%, open interest $1.2B");
  }

  @Test
  void state_isPriceAndRevision() {
    var known = Pool.newBuilder().setNetwork("solana").setPrice(price("0.0012")).build();
    var state = PoolState.newBuilder().setKnown(known).setRevision(7).setObservedAt(NOON).build();

    assertThat(PRINTER.print(record(TOPICS.pool().state(), "solana_1", state)))
        .endsWith("price $0.0012, revision 7, observed 12:00:05");
  }

  @Test
  void newPool_hasAgeAndList() {
    var change = PoolChange.newBuilder(moved("CAT / SOL"))
        .setPrice(null)
        .setAppeared(new Appeared("created", "solana/new", 3, 41.2))
        .build();

    assertThat(PRINTER.print(pool(change))).endsWith("new, created 41 s ago");
  }

  @Test
  void removalAndVisibility_arePrinted() {
    var removed = PoolChange.newBuilder().setRemoved(new Removed("not_found")).build();
    var hidden = PoolChange.newBuilder().setVisibility(new Visibility(false, NOON)).build();

    assertThat(PRINTER.print(pool(removed))).endsWith("removed: the service no longer knows it");
    assertThat(PRINTER.print(pool(hidden))).endsWith("no longer in any watched list: no updates");
  }

  @Test
  void foundToken_saysThatNobodyKnowsWhenItWasCreated() {
    var found =
        TokenChange.newBuilder().setNetwork("base").setAppeared(new Appeared("found", null, null, null)).build();
    found.getAbout().setSymbol("IBEX");

    assertThat(PRINTER.print(record(TOPICS.token().changes(), "base_0x1", found)))
        .isEqualTo("12:00:05 base     token IBEX       first observed, time of creation unknown");
  }

  @Test
  void sumOfMoney_isShortAsInAlerts_andAPriceIsNot() {
    var appeared = new Appeared("created", null, null, 41.2);
    var about = PoolAbout.newBuilder().setName("CAT / SOL").setPriceUsd(98_765.4).setReserveUsd(19_219.0).build();
    var change = PoolChange.newBuilder().setAppeared(appeared).setAbout(about).build();

    assertThat(WIDE_PRINTER.print(pool(change))).endsWith("new, created 41 s ago, price $98,765, reserve $19.2K");
  }

  @Test
  void valueThatWasNotKnownBefore_orIsNotKnownAnyMore_isSaidInWords() {
    var known = moved("CAT / SOL");
    known.setPrice(new PoolPriceChange(null, price("0.0013"), null, null));
    var unknown = moved("CAT / SOL");
    unknown.setPrice(new PoolPriceChange(price("0.0012"), null, NOON, null));

    assertThat(PRINTER.print(pool(known))).endsWith("price $0.0013 (not known before)");
    assertThat(PRINTER.print(pool(unknown))).endsWith("price no longer known, was $0.0012");
  }

  @Test
  void contract_hasItsLastPrice() {
    var change = ContractChange.newBuilder().setExchange("deribit").setSymbol("BTC-PERPETUAL")
        .setPrice(new ContractPriceChange(new ContractPrice(100.0), new ContractPrice(101.0), NOON, 1.0)).build();

    assertThat(PRINTER.print(record(TOPICS.contract().changes(), "k", change)))
        .endsWith("BTC-PERPETUAL    last price 100 -> 101 +1.0%");
  }

  @Test
  void timeOfTheLastTrade_isPrintedAsATime() {
    var change = ContractChange.newBuilder().setExchange("deribit").setSymbol("BTC-PERPETUAL")
        .setTimes(new ContractTimesChange(new ContractTimes(43_200L), new ContractTimes(43_205L), NOON)).build();

    assertThat(PRINTER.print(record(TOPICS.contract().changes(), "k", change)))
        .contains("12:00:00 -> 12:00:05");
  }

  @Test
  void ranking_countsTheOthersThatEntered_exitedAndChangedRank() {
    var order = RankingOrderChange.newBuilder()
        .setEntered(List.of(entered("solana_a", 8, "CAT / SOL"), entered("solana_b", 9, "DOG / SOL")))
        .setExited(List.of(new Exited("solana_c", 19), new Exited("solana_d", 20)))
        .setMoved(List.of(new Moved("solana_e", 3, 4))).setSize(20);

    assertThat(WIDE_PRINTER.print(ranking(order)))
        .endsWith("CAT / SOL entered at rank 8 of 20, 1 more entered, 2 pools exited, 1 changed rank");
  }

  @Test
  void poolThatMoves_hasTheNameThatWasSeenBefore() {
    var printer = new RecordPrinter(ZoneOffset.UTC, Terminal.of(80, false), topic -> "");
    var order = RankingOrderChange.newBuilder().setSize(20).setMoved(List.of(
        new Moved("solana_58oQChx4yWmvKdwLLZzBi4ChoCc2fqCUWBkwMihLYQo2", 3, 9), new Moved("solana_b", 9, 8)));

    assertThat(printer.print(ranking(order))).endsWith(" unnamed 58oQCh…hLYQo2 rank 9 -> 3 of 20");

    printer.print(record(TOPICS.pool().changes(), "solana_b",
        PoolChange.newBuilder(moved("DOG / SOL")).setId("solana_b").build()));

    assertThat(printer.print(ranking(order))).endsWith(" DOG / SOL rank 8 -> 9 of 20");

    order.setMoved(List.of(new Moved("solana_b", 8, 8)));
    assertThat(printer.print(ranking(order))).endsWith(" DOG / SOL reordered at rank 8 of 20");
  }

  @Test
  void ranking_isWhoEntered() {
    var order = RankingOrderChange.newBuilder().setEntered(List.of(entered("a", 1, "CAT / SOL"))).setSize(20);

    assertThat(PRINTER.print(ranking(order)))
        .isEqualTo("12:00:05 solana   trending 1h      CAT / SOL entered at rank 1 of 20");
  }

  @Test
  void alert_isItsSummary_andTheCommandThatExplainsIt() {
    var alert = Alert.newBuilder().setId("new-pool/ae8d5341d1036029/1795364216079").setRule("new-pool")
        .setSummary("New pool\nCAT / SOL on pump-fun (solana): reserve 21,493 USD, 8 seconds old").build();

    assertThat(PRINTER.print(record(TOPICS.alerts(), "a", alert)).lines()).containsExactly(
        "12:00:05 ALERT    New pool\\u000aCAT / SOL on pump-fun (solana): reserve 21,493",
        "                  USD, 8 seconds old",
        "         severity info; why:",
        "         ./tidemark rules explain new-pool/ae8d5341d1036029/1795364216079");
  }

  @Test
  void silencedAlert_namesItsSilence() {
    var alert = Alert.newBuilder().setId("a").setStatus("firing").setSummary("wide").setSilenced("nights").build();

    assertThat(PRINTER.print(record(TOPICS.alerts(), "a", alert))).contains("severity info; silenced by nights; why:");
  }

  @Test
  void commandThatExplainsAnAlert_isNotWrapped_inANarrowTerminal() {
    var id = "a-rule-with-a-name-that-takes-more-than-sixty-characters-by-itself/ae8d5341d1036029/1795364216079";
    var alert = Alert.newBuilder().setId(id).setStatus("resolved").setSummary("wide").build();
    var printer = new RecordPrinter(ZoneOffset.UTC, Terminal.of(40, true), topic -> " --source of-" + topic);

    assertThat(printer.print(record(TOPICS.alerts(), "a", alert)).lines()).endsWith(
        "\033[2m         severity info; over; why:\033[0m",
        "\033[2m         ./tidemark rules explain " + id + " --source of-tidemark.alerts\033[0m");
  }

  @ParameterizedTest
  @CsvSource({"pending, PENDING", "firing, ALERT", "fired, ALERT", "resolved, RESOLVED"})
  void alertThatIsNotInForce_isLabelledSo(String status, String label) {
    var alert = Alert.newBuilder().setId("a").setStatus(status).setSummary("wide").build();

    assertThat(PRINTER.print(record(TOPICS.alerts(), "a", alert)).lines().findFirst())
        .hasValue("12:00:05 %-8s wide".formatted(label));
  }

  @Test
  void tombstone_isEvicted() {
    assertThat(PRINTER.print(record(TOPICS.pool().state(), "eth_0x1", null)))
        .isEqualTo("12:00:05 pool.st… eth_0x1          deleted (tombstone)");
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

  private static PoolChange moved(String name) {
    var price = new PoolPriceChange(price("0.0012"), price("0.0013"), NOON, 8.3333);
    return PoolChange.newBuilder()
        .setNetwork("solana")
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

  private static PoolLiquidity liquidity(String usd) {
    return PoolLiquidity.newBuilder().setReserveInUsd(usd).build();
  }

  private static Mover mover(String name, double percent) {
    return Mover.newBuilder().setName(name).setPercent(percent).build();
  }

  private static Entered entered(String pool, int rank, String name) {
    return new Entered(pool, rank, PoolAbout.newBuilder().setName(name).build());
  }

  private static CommittedRecord ranking(RankingOrderChange.Builder order) {
    var change = RankingChange.newBuilder().setNetwork("solana").setKind("trending").setDuration("1h")
        .setOrder(order.build()).build();
    return record(TOPICS.ranking().changes(), "solana/trending/1h", change);
  }

  private static CommittedRecord pool(PoolChange change) {
    return record(TOPICS.pool().changes(), "solana_1", change);
  }

  private static CommittedRecord record(Topic<?> topic, String key, SpecificRecord value) {
    return new CommittedRecord(topic.name(), 0, 7, NOON.toEpochMilli(), key, Map.of("facets", "price"), 0,
        value, null);
  }
}
