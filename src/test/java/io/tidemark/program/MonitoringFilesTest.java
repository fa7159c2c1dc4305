package io.tidemark.program;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitoringFilesTest {

  static final String OF_THE_JOB = "[a-z0-9_]+\\{job=\"tidemark\"[,}]";
  static final String SCOPE = "{namespace=~\"$namespace\",job=~\"$job\",instance=~\"$instance\"";
  static final String OF_THE_VARIABLES = "[a-z0-9_]+" + Pattern.quote(SCOPE) + "[,}]";

  @Test
  void everyAlert_hasSummaryAndRunbook() throws Exception {
    var runbooks = Files.readString(MonitoringFiles.RUNBOOKS);

    assertThat(MonitoringFiles.rules()).hasSizeGreaterThan(20).allSatisfy(rule -> {
      var name = rule.get("alert").asText();
      assertThat(rule.at("/labels/severity").asText()).as(name).isIn("critical", "warning", "info");
      assertThat(rule.at("/annotations/summary").asText()).as(name).isNotBlank();
      assertThat(rule.at("/annotations/runbook_url").asText())
          .isEqualTo("docs/running/runbooks.md#" + name.toLowerCase(Locale.ROOT));
      assertThat(runbooks).contains("\n## " + name + "\n");
    });
  }

  /** Without it, alerts and panels are also about what other teams run. */
  @Test
  void everyMetric_isThatOfThisRelease() throws Exception {
    assertThat(MonitoringFiles.ruleExpressions())
        .allSatisfy(each -> assertThat(each.replaceAll(OF_THE_JOB, "")).doesNotContainPattern(MonitoringFiles.NAME));
    assertThat(MonitoringFiles.dashboardExpressions()).allSatisfy(
        each -> assertThat(each.replaceAll(OF_THE_VARIABLES, "")).doesNotContainPattern(MonitoringFiles.NAME));
  }

  @Test
  void everyQueryOfAPanel_selectsByTheVariables() throws Exception {
    var panels = MonitoringFiles.dashboard().path("panels").valueStream()
        .filter(panel -> !panel.path("type").asText().equals("row")).toList();

    assertThat(panels).hasSizeGreaterThan(20).allSatisfy(panel -> {
      var queries = panel.path("targets").findValuesAsText("expr");
      assertThat(queries).as(panel.path("title").asText()).isNotEmpty().allSatisfy(query -> assertThat(query)
          .contains(SCOPE).doesNotContainPattern("\\{(?!" + Pattern.quote(SCOPE.substring(1)) + "[,}])"));
    });
  }

  /** All is every value that has Tidemark. Only a namespace may be absent, and {@code .*} matches that too. */
  @Test
  void allJobsAndInstances_areThoseOfTidemark() throws Exception {
    var variables = MonitoringFiles.dashboard().at("/templating/list").valueStream()
        .collect(toMap(variable -> variable.path("name").asText(), variable -> variable));

    assertThat(variables.get("namespace").path("allValue").asText()).isEqualTo(".*");
    assertThat(List.of("namespace", "job", "instance")).allSatisfy(name -> assertThat(
        variables.get(name).at("/query/query").asText()).startsWith("label_values(tidemark_build_info"));
    assertThat(List.of("job", "instance")).allSatisfy(name -> {
      assertThat(variables.get(name).path("includeAll").asBoolean()).isTrue();
      assertThat(variables.get(name).has("allValue")).isFalse();
    });
  }

  @Test
  void everyPanel_hasAQuery() throws Exception {
    assertThat(MonitoringFiles.dashboardExpressions()).hasSizeGreaterThan(40);
    assertThat(MonitoringFiles.metrics(MonitoringFiles.dashboardExpressions()))
        .as("what it is about").contains("tidemark_polls_total", "tidemark_budget_remaining_calls");
  }

  /** The lag of a read_committed consumer is never exactly 0: transaction markers have offsets too. */
  @Test
  void lagRule_allowsForTransactionMarkers() throws Exception {
    assertThat(MonitoringFiles.ruleExpressions())
        .filteredOn(expression -> expression.contains("_lag_"))
        .isNotEmpty()
        .allSatisfy(expression -> assertThat(expression)
            .contains("20 * sum by (source) (tidemark_stream_partitions{job=\"tidemark\"})"));
  }

  @Test
  void everyAlert_isTestedSilentAndFired() throws Exception {
    var tried = new ObjectMapper(new YAMLFactory()).readTree(MonitoringFiles.RULE_TESTS.toFile())
        .findValues("alert_rule_test").stream().flatMap(JsonNode::valueStream)
        .collect(groupingBy(
            each -> each.path("exp_alerts").isEmpty(), mapping(each -> each.get("alertname").asText(), toSet())));
    var names = MonitoringFiles.rules().stream().map(rule -> rule.get("alert").asText()).toList();

    assertThat(tried.get(true)).as("silent").containsExactlyInAnyOrderElementsOf(names);
    assertThat(tried.get(false)).as("fired").containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void prometheus_firesEachAlert() throws Exception {
    assertThat(promtool("test", "rules", MonitoringFiles.RULE_TESTS.toString())).contains("SUCCESS").contains("exit 0");
  }

  @Test
  void prometheus_acceptsTheConfigurationOfCompose(@TempDir Path folder) throws Exception {
    Files.copy(Path.of("src/main/docker/compose/prometheus.yml"), folder.resolve("prometheus.yml"));
    Files.copy(MonitoringFiles.RULES, folder.resolve("rules.yaml"));

    assertThat(promtool("check", "config", folder.resolve("prometheus.yml").toString())).contains("exit 0");
  }

  private static String promtool(String... arguments) throws Exception {
    var command = Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList();
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8) + "exit " + process.waitFor();
    } catch (IOException e) {
      return abort("needs promtool, of Prometheus: " + e.getMessage());
    }
  }
}
