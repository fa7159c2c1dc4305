package io.tidemark.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.poll.ScheduleForecast.TargetForecast;
import io.tidemark.cli.Main;
import io.tidemark.cli.print.Terminal;
import io.tidemark.cli.print.TerminalText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code init} writes, and what {@code plan} prints of it. */
class PlanCommandTest {

  static final String CONFIGURATION = """
      kafka: { bootstrap-servers: "127.0.0.1:1" }
      sources:
        - base-url: https://example.org/api/v3
          keys: [ { key: "${NO_SUCH_KEY_OF_A_SERVICE}", per-minute: 30, per-month: %d } ]
          %s
          watch: { networks: { solana: { new-pools: { pages: %d } } }, global: {} }
      """;

  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  @TempDir
  Path folder;

  @ParameterizedTest
  @CsvSource({"demo, alerts", "demo, everything", "basic, alerts", "lite, prices", "pro, everything"})
  void firstConfiguration_passesCheckAndPlan_asWritten(String plan, String purpose) throws IOException {
    var file = folder.resolve("tidemark.yaml").toString();

    assertThat(run("init", "--plan", plan, "--for", purpose, "--networks", "solana,base,some-chain", "--config", file))
        .as(err.toString()).isZero();
    assertThat(run("check", "--offline", "--config", file)).as(err.toString()).isZero();
    assertThat(run("plan", "--config", file)).as(err.toString() + out).isZero();
    assertThat(Files.readString(Path.of(file))).contains("# Credits: ", "they last to the last day of the month");
  }

  /** The row of each plan in the README is what {@code init} writes for it, computed by {@code plan}. */
  @ParameterizedTest
  @FieldSource("io.tidemark.cli.plan.FirstConfiguration#PLANS")
  void readme_saysWhatEachPlanGives(String plan) throws IOException {
    var first = new FirstConfiguration(plan, FirstConfiguration.ALERTS, FirstConfiguration.NETWORKS, null, null);
    var source = Settings.parse("tidemark.yaml", first.text(List.of()), name -> null).sources().getFirst();
    var forecast = SourcePlan.of(source, Map.of()).forecast();
    var lists = forecast.targets().stream().filter(each -> each.pools() > 0).toList();
    var staleness = lists.stream().map(TargetForecast::staleness).sorted().map(TerminalText::duration).toList();
    var seen = lists.stream().map(TargetForecast::newPools).filter(Objects::nonNull).map(PlanPrinter::percent).toList();

    assertThat(Path.of(System.getProperty("basedir", "."), "README.md")).content()
        .contains("| %s | %,d | %,d | %d | %s | %s |\n".formatted(plan, source.limits().perMinute(),
            source.limits().perMonth(), lists.stream().mapToInt(TargetForecast::pools).sum(),
            Stream.of(staleness.getFirst(), staleness.getLast()).distinct().collect(Collectors.joining(" to ")),
            String.join(" | ", seen)));
  }

  @Test
  void init_asksTheHostOfThePlan_orTheOneThatIsNamed() throws IOException {
    var file = folder.resolve("tidemark.yaml");

    assertThat(run("init", "--plan", "analyst", "--for", "alerts", "--config", file.toString())).isZero();
    assertThat(file).content().contains("https://pro-api.coingecko.com/api/v3", "key-header: x-cg-pro-api-key");
    out.getBuffer().setLength(0);
    assertThat(run("init", "--plan", "demo", "--for", "alerts", "--config", file.toString(), "--force", "--base-url",
        "http://127.0.0.1:1/api/v3")).isZero();
    assertThat(file).content().contains("http://127.0.0.1:1/api/v3").doesNotContain("coingecko.com");
    assertThat(out.toString()).contains("http://127.0.0.1:1/api/v3,").doesNotContain("set base-url");
  }

  @Test
  void init_withoutATerminal_namesTheMissingOption() {
    assertThat(run("init", "--for", "alerts")).isEqualTo(2);
    assertThat(err.toString()).contains("--plan is missing; it must be one of demo, basic");
    assertThat(run("init", "--plan", "dmeo", "--for", "alerts")).isEqualTo(2);
    assertThat(err.toString()).contains("did you mean 'demo'?");
  }

  @Test
  void init_replacesNoFile() throws IOException {
    var file = folder.resolve("tidemark.yaml");
    Files.writeString(file, "mine");

    assertThat(run("init", "--plan", "demo", "--for", "alerts", "--config", file.toString())).isEqualTo(2);
    assertThat(file).hasContent("mine");
    assertThat(run("init", "--plan", "demo", "--for", "alerts", "--config", file.toString(), "--force")).isZero();
  }

