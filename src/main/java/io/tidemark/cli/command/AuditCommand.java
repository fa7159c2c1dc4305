package io.tidemark.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.KafkaCluster;
import io.tidemark.audit.Audit;
import io.tidemark.audit.AuditReport;
import io.tidemark.audit.AuditReport.ResourceOutcome;
import io.tidemark.audit.AuditReport.Violation;
import io.tidemark.audit.ConsistencyLaw;
import io.tidemark.audit.KafkaClusterReader;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.kafka.OwnersRegistry;
import io.tidemark.kafka.Topics;
import java.time.InstantSource;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Audits the topics of one source, or of all sources. */
@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Reads all topics of a source and checks that its change events obey the laws in"
        + " docs/running/audit.md, even while the source runs.",
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
      description = "Maximum number of violations to print; all violations are counted (default: ${DEFAULT-VALUE}).")
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
    var registry = cluster.registry();
    OwnersRegistry.requireSame(topics, registry, kafka.clientConfig(), "audit the topics");
    try (var reader = new KafkaClusterReader(kafka.clientConfig(), registry, topics.all());
        var bar = new ProgressBar(rawErr(), ProgressBar.isTerminal())) {
      new Audit(topics, reader, InstantSource.system()).run(report, bar);
    } catch (TimeoutException e) {
      throw new CommandFailure(CommandFailure.NOT_REACHABLE, "Kafka stopped answering: " + e.getMessage());
    }
    out().println(format == OutputFormat.JSON
        ? json(topics.prefix(), report)
        : text(topics.prefix(), report));
    return report.clean();
  }

  private static String text(String prefix, AuditReport report) {
    var counts = new TreeMap<>(report.counts());
    var lines = Stream.of(
        report.violations().stream().map(AuditCommand::text),
        report.unreadable().stream().map(each -> "a record cannot be used, and every role skips it: " + each),
        counts.entrySet().stream().map(each -> "%,10d violations: %s".formatted(each.getValue(), each.getKey().text())),
        Stream.of(summary(prefix, report)))
        .flatMap(each -> each);
    return lines.collect(Collectors.joining("\n"));
  }

  private static String text(Violation violation) {
    return """
        %s
            %s, partition %d, offset %d: %s
            %s
            expected  %s
            found     %s
        """.formatted(violation.law().text(), violation.topic(), violation.partition(), violation.offset(),
        violation.key(),
        violation.where(), violation.expected(), violation.found());
  }

  private static String summary(String prefix, AuditReport report) {
    var unchecked = report.resources(ResourceOutcome.UNCHECKED);
    var changed = report.resources(ResourceOutcome.CHANGED_MEANWHILE);
    var unreadable = report.unreadableRecords();
    return "%s: %,d records read%s; the states of %,d resources %s their changes%s%s; %s".formatted(
        prefix, report.records(), unreadable == 0 ? "" : ", %,d of them cannot be used".formatted(unreadable),
        report.resources(ResourceOutcome.CHECKED),
        report.clean() ? "match" : "were compared with",
        unchecked == 0 ? "" : ", %,d cannot be checked yet (no key frame in range)".formatted(unchecked),
        changed == 0 ? "" : ", %,d changed during the audit".formatted(changed),
        report.clean() ? "every law holds" : "some laws are violated");
  }

  private static ObjectNode json(String prefix, AuditReport report) {
    var json = JsonNodeFactory.instance.objectNode()
        .put("prefix", prefix)
        .put("clean", report.clean())
        .put("records", report.records())
        .put("unreadable", report.unreadableRecords())
        .put("checked", report.resources(ResourceOutcome.CHECKED))
        .put("unchecked", report.resources(ResourceOutcome.UNCHECKED))
        .put("changed_meanwhile", report.resources(ResourceOutcome.CHANGED_MEANWHILE));
    var counts = json.putObject("counts");
    report.counts().forEach((law, count) -> counts.put(name(law), count));
    var violations = json.putArray("violations");
    report.violations().forEach(each -> violations.add(json(each)));
    return json;
  }

  private static ObjectNode json(Violation violation) {
    return JsonNodeFactory.instance.objectNode()
        .put("law", name(violation.law()))
        .put("topic", violation.topic())
        .put("partition", violation.partition())
        .put("offset", violation.offset())
        .put("key", violation.key())
        .put("where", violation.where())
        .put("expected", violation.expected())
        .put("found", violation.found());
  }

  private static String name(ConsistencyLaw law) {
    return law.name().toLowerCase(Locale.ROOT);
  }
}
