package io.tidemark.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidemark.audit.AuditReport.ResourceOutcome;
import io.tidemark.eventlog.EventLogTopics;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.OpenTransaction;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A good event log passes; a tampered record violates its law, which is reported with the position. */
class AuditTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final Instant NOW = Instant.ofEpochMilli(1_760_000_600_000L);
  static final List<String> GOOD = Stream.concat(
      lines(EventLogTopics.class, "good-event-log.ndjson"), lines(AuditTest.class, "more-event-log.ndjson")).toList();

  static final String POOL_SECOND = "t.pool.changes/eth_0xa/1760000003000/2";
  static final String TICKER_SECOND = "t.ticker.changes/btc/gdax/BTC/USD/1760000050000/2";

  @Test
  void goodEventLog_violatesNoLaw() {
    var report = audit(GOOD);

    assertThat(report.violations()).isEmpty();
    assertThat(report.records()).isEqualTo(GOOD.size());
    assertThat(report.resources(ResourceOutcome.CHECKED)).as("with a withheld facet, with a new generation")
        .isEqualTo(11);
    assertThat(report.resources(ResourceOutcome.UNCHECKED)).isZero();
    assertThat(report.resources(ResourceOutcome.CHANGED_MEANWHILE)).isZero();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "REVISIONS | t.pool.changes/eth_0xa/1760000003000/2       | \"revision\": 2              | \"revision\": 3",
    "REVISIONS | t.pool.changes/eth_0xa/1760000003000/2       | \"revision\": 2              | \"revision\": 1",
    "REVISIONS | t.pool.changes/eth_0xb/1760000013000/1       | \"revision\": 1              | \"revision\": 2",
    "REVISIONS | t.pool.changes/eth_0xb/1760000013000/1       | \"generation\": 1760000013000      | \"generation\": 1760000012999",
    "REVISIONS | deribit/ETH-PERP/1760000072000/1             | \"generation\": 1760000072000      | \"generation\": 1750000000000",
    "BEFORE    | t.pool.changes/eth_0xa/1760000003000/2       | \"before\": {\"base_token_price_usd\": \"0.0000123400\"} | \"before\": {\"base_token_price_usd\": \"0.00001234\"}",
    "BEFORE    | t.ticker.changes/btc/gdax/BTC/USD/1760000050000/2 | \"before_observed_at\": 1760000050000 | \"before_observed_at\": 1760000059000",
    "BEFORE    | t.ticker.changes/btc/gdax/BTC/USD/1760000050000/2 | \"before_observed_at\": 1760000050000 | \"before_observed_at\": null",
    "FIGURES   | t.pool.changes/eth_0xa/1760000003000/2       | \"move_percent\": 100        | \"move_percent\": 50",
    "FIGURES   | t.holding.changes/strategy/bitcoin/1760000002000/2 | \"amount_change\": 2   | \"amount_change\": null",
    "CHANGED_FACETS | t.pool.changes/eth_0xa/1760000003000/2       | \"facets\": \"price\"        | \"facets\": \"\"",
    "CHANGED_FACETS | t.pool.changes/eth_0xa/1760000003000/2       | \"facets\": \"price\"        | \"facets\": \"price,lock\"",
    "CHANGED_FACETS | t.contract.changes/deribit/BTC-PERP/1760000060000/2 | \"removed\": {         | \"price\": {\"before\": {\"last\": 5.0}, \"after\": {\"last\": 5.0}}, \"removed\": {",
    "KEY_FRAMES | t.ticker.changes/btc/gdax/BTC/USD/1760000050000/2 | \"converted\": {\"before\"   | \"nothing\": {\"before\"",
    "KEY_FRAMES | t.pool.changes/eth_0xb/1760000013000/1       | \"key_frame\": true              | \"key_frame\": false",
    "RANKINGS  | base/trending/24h/1760000031000/2            | \"rank\": 3                  | \"rank\": 9",
    "RANKINGS  | base/trending/24h/1760000031000/2            | \"rank_before\": 2           | \"rank_before\": 3",
    "RANKINGS  | base/trending/24h/1760000031000/2            | \"size\": 4                  | \"size\": 5",
    "RANKINGS  | base/trending/24h/1760000031000/1            | \"base_0x3\", \"base_0x4\"]  | \"base_0x4\", \"base_0x3\"]",
    "FOLD      | {\"topic\": \"t.global.state\", \"partition\": 0, \"offset\": 1 | \"markets\": 11  | \"markets\": 12",
    "FOLD      | {\"topic\": \"t.global.state\", \"partition\": 0, \"offset\": 1 | \"revision\": 2  | \"revision\": 3",
    "FOLD      | {\"topic\": \"t.global.state\", \"partition\": 0, \"offset\": 1 | \"revision\": 2  | \"revision\": 1",
    "FOLD      | {\"topic\": \"t.ticker.state\", \"partition\": 0, \"offset\": 2 | {\"usd\": 10.5} | {\"usd\": 11.5}",
    "FOLD      | {\"topic\": \"t.ticker.state\", \"partition\": 0, \"offset\": 2 | [\"converted\"] | []",
    "FOLD      | {\"topic\": \"t.ranking.state\", \"partition\": 0, \"offset\": 3 | \"base_0x4\", \"base_0x1\" | \"base_0x1\", \"base_0x4\"",
    "EVICTIONS | {\"topic\": \"t.contract.state\", \"partition\": 0, \"offset\": 1 | \"reason\": \"evicted\" | \"reason\": \"expired\"",
    "EVICTIONS | t.contract.changes/deribit/ETH-PERP/1760000070000/2 | {\"reason\": \"evicted\"} | {\"reason\": \"expired\"}",
    "LISTINGS  | {\"topic\": \"t.pool.listing\", \"partition\": 0, \"offset\": 7 | \"exited\"     | \"moved\"",
    "LISTINGS  | {\"topic\": \"t.pool.listing\", \"partition\": 0, \"offset\": 7 | \"revision\": 2 | \"revision\": 1",
    "LISTINGS  | {\"topic\": \"t.pool.listing\", \"partition\": 0, \"offset\": 7 | \"list\": \"base/trending/24h\" | \"list\": \"base/new\"",
    "MEMBERS   | {\"topic\": \"t.target.members\", \"partition\": 0, \"offset\": 2 | [\"base_0x5\", \"base_0x3\"] | [\"base_0x6\", \"base_0x3\"]",
    "SNAPSHOTS | {\"topic\": \"t.target.state\", \"partition\": 0, \"offset\": 4 | \"snapshot\": 2    | \"snapshot\": 1",
    "INFORMANTS | t.pool.changes/eth_0xb/1760000013000/3     | \"as_of\": 1760000016002 | \"as_of\": 1760000016001",
    "STATE_TOPICS | {\"topic\": \"t.source.state\", \"partition\": 0, \"offset\": 2 | \"id-of-t.pool.state\" | \"another\"",
    "STATE_TOPICS | {\"topic\": \"t.source.state\", \"partition\": 0, \"offset\": 2 | \"ends\": [5] | \"ends\": [6]",
    "STATE_TOPICS | {\"topic\": \"t.source.state\", \"partition\": 0, \"offset\": 2 | \"ends\": [5] | \"ends\": [2]",
    "CLOCK     | t.pool.changes/eth_0xa/1760000003000/2       | \"timestamp\": 1760000013005 | \"timestamp\": 1760000013004",
    "TICKS     | {\"topic\": \"t.control\", \"partition\": 0, \"offset\": 1 | \"at\": 1760000041006 | \"at\": 1760000041007",
    "TICKS     | {\"topic\": \"t.control\", \"partition\": 0, \"offset\": 1 | 1760000041006 | 1760000030000",
    "PARTITIONS | t.pool.changes/eth_0xa/1760000003000/2       | changes/eth_0xa/             | changes/eth_0xc/",
    "PARTITIONS | t.ticker.changes/btc/gdax/BTC/USD/1760000050000/2 | \"partition\": 0        | \"partition\": 1",
  })
  void tamperedRecord_violatesItsLaw(ConsistencyLaw law, String record, String good, String bad) {
    var line = GOOD.stream().filter(each -> each.contains(record)).findFirst().orElseThrow();
    assertThat(line).contains(good);

    var report = audit(GOOD.stream().map(each -> each.equals(line) ? each.replace(good, bad) : each).toList());

    assertThat(report.clean()).isFalse();
    assertThat(report.counts()).containsKey(law);
  }

  @Test
  void fewerRecordsOfATopic_areNoViolation_afterARebuild() {
    var lines = GOOD.stream().map(line -> line.contains("\"t.source.state\", \"partition\": 0, \"offset\": 2")
        ? line.replace("\"ends\": [5]", "\"ends\": [2]").replace("\"polling\"", "\"stopped\"")
        : line).toList();

    assertThat(audit(lines).counts()).isEmpty();
  }

  @Test
  void violation_hasPositionExpectedAndFound() {
    var report = audit(GOOD.stream().map(line -> line.contains(POOL_SECOND)
        ? line.replace(
            "\"before\": {\"base_token_price_usd\": \"0.0000123400\"}",
            "\"before\": {\"base_token_price_usd\": \"0.0000123400\", \"quote_token_price_usd\": \"7\\n\"}")
        : line).toList());

    assertThat(report.violations()).singleElement().satisfies(violation -> {
      assertThat(violation.law()).isEqualTo(ConsistencyLaw.BEFORE);
      assertThat(violation.topic()).isEqualTo("t.pool.changes");
      assertThat(violation.offset()).isEqualTo(2);
      assertThat(violation.key()).isEqualTo("eth_0xa");
      assertThat(violation.where()).isEqualTo("price.before");
      assertThat(violation.expected()).as("read again from the change before").contains("0.0000123400");
      assertThat(violation.found()).contains("7\\n").doesNotContain("\n");
    });
  }

  @Test
  void missingChange_isFound() {
    assertThat(audit(without(POOL_SECOND)).counts()).containsOnlyKeys(ConsistencyLaw.FOLD);
    assertThat(audit(without("t.contract.changes/deribit/ETH-PERP/1760000070000/1")).counts())
        .containsKey(ConsistencyLaw.REVISIONS);
  }

  @Test
  void repeatedChange_isFound() {
    var again = new ArrayList<>(GOOD);
    again.add(line(POOL_SECOND).replace("\"offset\": 2", "\"offset\": 3"));

    assertThat(audit(again).counts()).containsKeys(ConsistencyLaw.REVISIONS, ConsistencyLaw.BEFORE);
  }

  @Test
  void missingTombstone_isFound() {
    assertThat(audit(without("\"topic\": \"t.contract.state\", \"partition\": 0, \"offset\": 1")).counts())
        .containsOnlyKeys(ConsistencyLaw.EVICTIONS);
  }

  @Test
  void missingState_isFound() {
    assertThat(audit(without("\"topic\": \"t.treasury.state\"")).violations())
        .extracting(AuditReport.Violation::law, AuditReport.Violation::expected, AuditReport.Violation::found)
        .containsExactly(tuple(ConsistencyLaw.FOLD, "a state of revision 1", "none"));
  }

  @Test
  void missingListing_isFound() {
    assertThat(audit(without("\"topic\": \"t.pool.listing\", \"partition\": 0, \"offset\": 7")).counts())
        .containsOnlyKeys(ConsistencyLaw.LISTINGS);
  }

  @Test
  void missingListing_isFound_ifRetentionEmptiedAPartitionOfRankings() {
    var log = log(without("\"topic\": \"t.pool.listing\", \"partition\": 0, \"offset\": 7"), List.of());
    var rankings = TOPICS.ranking().changes();
    var report = new AuditReport(100);

    new Audit(TOPICS, new ClusterReader() {
      @Override
      public int partitions(String topic) {
        return 2 * log.partitions(topic);
      }

      @Override
      public String topicId(String topic) {
        return log.topicId(topic);
      }

      @Override
      public OffsetRange range(Topic<?> topic, int partition) {
        var begin = topic.name().equals(rankings.name()) ? 5 : 0;
        return partition == 0 ? log.range(topic, partition) : new OffsetRange(topic.name(), partition, begin, begin);
      }

      @Override
      public void read(OffsetRange range, Consumer<CommittedRecord> reader) {
        log.read(range, reader);
      }

      @Override
      public List<OpenTransaction> openTransactions(Topic<?> topic) {
        return log.openTransactions(topic);
      }
    }, InstantSource.fixed(NOW)).run(report, (done, total) -> {});

    assertThat(report.counts()).containsKey(ConsistencyLaw.LISTINGS);
  }

  @Test
  void newGenerationWithoutEviction_isFound() {
    assertThat(audit(without("t.contract.changes/deribit/ETH-PERP/1760000070000/2")).counts())
        .containsOnlyKeys(ConsistencyLaw.EVICTIONS);
  }

  @Test
  void targetThatWasForgotten_beginsAnew() {
    var last = GOOD.stream().filter(line -> line.contains("t.target.state") && line.contains("\"key\": \"/global\""))
        .reduce((one, other) -> other).orElseThrow();
    var tombstone = "{\"topic\": \"t.target.state\", \"partition\": 0, \"offset\": 90, \"timestamp\": 1760000190000,"
        + " \"key\": \"/global\", \"headers\": {\"reason\": \"unwatched\"}, \"value\": null}";
    var first =
        last.replaceAll("\"offset\": [0-9]+, \"timestamp\": [0-9]+", "\"offset\": 91, \"timestamp\": 1760000190001")
            .replaceAll("\"snapshot\": [0-9]+", "\"snapshot\": 1");
    var members =
        GOOD.stream().filter(line -> line.contains("/networks/base/trending_pools#2")).findFirst().orElseThrow()
            .replaceAll("\"value\": .*", "\"value\": null}").replaceAll("\"offset\": [0-9]+, \"timestamp\": [0-9]+",
                "\"offset\": 92, \"timestamp\": 1760000190000");

    assertThat(audit(with(tombstone, first)).counts()).isEmpty();
    assertThat(audit(with(first)).counts()).containsOnlyKeys(ConsistencyLaw.SNAPSHOTS);
    assertThat(audit(with(members)).counts()).as("a page is gone").containsOnlyKeys(ConsistencyLaw.MEMBERS);
  }

  /** The ledger and the streams write dead letters, each by its own clock. */
  @Test
  void deadLetters_needNoOrderOfTimestamps_butTheirPartition() {
    var ledger = deadLetter(0, 0, 1760000041006L);
    var streams = deadLetter(0, 1, 1760000041000L);

    assertThat(audit(with(ledger, streams)).counts()).isEmpty();
    assertThat(audit(with(ledger, deadLetter(1, 0, 1760000041006L))).violations())
        .extracting(AuditReport.Violation::law, AuditReport.Violation::topic)
        .contains(tuple(ConsistencyLaw.PARTITIONS, "t.dead-letters"));
  }

  private static String deadLetter(int partition, long offset, long timestamp) {
    return "{\"topic\": \"t.dead-letters\", \"partition\": " + partition + ", \"offset\": " + offset
        + ", \"timestamp\": " + timestamp + ", \"key\": \"/global\", \"headers\": {}, \"value\": {}}";
  }

  private static List<String> with(String... more) {
    return Stream.concat(GOOD.stream(), Stream.of(more)).toList();
  }

  @Test
  void tombstoneAmongChanges_isFound() {
    var line = line(POOL_SECOND);
    var empty = line.substring(0, line.indexOf("\"value\": ")) + "\"value\": null}";

    var report = audit(GOOD.stream().map(each -> each.equals(line) ? empty : each).toList());

    assertThat(report.unreadableRecords()).isEqualTo(1);
    assertThat(report.unreadable()).singleElement().asString().contains("t.pool.changes", "a tombstone");
    assertThat(report.counts()).as("the change is missing").containsKey(ConsistencyLaw.FOLD);
  }

  @Test
  void textBeyondItsLimit_isFound() {
    var line = line(POOL_SECOND);
    var longest = "1".repeat(SizeChecker.TEXT);
    var price = "\"after\": {\"base_token_price_usd\": \"";

    assertThat(audit(replaced(line, line.replace(price, price + longest))).violations())
        .filteredOn(each -> each.law() == ConsistencyLaw.SIZES).singleElement()
        .returns("price.after.base_token_price_usd", AuditReport.Violation::where)
        .returns("at most 32,768 characters", AuditReport.Violation::expected);
    assertThat(audit(replaced(line, line.replace(price, price + longest.repeat(40)))).counts())
        .as("the record too").containsEntry(ConsistencyLaw.SIZES, 2L);
  }

  @Test
  void stateTopicWithoutItsFirstRecords_isFound() {
    var first = "\"topic\": \"t.pool.state\", \"partition\": 0, \"offset\": 0";

    assertThat(audit(without(first)).counts()).containsKey(ConsistencyLaw.STATE_TOPICS);
  }

  @Test
  void valueThatFlipsBackAtItsOwnTarget_isNoViolation() {
    var line = line("t.pool.changes/eth_0xb/1760000013000/3");
    var same =
        line.replace("/networks/eth/new_pools", "/networks/eth/pools/0xb").replace("1760000016002", "1760000014001");

    assertThat(audit(replaced(line, same)).violations()).isEmpty();
  }

  @Test
  void oldOpenTransaction_isFound() {
    var old = new OpenTransaction("t.pool.changes", 0, 17, NOW.minusSeconds(121), 5, 0, "t.main");
    var young = new OpenTransaction("t.pool.changes", 0, 18, NOW.minusSeconds(119), 6, 0, "t.main");

    assertThat(audit(GOOD, List.of(old, young)).violations())
        .extracting(AuditReport.Violation::law, AuditReport.Violation::offset)
        .containsExactly(tuple(ConsistencyLaw.TRANSACTIONS, 17L));
  }

  /** Retention deleted the first changes of a ticker and a pool; the pool has no key frame left. */
  @Test
  void changesDeletedByRetention_areCheckedFromTheirFirstKeyFrame() {
    var cut = GOOD.stream()
        .filter(line -> !line.contains("\"topic\": \"t.ticker.changes\", \"partition\": 0, \"offset\": 0"))
        .filter(line -> !line.contains("\"topic\": \"t.pool.changes\", \"partition\": 0, \"offset\": 0"))
        .toList();

    var report = audit(cut);

    assertThat(report.violations()).isEmpty();
    assertThat(report.resources(ResourceOutcome.CHECKED)).as("the ticker has a key frame left, the pool has none")
        .isEqualTo(10);
    assertThat(report.resources(ResourceOutcome.UNCHECKED)).isEqualTo(1);
  }

  @Test
  void moreViolationsThanReported_areCounted() {
    var report = new AuditReport(1);
    new Audit(TOPICS, log(GOOD.stream().map(line -> line.replace("\"facets\": \"", "\"facets\": \"x")).toList(),
        List.of()), InstantSource.fixed(NOW)).run(report, (done, total) -> {});

    assertThat(report.violations()).hasSize(1);
    assertThat(report.counts().get(ConsistencyLaw.CHANGED_FACETS)).isGreaterThan(10);
  }

  private static AuditReport audit(List<String> lines) {
    return audit(lines, List.of());
  }

  private static AuditReport audit(List<String> lines, List<OpenTransaction> open) {
    var report = new AuditReport(100);
    new Audit(TOPICS, log(lines, open), InstantSource.fixed(NOW)).run(report, (done, total) -> {});
    return report;
  }

  private static EventLogTopics log(List<String> lines, List<OpenTransaction> open) {
    return EventLogTopics.of(lines, TOPICS, open);
  }

  private static List<String> replaced(String line, String by) {
    assertThat(by).isNotEqualTo(line);
    return GOOD.stream().map(each -> each.equals(line) ? by : each).toList();
  }

  private static List<String> without(String part) {
    return GOOD.stream().filter(line -> !line.equals(line(part))).toList();
  }

  private static String line(String part) {
    return GOOD.stream().filter(line -> line.contains(part)).findFirst().orElseThrow();
  }

  private static Stream<String> lines(Class<?> beside, String name) {
    try (var in = Objects.requireNonNull(beside.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.isBlank()).toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
