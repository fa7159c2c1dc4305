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
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Reads all topics of a source back and proves the laws of change events; it may be running meanwhile.",
    footer = {"", "Exit codes: 0 every law holds, 1 one is broken, 3 Kafka or the registry is not reachable."})
public final class AuditCommand implements Callable<Integer> {

  /** How what is found is printed. */
  enum Format {
    text,
    json
  }

  @Mixin
  ClusterOptions place = new ClusterOptions();

  @Option(names = "--source", paramLabel = "NAME", description = "One source of the configuration (default: all).")
  @Nullable
  String source;

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: for people; json: one line of JSON a source (default: ${DEFAULT-VALUE}).")
  Format format = Format.text;

  @Option(names = "--most", paramLabel = "N", defaultValue = "20",
      description = "Offences that are shown; all are counted (default: ${DEFAULT-VALUE}).")
  int most = 20;

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public Integer call() {
    var cluster = place.cluster();
    var clean = true;
    for (var topics : place.topicsOfAll(source)) {
      clean &= audit(cluster, topics);
    }
    return clean ? 0 : CommandFailure.PROBLEM_FOUND;
  }

  private boolean audit(KafkaCluster cluster, Topics topics) {
    var report = new AuditReport(most);
    var terminal = Objects.requireNonNull(spec).commandLine();
    try (var log = new KafkaClusterReader(cluster.clientConfig(), place.registry(), topics.all());
        var bar = new ProgressBar(terminal.getErr(), ProgressBar.isTerminal())) {
      if (topics.all().stream().allMatch(topic -> log.partitions(topic.name()) == 0)) {
        throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "no topic begins with '" + topics.prefix() + "' at "
            + cluster.bootstrapServers() + "; is the prefix right?");
      }
      new Audit(topics, log, InstantSource.system()).run(report, bar);
    } catch (TimeoutException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "Kafka stopped answering: " + e.getMessage());
    }
    terminal.getOut().println(
        format == Format.json ? AuditPrinter.json(topics.prefix(), report) : AuditPrinter.of(topics.prefix(), report));
    terminal.getOut().flush();
    return report.clean();
  }
}
