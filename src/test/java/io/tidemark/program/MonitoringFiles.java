package io.tidemark.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The shipped dashboard and Prometheus rules, parsed. */
final class MonitoringFiles {

  static final Path RULES = Path.of("helm/tidemark/files/prometheus-rules.yaml");
  static final Path RULE_TESTS = Path.of("src/test/resources/prometheus-rules-test.yaml");
  static final Path DASHBOARD = Path.of("helm/tidemark/files/grafana-dashboard.json");
  static final Path GUIDE = Path.of("docs/running/monitoring.md");
  static final Path RUNBOOKS = Path.of("docs/running/runbooks.md");

  /** The name of a metric. */
  static final Pattern NAME =
      Pattern.compile("\\b(tidemark|kafka|jvm|process|system|logback|reactor_netty)_[a-z0-9_]+");

  private MonitoringFiles() {}

  static List<JsonNode> rules() throws IOException {
    return new ObjectMapper(new YAMLFactory()).readTree(Files.readString(RULES)).findValues("rules").stream()
        .flatMap(JsonNode::valueStream)
        .toList();
  }

  static List<String> ruleExpressions() throws IOException {
    return rules().stream().map(rule -> rule.get("expr").asText()).toList();
  }

  static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(Files.readString(DASHBOARD));
  }

  static List<String> dashboardExpressions() throws IOException {
    return dashboard().findValuesAsText("expr");
  }

  /** Names of the metrics in expressions. */
  static Set<String> metrics(List<String> expressions) {
    return expressions.stream()
        .flatMap(expression -> NAME.matcher(expression).results())
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
