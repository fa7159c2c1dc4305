package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.CommandFailure;
import io.tidemark.app.config.Settings;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessRight;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages and exit codes of wrong command lines. */
class CommandsTest {

  static final String NOBODY = "127.0.0.1:1";

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @TempDir
  Path folder;

  @Test
  void misspeltTopic_getsASuggestion() {
    assertThat(run("tail", "pool.chnges")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).isEqualTo("tidemark: there is no topic 'pool.chnges'; did you mean 'pool.changes'?\n");
  }

  @Test
  void commandsThatAreNotNamed_areInTheHelpAllTheSame() {
    var all = Main.commandLine();

    assertThat(Main.commandLine(List.of("--help")).getUsageMessage()).isEqualTo(all.getUsageMessage());
    assertThat(Main.commandLine(List.of("rules", "--help")).getSubcommands().get("rules").getUsageMessage())
        .isEqualTo(all.getSubcommands().get("rules").getUsageMessage());
    assertThat(Main.commandLine(List.of("bench")).getSubcommands().get("bench").getSubcommands())
        .containsKeys("freshness", "peers");
  }

  @Test
  void misspeltCommand_isComparedWithAllCommands() {
    Main.commandLine(List.of("topcis")).setErr(new PrintWriter(err)).execute("topcis");

    assertThat(err.toString()).isEqualTo("tidemark: there is no command 'topcis'; did you mean 'topics'?\n");
  }

  @Test
  void hostileText_isEscapedInMessages() {
    assertThat(run("tail", "pool\u009b2J\u202e")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("there is no topic 'pool\\u009b2J\\u202e'");
    assertThat(run("no\u001b[2Jcommand")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("no\\u001b[2Jcommand").doesNotContain("\u001b");
  }

  @Test
  void misspeltCondition_isReportedWithItsPosition() {
    assertThat(run("tail", "pool.changes", "--where", "changed.prise")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString())
        .contains("--where, for tidemark.pool.changes: line 1, column 1", "did you mean changed.price?");
  }

  @Test
  void wrongStartPosition_isRejected() {
    assertThat(run("tail", "pool.changes", "--from", "yesterday")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --from: 'yesterday' is not a start position");
  }

  @Test
  void silenceBeyondTheLimits_isRejected() {
    assertThat(run("rules", "silence", "--rule", "x", "--for", "366d")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("--for: '366d' is not a duration such as 30m, 6h or 7d, at most 365d");
    assertThat(run("rules", "silence", "--rule", "x", "--comment", "c".repeat(501)))
        .isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("comment: must be a text of at most 500 characters");
  }

  @Test
  void backtest_takesDurationsAsTailDoes() {
    assertThat(run("rules", "backtest", "--from", "1h", "--to", "2h")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --from: must be before --to, which is ");
    assertThat(run("rules", "backtest", "--from", "2h", "--to", "1h", "--bootstrap", NOBODY))
        .isEqualTo(CommandFailure.NOT_REACHABLE);
    assertThat(run("rules", "backtest", "--from", "yesterday")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString())
        .contains("--from: 'yesterday' is not a time; use a duration such as 10m, or a time such as");
  }

  @Test
  void topics_printsWhatHasToExist_inEachFormat() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, "sources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]\n");

    assertThat(run("topics", "--config", config.toString(), "--format", "shell")).isZero();
    var commands = out.toString().lines().toList();
    assertThat(commands)
        .allMatch(line -> line.startsWith("kafka-topics.sh --bootstrap-server localhost:9092 --create "))
        .anyMatch(line -> line.contains("--topic tidemark.pool.changes --partitions 6 --replication-factor 1 --config "
            + "cleanup.policy=delete --config max.message.bytes="))
        .anyMatch(line -> line.contains("--topic tidemark.stream-aggregates-repartition --partitions 6 "))
        .anyMatch(line -> line.contains("--topic tidemark.stream-resources-changelog --partitions 6 "))
        .anyMatch(line -> line.contains("--topic tidemark-sources --partitions 8 "))
        .anyMatch(line -> line.contains("--topic tidemark-schemas --partitions 1 "));
    out.getBuffer().setLength(0);
    assertThat(run("topics", "--config", config.toString(), "--format", "strimzi")).isZero();
    assertThat(out.toString().lines().filter("kind: KafkaTopic"::equals)).hasSameSizeAs(commands);
    out.getBuffer().setLength(0);
    assertThat(run("topics", "--config", config.toString(), "--format", "terraform")).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("resource \"kafka_topic\" ")))
        .hasSameSizeAs(commands).contains("resource \"kafka_topic\" \"tidemark_pool_changes\" {");
  }

  @Test
  void topics_printsTheRightsOfEachRole() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, """
        topics: { create: false }
        sources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]
        """);

