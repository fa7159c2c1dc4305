package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.Main;
import io.tidemark.eventlog.ProgramProcess;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every example of {@code docs/using} works: commands run against one demo, in the order of the pages, and configurations
 * are read. What cannot run is marked in the page: {@code not-run:} and the reason, behind the language of the block. The
 * metrics in dashboard, rules and guide exist in the same demo.
 */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class DocumentedExamplesIT {

  static final Path PAGES = Compose.ROOT.resolve("docs/using");
  static final Path NODE_MODULES = Compose.ROOT.resolve("src/test/node/node_modules");
  static final Pattern BLOCK = Pattern.compile("(?m)^```(\\S*)(?: ([^\n]*))?\n((?s:.*?))^```$");
  static final Pattern ADDRESSES = Pattern.compile("Kafka +(\\S+)\\s+mirror +http://(\\S+)/api/v3");
  static final Pattern KEY = Pattern.compile("key +(tidemark_\\S+)");
  static final Pattern METRICS = Pattern.compile("metrics +(http://\\S+)");
  static final Pattern SUFFIX = Pattern.compile("_(bucket|count|sum|max)$");
  private static final String FILE = "[\\w-]+\\.\\w+";
  static final String NOT_RUN = "not-run: ";

  /** Runs until it is stopped, and is stopped when it has printed something. */
  static final List<String> FOLLOWING = List.of("tail", "receivers listen", "simulate");
  static final Duration FOLLOWED_FOR = Duration.ofSeconds(4);
  static final Duration AT_MOST = Duration.ofMinutes(3);
  static final Duration STARTED_WITHIN = Duration.ofMinutes(2);
  static final Duration MEASURED_WITHIN = Duration.ofMinutes(4);

  /** Metrics that exist only after something was delivered, digested or skipped, or with a collector of traces. */
  static final Set<String> ONLY_IF_USED =
      Set.of("tidemark_deliveries_total", "tidemark_deliveries_digested_alerts_total", "tidemark_receiver_accepting",
          "tidemark_receiver_reading", "tidemark_receiver_unreadable_partitions", "tidemark_receiver_waiting_alerts",
          "tidemark_receiver_oldest_waiting_seconds", "tidemark_rule_skipped_records_total",
          "tidemark_trace_spans_total");

  /** @param info what stands behind the language: a file, a kind, or why it is not run */
  record Block(String page, String language, String info, String text) {}

  /** A command with its continued lines. */
  record Command(String page, String text) {
    @Override
    public String toString() {
      return page + ": " + text;
    }
  }

  @TempDir
  static Path folder;

  final HttpClient http = HttpClient.newHttpClient();
  HttpServer receiver;
  ProgramProcess demo;
  String kafka;
  String web;
  String key;

  @BeforeAll
  void startDemo() throws Exception {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", exchange -> {
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    });
    receiver.start();
    demo = ProgramProcess.start(folder, "demo", "--port", "0", "--kafka-port", "0", "--data", "data/demo", "--receiver",
        "http://127.0.0.1:" + receiver.getAddress().getPort());
    await().atMost(STARTED_WITHIN).until(() -> {
      demo.assertAtWork();
      return ADDRESSES.matcher(demo.log()).find() && KEY.matcher(demo.log()).find();
    });
    var addresses = ADDRESSES.matcher(demo.log()).results().findFirst().orElseThrow();
    kafka = addresses.group(1);
    web = addresses.group(2);
    key = KEY.matcher(demo.log()).results().findFirst().orElseThrow().group(1);
    writeFiles();
    await().atMost(STARTED_WITHIN).until(() -> Stream.of("/api/v3/public_treasury/bhutan", "/api/v3/global",
        "/api/v3/onchain/networks/eth/dexes/uniswap_v3/pools").allMatch(path -> status(path) == 200));
  }

  /** What the pages take for granted, and the files that they show. */
  private void writeFiles() throws IOException {
    Files.createSymbolicLink(folder.resolve("src"), Compose.ROOT.resolve("src").toAbsolutePath());
    Files.createSymbolicLink(folder.resolve("node_modules"), NODE_MODULES.toAbsolutePath());
    Files.createSymbolicLink(folder.resolve("tidemark.yaml"), folder.resolve("data/demo/tidemark.yaml"));
    var rules = blocks().filter(each -> each.page().equals("rules.md") && each.language().equals("yaml")).findFirst();
    Files.writeString(folder.resolve("mine.yaml"), rules.orElseThrow().text());
    Files.writeString(folder.resolve("telegram-url"), "https://example.org/bot");
    for (var block : blocks().filter(each -> each.info().matches(FILE)).toList()) {
      Files.writeString(folder.resolve(block.info()), block.text());
    }
  }

  @AfterAll
  void stopDemo() {
    demo.stop();
    receiver.stop(0);
  }

  @Test
  void everyBlock_isRunOrSaysWhyNot() {
    assertThat(blocks()).isNotEmpty().allSatisfy(block -> assertThat(block).satisfiesAnyOf(
        each -> assertThat(each.language()).isIn("sh", "yaml", "text"),
        each -> assertThat(each.info()).startsWith(NOT_RUN).hasSizeGreaterThan(NOT_RUN.length() + 10),
        each -> assertThat(each.info()).as("a file that a command runs, or a kind").matches(FILE + "|template")));
    assertThat(blocks().filter(each -> each.language().equals("text")).map(Block::text))
        .noneMatch(text -> Pattern.compile("(?m)^(\\./)?(tidemark|curl|kcat|node|python3) ").matcher(text).find());
  }

  /** At the end, when the demo has run long enough to have all of them. */
  @Test
  @Order(Integer.MAX_VALUE)
  void namedMetrics_exist_andOurMetricsAreDocumented() throws Exception {
    var named = MonitoringFiles.metrics(MonitoringFiles.dashboardExpressions());
    named.addAll(MonitoringFiles.metrics(MonitoringFiles.ruleExpressions()));
    named.removeAll(ONLY_IF_USED);

    await().atMost(MEASURED_WITHIN).pollInterval(Duration.ofSeconds(1))
        .untilAsserted(() -> assertThat(measured()).containsAll(named));

    var guide = Files.readString(MonitoringFiles.GUIDE);
    assertThat(measured()).filteredOn(name -> name.startsWith("tidemark_")).isNotEmpty()
        .allSatisfy(name -> assertThat(guide).contains("`" + SUFFIX.matcher(name).replaceAll("") + "`"));
    var explained = MonitoringFiles.metrics(guide.lines().filter(line -> line.startsWith("| `tidemark_")).toList());
    assertThat(explained).as("the guide's table").containsAll(ONLY_IF_USED)
        .filteredOn(name -> !ONLY_IF_USED.contains(name)).allSatisfy(
            name -> assertThat(measured()).anyMatch(metric -> SUFFIX.matcher(metric).replaceAll("").equals(name)));
  }

  /** Names of all samples. */
  private Set<String> measured() throws Exception {
    var address = METRICS.matcher(demo.log()).results().findFirst().orElseThrow().group(1);
    return http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofString()).body().lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static Stream<Block> configurations() {
    return blocks().filter(each -> each.language().equals("yaml") && !each.info().matches(FILE)
        && !each.text().contains("rules:\n  - name") && !each.text().contains("\n  # 1. "));
  }

  @ParameterizedTest
  @MethodSource("configurations")
  void configuration_isRead(Block block) throws IOException {
    var file = folder.resolve("example.yaml");
    Files.writeString(file, block.text().replace("/run/secrets/telegram-url", "telegram-url")
        + "\nsources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]\n");

    assertThat(Settings.read(file, name -> null).sources()).hasSize(1);
  }

  @Test
  void templateOfAReceiver_isRead() throws IOException {
    var template = blocks().filter(each -> each.info().equals("template")).findFirst().orElseThrow();
    Files.writeString(folder.resolve("body.json"), template.text());
    Files.writeString(folder.resolve("example.yaml"), """
        receivers: [ { name: mine, format: template, template: body.json, url-file: telegram-url } ]
        sources: [ { base-url: https://example.org/api/v3, watch: { global: {} } } ]
        """);

    assertThat(Settings.read(folder.resolve("example.yaml"), name -> null).receivers()).hasSize(1);
  }

  static Stream<Command> commands() {
    return blocks().filter(each -> each.language().equals("sh") && !each.info().startsWith(NOT_RUN))
        .flatMap(block -> block.text().replace("\\\n", " ").lines()
            .map(line -> line.replaceFirst("(^|\\s{2,})#.*", "").strip())
            .filter(line -> !line.isEmpty())
            .map(line -> new Command(block.page(), line)));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void command_works(Command command) throws Exception {
    var text = command.text()
        .replace("localhost:9092", kafka)
        .replace("http://localhost:8081/apis/ccompat/v7", "http://" + web + "/registry")
        .replace("127.0.0.1:8080", web)
        .replaceFirst("--port \\d+", "--port 0")
        .replaceFirst("^(\\./tidemark rules apply [\\w.]+)$", "$1 --wait 120");
    var program = text.replaceFirst("^\\./tidemark ", "");
    if (!program.equals(text)) {
      runTidemark(words(program));
    } else {
      runInShell(text);
    }
  }

  private void runTidemark(List<String> written) throws Exception {
    var arguments = new ArrayList<>(written.stream().map(this::inFolder).toList());
    if (takesConfig(arguments) && !arguments.contains("--config")) {
      arguments.addAll(List.of("--config", folder.resolve("tidemark.yaml").toString()));
    }
    var follows = FOLLOWING.stream().anyMatch(each -> String.join(" ", arguments).startsWith(each));
    var out = new StringWriter();
    var err = new StringWriter();
    var running = new FutureTask<>(() -> Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new)));
    var thread = Thread.ofPlatform().daemon().start(running);
    var end = System.nanoTime() + (follows ? FOLLOWED_FOR : AT_MOST).toNanos();
    while (System.nanoTime() < end && !(follows && out.getBuffer().length() > 0)) {
      try {
        assertThat(running.get(100, TimeUnit.MILLISECONDS)).as("%s%s", out, err).isZero();
        return;
      } catch (TimeoutException e) {
        // goes on
      }
    }
    thread.interrupt();
    assertThat(follows).as("still runs after %s:%n%s%s", AT_MOST, out, err).isTrue();
  }

  private static boolean takesConfig(List<String> arguments) {
    var command = Main.commandLine();
    for (var word : arguments) {
      var next = command.getSubcommands().get(word);
      if (next == null) {
        break;
      }
      command = next;
    }
    return command.getCommandSpec().optionsMap().containsKey("--config") && !arguments.contains("check");
  }

  private String inFolder(String word) {
    var file = word.matches("[\\w/.-]+") ? folder.resolve(word) : folder;
    return Files.isRegularFile(file) ? file.toString() : word;
  }

  /** The words of a line, as a shell splits it. */
  private static List<String> words(String line) {
    return Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)").matcher(line).results()
        .map(word -> word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3))
        .toList();
  }

  private void runInShell(String text) throws Exception {
    assumeTrue(!text.startsWith("node ") || Files.isDirectory(NODE_MODULES), "needs 'npm install' in src/test/node");
    assumeTrue(!text.startsWith("kcat ") || isThere("kcat"), "needs kcat");
    assumeTrue(!text.startsWith("python3 ") || hasPackages(),
        "needs Python with Debian's python3-confluent-kafka and python3-avro");
    var follows = text.startsWith("curl -N") || text.startsWith("kcat");
    var line = text.replaceFirst("^curl ", "curl -fsS " + (follows ? "--max-time 3 " : "--max-time 60 --retry 5 "))
        .replaceFirst("^python3", ForeignConsumersIT.PYTHON)
        .replaceFirst("^java", ProcessHandle.current().info().command().orElse("java"));
    var log = Files.createTempFile(folder, "command-", ".log");
    var builder = new ProcessBuilder("timeout", follows ? "5" : "120", "bash", "-c", line).directory(folder.toFile())
        .redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(Map.of("KEY", key, "CLASSPATH", classPath(),
        "JDK_JAVA_OPTIONS", String.join(" ", ProgramProcess.SHORT_RUN)));
    var code = builder.start().waitFor();

    assertThat(code).as(Files.readString(log)).matches(each -> each == 0 || (follows && (each == 28 || each == 124)));
  }

  private static boolean hasPackages() throws InterruptedException {
    try {
      return new ProcessBuilder(ForeignConsumersIT.PYTHON, "-c", "import avro, confluent_kafka").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isThere(String program) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private static String classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(each -> Path.of(each).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private int status(String path) {
    try {
      return http.send(HttpRequest.newBuilder(URI.create("http://" + web + path)).build(), BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  static Stream<Block> blocks() {
    try (var files = Files.list(PAGES)) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList().stream()
          .flatMap(DocumentedExamplesIT::blocks);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Block> blocks(Path page) {
    try {
      return BLOCK.matcher(Files.readString(page)).results().map(found -> new Block(page.getFileName().toString(),
          found.group(1), found.group(2) == null ? "" : found.group(2), found.group(3)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
