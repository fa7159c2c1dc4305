package io.tidemark.eventlog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Appeared;
import io.tidemark.event.GlobalChange;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.PlatformChange;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Removed;
import io.tidemark.event.TargetState;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.replay.Recordings;
import io.tidemark.replay.ReplayServer;
import io.tidemark.replay.ReplayServer.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The program on recorded bodies: it publishes exactly the differences between successive bodies. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplayIT {
  static final String POOL = "/onchain/networks/bsc/pools/0x6fe9e9de56356f7edbfcbb29fab7cd69471a4869";
  static final String GLOBAL = "/global";
  static final String TREASURY = "/public_treasury/strategy";
  static final String PLATFORMS = "/asset_platforms";
  static final String NEW_PLATFORM = "{\"id\": \"tidemark-chain\", \"chain_identifier\": 31337, \"name\": \"Tidemark "
      + "Chain\", \"shortname\": \"tide\", \"native_coin_id\": \"tide\"}, ";

  private Map<String, List<String>> recorded = Map.of();
  private EventLog eventLog = new EventLog(new Topics("none.", Retention.DEFAULT), List.of());
  private Bodies bodies = new Bodies();
  private String printed = "";
  private String printedJson = "";

  @BeforeAll
  void replay(@TempDir Path folder) throws IOException {
    recorded = Map.of(
        POOL, texts("pool", "gt-2026-bsc-usdt-wbnb-seq"),
        GLOBAL, texts("global", "swift-"),
        TREASURY, texts("treasury", "oas-coingecko-demo-"),
        PLATFORMS, platforms());
    var topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
    try (var server = ReplayServer.start(answers(recorded), InstantSource.system())) {
      Files.writeString(folder.resolve("tidemark.yaml"), configuration(topics, server));
      try (var program = ProgramProcess.start(folder, "run", "--config", "tidemark.yaml", "--only", "poll")) {
        awaitAll(topics, program);
        program.stop();
      }
      eventLog = read(topics);
      ClusterAudit.holds(SharedBroker.access(), new BuiltInRegistry(topics.all()), topics);
      server.served().forEach((id, served) -> bodies.put(id,
          new Bodies.Body(served.url(), 200, ByteBuffer.wrap(served.answer().body().getBytes(UTF_8)))));
    }
    printed = printed(folder, "text");
    printedJson = printed(folder, "json");
  }

  @AfterAll
  void keepWhatWasPrinted() throws IOException {
    Files.writeString(Path.of("target", "replay.txt"), printed);
    Files.writeString(Path.of("target", "replay.ndjson"), printedJson);
  }

  @Test
  void recordedSeries_eventLogIsTheirDifferencesAndNoMore() {
    var expected = new ArrayList<String>();
    recorded.forEach((question, texts) -> expected.addAll(BodyDifferences.of("/api/v3" + question, texts)));

    assertThat(BodyDifferences.of(changes())).isEqualTo(expected.stream().sorted().toList());
  }

  @Test
  void recordedSeries_passTheCheck() {
    EventLogCheck.holds(eventLog, bodies, true);
  }

  @Test
  void secondObservationOfAPool_publishesItsFourChangedFacets() {
    RecordedChange again = newest("pool");
    PoolChange change = (PoolChange) again.value();

    assertThat(again.revision()).isEqualTo(2);
    assertThat(again.named()).containsExactly("activity", "liquidity", "price", "valuation");
    assertThat(change.getPrice().getBefore().getBaseTokenPriceUsd()).isEqualTo("0.99910335875914");
    assertThat(change.getPrice().getAfter().getBaseTokenPriceUsd()).isEqualTo("0.999049913805644");
    assertThat(change.getPrice().getAfter().getQuoteTokenPriceUsd()).isEqualTo("622.53");
    assertThat(change.getActivity().getBefore().getTransactions().getH24().getSells()).isEqualTo(3272);
    assertThat(change.getActivity().getAfter().getTransactions().getH24().getSells()).isEqualTo(3276);
    assertThat(change.getLiquidity().getAfter().getReserveInUsd()).isEqualTo("2728116.8297");
  }

  @Test
  void strategyBoughtBitcoin_changeSaysHowMuch() {
    HoldingChange change = (HoldingChange) newest("holding").value();

    assertThat(change.getPosition().getBefore().getAmount()).isEqualTo(638985);
    assertThat(change.getPosition().getAfter().getAmount()).isEqualTo(714644);
    assertThat(change.getPosition().getAmountChange()).isEqualTo(75659);
    assertThat(change.getTrend().getAfter().getHoldingAmountChange().getD7()).isEqualTo(1142);
  }

  @Test
  void coinsEnterAndLeaveTheTopTen_mapSaysWhoIsGone() {
    List<Set<String>> topTens = changes("global").stream()
        .map(each -> ((GlobalChange) each.value()).getDominance().getAfter().getMarketCapPercentage().keySet())
        .toList();

    assertThat(topTens).hasSize(8);
    assertThat(topTens.get(1)).contains("luna").doesNotContain("doge");
    assertThat(topTens.get(2)).contains("doge", "matic").doesNotContain("luna");
    assertThat(topTens.get(6)).doesNotContain("steth");
    assertThat(topTens.get(7)).contains("steth");
  }

  @Test
  void editedPlatforms_fourChanges() {
    Map<String, List<PlatformChange>> later = changes("platform").stream()
        .filter(each -> !each.origin().getBaseline())
        .map(each -> (PlatformChange) each.value())
        .collect(groupingBy(PlatformChange::getKey));

    assertThat(later).containsOnlyKeys("fraxtal", "findora", "bitkub-chain", "tidemark-chain");
    assertThat(later.get("fraxtal").get(0).getDescription().getAfter().getName()).isEqualTo("Fraxtal L2");
    assertThat(later.get("findora").get(0).getRemoved()).isEqualTo(new Removed("absent"));
    assertThat(later.get("bitkub-chain").get(0).getDescription().getBefore().getChainIdentifier()).isEqualTo(96);
    assertThat(later.get("bitkub-chain").get(0).getDescription().getAfter().getChainIdentifier()).isEqualTo(97);
    assertThat(later.get("tidemark-chain").get(0).getAppeared()).extracting(Appeared::getKind).isEqualTo("created");
  }

  @Test
  void platformsWithoutId_areNamed() {
    assertThat(changes("platform")).extracting(RecordedChange::key).contains("name:Picasso", "name:Matrix");
  }

  @Test
  void tail_printsALineForEachChange() {
    assertThat(printed).contains("USDT / WBNB", "Strategy", "Fraxtal L2");
  }

  @Test
  void tailInJson_printsTheEventLogWhole() {
    EventLog read = EventLogFile.read(printedJson, eventLog.topics());

    assertThat(read.entries()).hasSameElementsAs(eventLog.entries().stream().filter(ReplayIT::isChange).toList());
  }

  private static boolean isChange(EventLog.Entry entry) {
    return entry.topic().endsWith(".changes");
  }

  private static List<String> texts(String operation, String beginning) {
    return Recordings.of(operation, beginning).stream().map(Recordings::text).toList();
  }

  /**
   * Returns a recorded list, and a copy in which one platform has another name, one another number, one is removed and
   * one added. A third answer, which differs only in whitespace, confirms the removal.
   */
  private static List<String> platforms() {
    String list = Recordings.text(Recordings.of("asset_platforms", "bowman").get(0));
    String edited = list.replace("\"name\": \"Fraxtal\"", "\"name\": \"Fraxtal L2\"")
        .replaceFirst("\\{\"id\": \"findora\"[^}]*}, ", NEW_PLATFORM)
        .replace("\"chain_identifier\": 96,", "\"chain_identifier\": 97,");
    return List.of(list, edited, edited + "\n");
  }

  private static Map<String, List<Answer>> answers(Map<String, List<String>> recorded) {
    var answers = new HashMap<String, List<Answer>>();
    recorded.forEach((question, texts) -> answers.put(question, texts.stream().map(Answer::fresh).toList()));
    return answers;
  }

  private static String configuration(Topics topics, ReplayServer server) {
    return """
        kafka: { bootstrap-servers: "%s" }
        topics: { partitions: 2 }
        sources:
          - name: main
            prefix: %s
            base-url: %s
            keys: [ { per-minute: 3000, per-month: 100000000 } ]
            events: everything
            refresh: { pool: 1s, global: 500ms, treasury: 1s, asset_platforms: 1s }
            watch:
              networks: { bsc: { pools: { "0x6fe9e9de56356f7edbfcbb29fab7cd69471a4869": {} } } }
              global: {}
              treasuries: { strategy: { holding-amount-change: [7d, 14d, 30d, 90d, 1y, ytd] } }
              platforms: {}
        """.formatted(SharedBroker.bootstrapServers(), topics.prefix(), server.baseUrl());
  }

  /** Waits until a snapshot of each target after its last recording had no change. */
  private static void awaitAll(Topics topics, ProgramProcess program) {
    var registry = new BuiltInRegistry(topics.all());
    Awaitility.await().atMost(Duration.ofMinutes(4)).pollInterval(Duration.ofSeconds(1))
        .ignoreExceptionsMatching(failure -> failure instanceof KafkaException).until(() -> {
          program.assertAtWork();
          var snapshots = new EventLogReader(SharedBroker.access(), registry, Stream.of(topics.targetState())).read();
          return snapshots.stream().filter(each -> !((TargetState) each.value()).getChanged())
              .map(EventLog.Entry::key).distinct().count() == 4;
        });
  }

  private static EventLog read(Topics topics) {
    return EventLogReader.all(SharedBroker.access(), new BuiltInRegistry(topics.all()), topics);
  }

  /** Returns the output of {@code tail} in a format. */
  private String printed(Path folder, String format) {
    try (var tail = ProgramProcess.start(folder, "tail", "pool.changes", "global.changes", "treasury.changes",
        "holding.changes", "platform.changes", "--config", "tidemark.yaml", "--from", "beginning", "--format", format,
        "--count", Integer.toString(changes().size()))) {
      return tail.await();
    }
  }

  private List<RecordedChange> changes() {
    return eventLog.topics().resources().stream().flatMap(each -> changes(each.resource()).stream()).toList();
  }

  private List<RecordedChange> changes(String resource) {
    return eventLog.in(eventLog.topics().resource(resource).changes()).map(entry -> new RecordedChange(resource, entry))
        .toList();
  }

  private RecordedChange newest(String resource) {
    return changes(resource).getLast();
  }
}