    assertThat(run("topics", "--config", config.toString(), "--acls", "--format", "shell")).isZero();
    assertThat(out.toString()).contains("kafka-acls.sh --bootstrap-server localhost:9092 --add --allow-principal "
        + "User:tidemark-web --topic tidemark.watch --operation Write\n",
        "User:tidemark-poll --transactional-id tidemark. --resource-pattern-type prefixed --operation Write\n",
        "User:tidemark-reader --topic tidemark. --resource-pattern-type prefixed --operation Read\n")
        .doesNotContain("Create");
    out.getBuffer().setLength(0);
    assertThat(run("topics", "--config", config.toString(), "--acls", "--format", "strimzi")).isZero();
    assertThat(out.toString()).contains("  name: tidemark-stream\n",
        "      - resource: { type: transactionalId, name: \"tidemark.\", patternType: prefix }\n");
    assertThat(run("topics", "--config", config.toString(), "--acls")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("--acls: add --format");
    assertThat(run("topics", "--format", "shell")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("--format: name the configuration with --config");
  }

  @Test
  void missingCluster_isNotReachable() {
    assertThat(run("topics", "--bootstrap", NOBODY)).isEqualTo(CommandFailure.NOT_REACHABLE);
    assertThat(err.toString()).startsWith("tidemark: no Kafka answers at " + NOBODY);
  }

  @Test
  void wrongConfiguration_isWrongUsage_forRunAndCheck() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, "sorces: []\n");

