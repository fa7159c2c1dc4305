package io.tidemark.eventlog;

import io.tidemark.audit.Audit;
import io.tidemark.audit.AuditReport;
import io.tidemark.audit.KafkaClusterReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.InstantSource;
import java.util.stream.Collectors;

/** An audit of a cluster, as the command {@code audit} does it. */
public final class ClusterAudit {
  private static final int OBSERVED = 20;

  private ClusterAudit() {}

  public static AuditReport of(KafkaAccess kafka, SchemaRegistry registry, Topics topics) {
    var report = new AuditReport(OBSERVED);
    try (var log = new KafkaClusterReader(kafka.client(), registry, topics.all())) {
      new Audit(topics, log, InstantSource.system()).run(report, (done, total) -> {});
    }
    return report;
  }

  /** Fails with the first violations. */
  public static void holds(KafkaAccess kafka, SchemaRegistry registry, Topics topics) {
    AuditReport report = of(kafka, registry, topics);
    if (!report.clean()) {
      throw new AssertionError(report.violations().stream()
          .map(Object::toString)
          .collect(Collectors.joining("\n", report.counts() + "\n", "")));
    }
  }
}
