package io.tidemark.app.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class QuarantineMetricsTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);

  /** There from the start at 0: a rate does not show the first record otherwise. */
  @Test
  void skippedRecords_areCountedByRoleAndTopic() {
    var quarantine = new Quarantine("main", ReaderRole.STREAM, List.of(TOPICS.control()), () -> Instant.EPOCH);
    try (var metrics = new ProgramMetrics("test")) {
      metrics.quarantine(quarantine);
      assertThat(metrics.scrape()).contains(line("0.0"));

      quarantine.add(new UnreadableRecord(
          "t.control", 0, 7, 0, null, "x".getBytes(UTF_8), UnreadableReason.NO_SCHEMA_ID, "no value"));

      assertThat(metrics.scrape()).contains(line("1.0"));
    }
  }

  private static String line(String value) {
    return "tidemark_quarantined_records_total{role=\"stream\",source=\"main\",topic=\"t.control\"} " + value;
  }
}
