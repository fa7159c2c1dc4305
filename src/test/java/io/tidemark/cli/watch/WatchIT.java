package io.tidemark.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.Main;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The watch list of a running source is changed, without a restart. */
class WatchIT {

  static final Duration TIMEOUT = Duration.ofMinutes(2);
  static final String TRENDING = "/networks/eth/trending_pools";

  @TempDir
  Path folder;

  final RunningComponents running = new RunningComponents();
  final MarketServer market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "key",
      new SimulatorSettings(7, Scenario.CALM, 50), operation -> Duration.ofSeconds(1), ResponseJournal.none());
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @AfterEach
  void close() {
    running.close();
    market.close();
  }

  @Test
  void targets_areAddedAndRemoved_whileTheSourceRuns() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, """
        kafka: { bootstrap-servers: "%s" }
        web: { port: 0 }
        management: { port: 0 }
        topics: { partitions: 1 }
        sources:
          - prefix: %s
            base-url: %s
            keys: [ { per-minute: 3000, per-month: 100000000 } ]
            max-round: 1m
            refresh: { new_pools: 1s, global: 1s, trending_pools: 1s, pool: 1s }
            watch:
              global: {}
              networks: { solana: { new-pools: {} } }
              follow: [ { entering: new, for: 1h, most: 2 } ]
        """.formatted(SharedBroker.bootstrapServers(), SharedBroker.freshPrefix(), market.baseUrl()));
    var file = config.toString();
    var settings = Settings.parse(file, Files.readString(config),
        name -> name.equals("TIDEMARK_SOURCES_0_KEYS_0_KEY") ? "key" : null);
    new Application(settings, folder.resolve("streams"), running).start(EnumSet.of(Role.POLL));

    assertThat(run("watch", "add", TRENDING, "--weight", "2", "--config", file)).as(err.toString()).isZero();

    assertThat(run("watch", "add", TRENDING, "--weight", "3", "--config", file)).isEqualTo(1);
    assertThat(err.toString()).contains("is watched already, as " + TRENDING);
    assertThat(run("watch", "add", "/networks/solana/new_pools?include=dex", "--config", file)).isEqualTo(1);
    assertThat(err.toString()).contains("is watched already, as /networks/solana/new_pools");
    assertThat(run("watch", "add", "/global", "--config", file)).isEqualTo(1);
    await().atMost(TIMEOUT).until(() -> !observed(file, TRENDING).isEmpty());
    await().atMost(TIMEOUT).until(() -> list(file).filter(each -> each.get("added_by").asText().equals("follow new")
        && !each.get("observed_at").asText().isEmpty()).count() == 2);
    assertThat(run("watch", "ls", "--config", file)).isZero();
    assertThat(out.toString()).contains("configuration", "follow new", TRENDING)
        .containsPattern(" [0-9]+s ago +follow new ");

    out.getBuffer().setLength(0);
    assertThat(run("plan", "--live", "--json", "--config", file)).as(err.toString()).isZero();
    var live = new ObjectMapper().readTree(out.toString()).get("targets");
    assertThat(live).hasSize(5).allSatisfy(each -> {
      assertThat(each.get("staleness_seconds").isNumber()).isTrue();
      assertThat(each.get("next_poll_seconds").asDouble()).isLessThan(60);
      assertThat(each.get("changes_per_hour").asDouble()).isPositive();
      assertThat(each.get("changes_per_credit").asDouble()).isPositive();
    });
    assertThat(run("plan", "--live", "--config", file)).as(err.toString()).isZero();
    assertThat(out.toString()).contains("Next is /", "2 pools that are watched one by one");

    assertThat(run("watch", "rm", TRENDING, "--config", file)).as(err.toString()).isZero();
    assertThat(list(file)).noneMatch(each -> each.get("target").asText().startsWith(TRENDING));
    assertThat(run("watch", "rm", TRENDING, "--config", file)).isEqualTo(1);
    assertThat(err.toString()).contains("is not watched");
    assertThat(run("watch", "rm", "/global", "--config", file)).isEqualTo(1);
    assertThat(err.toString()).contains("/global is watched by the configuration");
    assertThat(run("watch", "add", "/networks/eth/poools/0x1", "--config", file)).isEqualTo(2);
    assertThat(err.toString()).contains("is not an operation of the interface document");
    for (var wrong : List.of(List.of("nonsense"), List.of("/global", "--for", "soon"))) {
      var arguments = new ArrayList<>(List.of("watch", "add", "--bootstrap", "127.0.0.1:1", "--config", file));
      arguments.addAll(wrong);
      assertThat(run(arguments.toArray(String[]::new))).as("without Kafka").isEqualTo(2);
    }
    assertThat(err.toString()).contains("'nonsense' cannot be watched", "'soon' is not a duration");
    assertThat(run("watch", "add", "/networks/eth/new_pools", "--pages", "500", "--weight", "0", "--config", file))
        .isEqualTo(2);
    assertThat(run("watch", "add", TRENDING, "--pages", "500", "--config", file)).as("fits").isZero();
    assertThat(run("watch", "add", "/networks/base/new_pools", "--pages", "500", "--config", file)).as("fits").isZero();
    var pages = 0;
    var refused = 0;
    for (var network : new String[] {"a", "b", "c", "d", "e"}) {
      pages += 500;
      refused = Math.max(refused, run("watch", "add", "/networks/" + network + "/new_pools", "--pages", "500",
          "--config", file));
    }
    assertThat(refused).as("after " + pages + " pages").isEqualTo(1);
    assertThat(err.toString()).contains("over budget");
  }

  private String observed(String file, String target) throws Exception {
    return list(file).filter(each -> each.get("target").asText().startsWith(target))
        .map(each -> each.get("observed_at").asText()).findFirst().orElse("");
  }

  private Stream<JsonNode> list(String file) throws Exception {
    out.getBuffer().setLength(0);
    assertThat(run("watch", "ls", "--json", "--config", file)).as(err.toString()).isZero();
    return StreamSupport.stream(new ObjectMapper().readTree(out.toString()).spliterator(), false);
  }

  private int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }
}
