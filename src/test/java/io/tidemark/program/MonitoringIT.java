package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.cli.Main;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics in dashboard, rules and guide exist in a running demo. */
class MonitoringIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final Pattern WHERE = Pattern.compile("metrics +(http://\\S+)");
  static final Pattern SUFFIX = Pattern.compile("_(bucket|count|sum|max)$");

  /** The demo has no receivers and no collector of traces. */
  static final Set<String> ONLY_IF_USED =
      Set.of("tidemark_deliveries_total", "tidemark_deliveries_digested_alerts_total", "tidemark_receiver_accepting",
          "tidemark_receiver_reading", "tidemark_receiver_unreadable_partitions", "tidemark_receiver_waiting_alerts",
          "tidemark_receiver_oldest_waiting_seconds", "tidemark_rule_skipped_records_total",
          "tidemark_trace_spans_total");

  @TempDir
  Path folder;

  final HttpClient http = HttpClient.newHttpClient();
  Process demo;

  @BeforeEach
  void start() throws IOException {
    var java = ProcessHandle.current().info().command().orElseThrow();
    demo = new ProcessBuilder(java, "-Xmx700m", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
        Main.class.getName(), "demo", "--port", "0", "--kafka-port", "0", "--data", folder.resolve("data").toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output").toFile())
        .start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    demo.destroyForcibly().waitFor();
  }

  @Test
  void namedMetrics_exist_andOurMetricsAreDocumented() throws Exception {
    var named = MonitoringFiles.metrics(MonitoringFiles.dashboardExpressions());
    named.addAll(MonitoringFiles.metrics(MonitoringFiles.ruleExpressions()));
    named.removeAll(ONLY_IF_USED);

    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(scraped()).containsAll(named));

    var guide = Files.readString(MonitoringFiles.GUIDE);
    assertThat(scraped()).filteredOn(name -> name.startsWith("tidemark_")).isNotEmpty()
        .allSatisfy(name -> assertThat(guide).contains("`" + SUFFIX.matcher(name).replaceAll("") + "`"));
    var explained = MonitoringFiles.metrics(guide.lines().filter(line -> line.startsWith("| `tidemark_")).toList());
    assertThat(explained).as("the guide's table").containsAll(ONLY_IF_USED)
        .filteredOn(name -> !ONLY_IF_USED.contains(name)).allSatisfy(
            name -> assertThat(scraped()).anyMatch(metric -> SUFFIX.matcher(metric).replaceAll("").equals(name)));
  }

  /** Names of all samples. */
  private Set<String> scraped() throws Exception {
    var where = WHERE.matcher(Files.readString(folder.resolve("output")));
    if (!where.find()) {
      return Set.of();
    }
    var request = HttpRequest.newBuilder(URI.create(where.group(1))).build();
    return http.send(request, BodyHandlers.ofString()).body().lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("[{ ]", 2)[0])
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
