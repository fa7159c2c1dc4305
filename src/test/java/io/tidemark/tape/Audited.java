package io.tidemark.tape;

import io.tidemark.audit.Audit;
import io.tidemark.audit.KafkaLog;
import io.tidemark.audit.Report;
import io.tidemark.embedded.Access;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topics;
import java.time.InstantSource;
import java.util.stream.Collectors;

/** A cluster that was read back, as the command does it. */
public final class Audited {
  private static final int SHOWN = 20;

  private Audited() {}

  public static Report of(Access kafka, Registry registry, Topics topics) {
    var report = new Report(SHOWN);
    try (var log = new KafkaLog(kafka.client(), registry, topics.all())) {
      new Audit(topics, log, InstantSource.system()).run(report, (done, total) -> {});
    }
    return report;
  }

  /** Fails with the first offences. */
  public static void holds(Access kafka, Registry registry, Topics topics) {
    Report report = of(kafka, registry, topics);
    if (!report.clean()) {
      throw new AssertionError(report.first().stream()
          .map(Object::toString)
          .collect(Collectors.joining("\n", report.counts() + "\n", "")));
    }
  }
}