    assertThat(run("run", "--config", config.toString())).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(run("check", "--config", config.toString())).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains(config + ":1:1: unknown key 'sorces'; did you mean 'sources'?");
  }

  @Test
  void tab_isNamedWithItsLine() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, "sources:\n\t- base-url: x\n");

    assertThat(run("run", "--config", config.toString())).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains(config + ":2:1: a tab in the indentation; indent YAML with spaces only");
  }

  @Test
  void noCommand_printsTheHelp() {
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("Usage: tidemark", "demo", "Exit codes");
  }

  @Test
  void misspeltCommand_getsASuggestion() {
    assertThat(run("tial", "pool.changes")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).isEqualTo("tidemark: there is no command 'tial'; did you mean 'tail'?\n");
    assertThat(run("rules", "aply")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("there is no command 'aply'; did you mean 'apply'?");
  }

  @Test
  void commandThatOnlyReadsKafka_needsNoKeyOfTheService() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, """
        kafka: { bootstrap-servers: "%s" }
        sources: [ { base-url: https://example.org/api/v3, keys: [ { key: "${NO_SUCH_KEY_OF_A_SERVICE}" } ],
                     watch: { global: {} } } ]
        """.formatted(NOBODY));

    assertThat(run("topics", "--config", config.toString())).isEqualTo(CommandFailure.NOT_REACHABLE);
    assertThat(run("check", "--offline", "--config", config.toString())).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("environment variable NO_SUCH_KEY_OF_A_SERVICE is not set");
  }

  @Test
  void newKey_isPrintedOnce_withALineThatAcceptsIt() throws Exception {
    assertThat(run("key", "new", "--name", "desk", "--right", "configure")).isZero();
    var printed = out.toString();
    var key = printed.lines().skip(1).findFirst().orElseThrow();
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, printed.substring(printed.indexOf("web:"))
        + "sources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]\n");

    var settings = Settings.read(config, name -> null);

    assertThat(printed.split(key, -1)).as("once").hasSize(2);
    assertThat(err.toString()).isEmpty();
    assertThat(Files.readString(config)).doesNotContain(key);
    var accepted = new AccessKeys(settings.access().keys(), InstantSource.system()).find(key);
    assertThat(accepted).isEqualTo(settings.access().keys().getFirst());
    assertThat(accepted.name()).isEqualTo("desk");
    assertThat(accepted.rights()).containsExactlyInAnyOrder(AccessRight.values());
    assertThat(run("check", "--offline", "--config", config.toString())).isZero();
    assertThat(out.toString()).contains("web: 127.0.0.1 port 8080, keys of desk (may configure)");
  }

  @Test
  void newKeyOfAWrongName_isWrongUsage() {
    assertThat(run("key", "new", "--name", "a b")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --name: must be 1 to 64 letters");
  }

  @Test
  void certificateThatCannotBeRead_isAProblemForCheck() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, """
        web: { tls: { certificate: none.crt, key: none.key } }
        sources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]
        """);

    assertThat(run("check", "--offline", "--config", config.toString())).isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(err.toString()).contains("web.tls.certificate: cannot read " + folder.resolve("none.crt"));
  }

  @Test
  void unknownField_getsASuggestion() {
    assertThat(run("tail", "pool.changes", "--fields", "about.name,price.mve_percent"))
        .isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains(
        "--fields, for tidemark.pool.changes: price.mve_percent: unknown; did you mean price.move_percent?");
  }

  @Test
  void takenPorts_areNamedWithTheirOptions_beforeAnythingStarts() throws Exception {
    try (var web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var kafka = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("demo", "--data", folder.toString(), "--port", "" + web.getLocalPort(), "--kafka-port",
          "" + kafka.getLocalPort())).isEqualTo(CommandFailure.PROBLEM_FOUND);

      assertThat(err.toString()).contains(
          "--port: port " + web.getLocalPort() + " is taken",
          "--kafka-port: port " + kafka.getLocalPort() + " is taken");
      assertThat(out.toString()).isEmpty();
    }
  }

  @Test
  void takenPort_bindsTheFolderToNoMarket() throws Exception {
    try (var web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("demo", "--data", folder.toString(), "--scenario", "rug-pull", "--seed", "7", "--kafka-port", "0",
          "--port", "" + web.getLocalPort())).isEqualTo(CommandFailure.PROBLEM_FOUND);

      try (var files = Files.list(folder)) {
        assertThat(files).containsExactly(folder.resolve("lock"));
      }
    }
  }

  @Test
  void equalPorts_areRejected() {
    assertThat(run("demo", "--data", folder.toString(), "--port", "54321", "--management-port", "54321"))
        .isEqualTo(CommandFailure.PROBLEM_FOUND);
    assertThat(err.toString()).contains("--management-port and --port are both 54321");
  }

  @Test
  void takenPort_isLookedForAtTheAddress() throws Exception {
    try (var web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("demo", "--data", folder.toString(), "--address", "0.0.0.0", "--kafka-port", "0", "--port",
          "" + web.getLocalPort())).isEqualTo(CommandFailure.PROBLEM_FOUND);

      assertThat(err.toString()).contains("is taken; stop what listens on 0.0.0.0:" + web.getLocalPort());
    }
  }

  @Test
  void addressOfAnotherMachine_isRejected() {
    assertThat(run("demo", "--data", folder.toString(), "--address", "192.0.2.1"))
        .isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("--address: this machine has no address 192.0.2.1");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void folderOfAnotherDemo_isLeftAlone() throws Exception {
    try (var channel = FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var first = channel.lock()) {
      assertThat(first.isValid()).isTrue();
      assertThat(run("demo", "--data", folder.toString(), "--port", "0", "--kafka-port", "0"))
          .isEqualTo(CommandFailure.PROBLEM_FOUND);
      assertThat(err.toString()).isEqualTo("tidemark: --data: another demo uses " + folder
          + "; stop it, or choose another folder with --data\n");
      assertThat(folder).isDirectoryContaining(file -> file.endsWith("lock"))
          .isDirectoryNotContaining(file -> !file.endsWith("lock"));
    }
  }

  @Test
  void receiverOfTheDemo_hasToBeAnAddress() {
    assertThat(run("demo", "--data", folder.toString(), "--receiver", "my-chat")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("--receiver: must be an address such as http://127.0.0.1:9999");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void listener_printsWhatAReceiverGets() throws Exception {
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    var ended = CompletableFuture.supplyAsync(() -> run("receivers", "listen", "--port", "" + port, "--count", "1"));
    await().until(() -> err.toString().contains("Listens at http://127.0.0.1:" + port));
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, """
        sources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]
        receivers: [ { name: mine, format: plain, url-file: address, private-addresses: true } ]
        """);
    Files.writeString(folder.resolve("address"), "http://127.0.0.1:" + port);

    var tested = run("receivers", "test", "--config", config.toString(), "mine");

    assertThat(tested).as(err.toString()).isZero();
    assertThat(ended.get(20, TimeUnit.SECONDS)).isZero();
    assertThat(out.toString()).contains("\"rule\":", "mine: the test alert was delivered");
  }

  @Test
  void unknownScenario_isRejectedWithTheKnownOnes() {
    assertThat(run("demo", "--data", folder.toString(), "--scenario", "rugpull"))
        .isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("--scenario: 'rugpull' is unknown; known are calm,", "rug-pull");
  }

  @Test
  void rightConfiguration_isSummarisedOffline() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config, """
        sources:
          - base-url: https://example.org/api/v3
            watch: { global: {}, coins: { bitcoin: { history: { days: 3 } } } }
        """);

    assertThat(run("check", "--offline", "--config", config.toString())).isZero();
    assertThat(out.toString()).isEqualTo(
        """
            source main: 1 target, 1 history; one round takes up to 4 calls; limits: 30 calls a minute, 10000 calls a month; no API key
            rules: %d; 'tidemark rules check' lists the rules that get no data
            web: 127.0.0.1 port 8080, no keys; this machine only
            """
            .formatted(ShippedRules.names().size()));
  }

  @Test
  void ruleThatAReceiverSelectsAndNobodyHas_isNamed() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(folder.resolve("hook"), "https://hooks.example.org/T1/B2/secret");
    Files.writeString(config, """
        sources: [ { base-url: "https://example.org/api/v3", watch: { global: {} } } ]
        receivers:
          - name: desk
            format: slack
            url-file: hook
            match: { rules: [new-pol, new-pool, source-unowned, of-our-own] }
        """);

    assertThat(run("check", "--offline", "--config", config.toString())).as(err.toString()).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("receiver"))).containsExactly(
        "receiver desk: the configuration has no rule 'new-pol'; did you mean new-pool?",
        "receiver desk: the configuration has no rule 'of-our-own'; is it applied with 'tidemark rules apply'?");
  }

  @Test
  void pagesOfPaidPlans_areSaid() throws Exception {
    var config = folder.resolve("tidemark.yaml");
    Files.writeString(config,
        """
            sources:
              - base-url: https://example.org/api/v3
                watch: { networks: { solana: { new-pools: { pages: 11 } } }, coins: { bitcoin: { tickers: { pages: 40 } } } }
            """);

    assertThat(run("check", "--offline", "--config", config.toString())).isZero();
    assertThat(out.toString().lines().filter(line -> line.contains("paid"))).containsExactly("source main:"
        + " /networks/solana/new_pools?include=base_token,dex,quote_token is configured for 11 pages; pages beyond page 10 need a paid plan");
  }

  @Test
  void impossibleSpeed_isRejected() {
    assertThat(run("simulate", "--speed", "1000")).isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).startsWith("tidemark: --speed: must be between 0.1 and 100, got 1000.0");
  }

  @Test
  void dataOfAnotherSeed_isRejected() throws Exception {
    Files.writeString(folder.resolve("seed"), "7");

    assertThat(run("demo", "--data", folder.toString(), "--port", "0", "--kafka-port", "0"))
        .isEqualTo(CommandFailure.WRONG_USAGE);
    assertThat(err.toString()).contains("holds the data of a demo with seed 7: use --seed 7");
  }

  private int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }
}
