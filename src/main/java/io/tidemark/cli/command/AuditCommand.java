package io.tidemark.cli.command;

import io.tidemark.audit.Audit;
import io.tidemark.audit.AuditReport;
import io.tidemark.audit.KafkaClusterReader;
import io.tidemark.cli.print.AuditPrinter;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.KafkaCluster;
import io.tidemark.topic.Topics;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Audits the topics of one source, or of all. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Reads all topics of a source and checks the laws of change events; the source may run meanwhile.",
    footer = {"", "Exit codes: 0 every law holds, 1 a law is violated, 3 Kafka or the registry is not reachable."})
public final class AuditCommand extends CliCommand implements Callable<Integer> {

  @Mixin
  ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME", description = "One source of the configuration (default: all).")
  @Nullable
  String source;

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: for people; json: a line of JSON for each source (default: ${DEFAULT-VALUE}).")
  OutputFormat format = OutputFormat.TEXT;

  @Option(names = "--most", paramLabel = "N", defaultValue = "20",
      description = "How many violations are printed; all are counted (default: ${DEFAULT-VALUE}).")
  int most = 20;

  @Override
  public Integer call() {
    var kafka = cluster.cluster();
    var clean = true;
    for (var topics : cluster.topicsOfAll(source)) {
      clean &= audit(kafka, topics);
    }
    return clean ? 0 : CommandFailure.PROBLEM_FOUND;
  }

  private boolean audit(KafkaCluster kafka, Topics topics) {
    var report = new AuditReport(most);
    try (var reader = new KafkaClusterReader(kafka.clientConfig(), cluster.registry(), topics.all());
        var bar = new ProgressBar(rawErr(), ProgressBar.isTerminal())) {
      new Audit(topics, reader, InstantSource.system()).run(report, bar);
    } catch (TimeoutException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "Kafka stopped answering: " + e.getMessage());
    }
    out().println(format == OutputFormat.JSON
        ? AuditPrinter.json(topics.prefix(), report)
        : AuditPrinter.text(topics.prefix(), report));
    return report.clean();
  }
}