  @Test
  void plan_needsNoKey_andIsATable() throws IOException {
    assertThat(run("plan", "--config", configuration("", 1))).isZero();

    assertThat(out.toString())
        .contains("source main: 30 a minute, 10,000 a month", "/networks/solana/new_pools ", "together",
            "of 10,000 a month", "they last to the last day of the month", "if solana 1,565 an hour are created")
        .doesNotContain("include=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "pro"})
  void plan_fitsATerminalOf80Columns(String plan) {
    var first = new FirstConfiguration(plan, "everything", List.of("solana", "base"), null, null);
    var source = Settings.parse("tidemark.yaml", first.text(List.of()), name -> null).sources().getFirst();

    var lines = PlanPrinter.lines(SourcePlan.of(source, Map.of()), Terminal.of(80, false));

    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .contains("/networks/solana/new_pools").anyMatch(line -> line.endsWith("credits/month"));
  }

  @Test
  void assumedNewPools_changeTheShare() throws IOException {
    var file = configuration("", 1);

    assertThat(plan(file).at("/0/new_pools_observed").asDouble()).isBetween(0.02, 0.15);
    var assumed = plan(file, "--new-pools", "solana=60");
    assertThat(assumed.at("/0/new_pools_observed").asDouble()).isEqualTo(1);
    assertThat(assumed.at("/0/assumed_new_pools_per_hour/solana").asInt()).isEqualTo(60);
  }

  @Test
  void sameConfiguration_givesTheSamePlan() throws IOException {
    var file = configuration("", 2);

    var plan = plan(file);

    assertThat(plan(file)).isEqualTo(plan);
    assertThat(plan.at("/0/credits_per_month").asInt()).isBetween(9_900, 10_000);
    assertThat(plan.at("/0/kept").asBoolean()).isTrue();
  }

  @Test
  void roundThatTakesTooLong_isRefusedWithTheNearest() throws IOException {
    assertThat(run("plan", "--config", configuration("", 200))).isEqualTo(2);
    assertThat(err.toString()).contains("one round of the watch list takes 15h", "max-round is 6h",
        "The nearest watch list that fits: at most 79 pages of each list instead of 200 (80 calls a round)",
        "max-round: 15h");
  }

  @Test
  void limitOfAgeThatCannotBeKept_isRefusedWithTheNearest() throws IOException {
    assertThat(run("plan", "--config", configuration("max-age: 10m", 1))).isEqualTo(2);
    assertThat(err.toString()).contains("max-age: cannot be kept", "the smallest max-age that can be kept is 12m");
    assertThat(run("plan", "--config", configuration("max-age: 12m", 1))).as(out.toString()).isZero();
  }

  @Test
  void maxAgeNotKeptByTheForecast_isRefused_namingOneThatIsKept() throws IOException {
    var option = "max-age: %dm\n    refresh: { global: 5m }";

    assertThat(run("plan", "--config", configuration(option.formatted(5), 1, 40_000))).as(out.toString()).isEqualTo(1);
    var nearest = Pattern.compile("max-age: 5m is not kept, because .* max-age: (\\d+)m is kept")
        .matcher(out.toString());
    assertThat(nearest.find()).as(out.toString()).isTrue();
    assertThat(run("plan", "--config",
        configuration(option.formatted(Integer.parseInt(nearest.group(1))), 1, 40_000))).as(out.toString()).isZero();
  }

  @Test
  void tokensByTheHundred_comeFromAFile_andAreAllPolled() throws IOException {
    Files.write(folder.resolve("tokens.txt"),
        IntStream.range(0, 300).mapToObj("0x%040x # a token"::formatted).toList());
    var file = folder.resolve("tokens.yaml");
    Files.writeString(file, """
        sources:
          - base-url: https://example.org/api/v3
            keys: [ { per-minute: 500, per-month: 500000 } ]
            watch: { networks: { eth: { dexes: { uniswap_v3: { pages: 5 } }, tokens: { file: tokens.txt } } } }
        """);

    var plan = plan(file.toString());

    assertThat(plan.at("/0/targets")).hasSize(301)
        .allSatisfy(each -> assertThat(each.get("polls_per_day").asDouble()).isGreaterThan(12));
    assertThat(plan.at("/0/credits_per_month").asInt()).isBetween(490_000, 500_000);
    assertThat(run("plan", "--config", file.toString())).isZero();
    assertThat(out.toString()).contains("300 tokens are watched one by one", "... and 241 more");
  }

  private String configuration(String option, int pages) throws IOException {
    return configuration(option, pages, 10_000);
  }

  private String configuration(String option, int pages, int perMonth) throws IOException {
    var file = folder.resolve("plan.yaml");
    Files.writeString(file, CONFIGURATION.formatted(perMonth, option, pages));
    return file.toString();
  }

  private JsonNode plan(String file, String... options) throws IOException {
    out.getBuffer().setLength(0);
    var arguments = new ArrayList<>(List.of("plan", "--config", file, "--json"));
    arguments.addAll(List.of(options));
    assertThat(run(arguments.toArray(String[]::new))).as(err.toString()).isZero();
    return new ObjectMapper().readTree(out.toString());
  }

  private int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(arguments);
  }
}
