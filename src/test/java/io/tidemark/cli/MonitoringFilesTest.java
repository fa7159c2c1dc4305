package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MonitoringFilesTest {

  @Test
  void everyAlert_saysWhatItMeansAndWhereToReadOn() throws Exception {
    var guide = Files.readString(MonitoringFiles.GUIDE);

    assertThat(MonitoringFiles.rules()).hasSizeGreaterThan(20).allSatisfy(rule -> {
      var name = rule.get("alert").asText();
      assertThat(rule.at("/labels/severity").asText()).as(name).isIn("critical", "warning", "info");
      assertThat(rule.at("/annotations/summary").asText()).as(name).isNotBlank();
      assertThat(rule.at("/annotations/runbook").asText())
          .isEqualTo("docs/operations.md#" + name.toLowerCase(Locale.ROOT));
      assertThat(guide).contains("\n### " + name + "\n");
    });
  }

  @Test
  void everyPanel_hasAQuestion() throws Exception {
    assertThat(MonitoringFiles.dashboardExpressions()).hasSizeGreaterThan(40);
    assertThat(MonitoringFiles.metrics(MonitoringFiles.dashboardExpressions()))
        .as("what it is about").contains("tidemark_polls_total", "tidemark_budget_left_calls");
  }

  /** A reader of committed records is never exactly at 0: the ends of transactions have offsets, too. */
  @Test
  void ruleAboutLag_allowsForTheEndsOfTransactions() throws Exception {
    assertThat(MonitoringFiles.ruleExpressions())
        .filteredOn(expression -> expression.contains("_lag_"))
        .isNotEmpty()
        .allSatisfy(expression -> assertThat(expression).contains("20 * sum by (source) (tidemark_stream_partitions)"));
  }
}
