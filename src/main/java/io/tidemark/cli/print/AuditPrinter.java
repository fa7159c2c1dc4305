package io.tidemark.cli.print;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.audit.AuditReport;
import io.tidemark.audit.AuditReport.ResourceOutcome;
import io.tidemark.audit.AuditReport.Violation;
import io.tidemark.audit.ConsistencyLaw;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the report of an audit, as text or as JSON. */
public final class AuditPrinter {

  private AuditPrinter() {}

  public static String text(String prefix, AuditReport report) {
    var counts = new TreeMap<>(report.counts());
    var lines = Stream.of(
        report.violations().stream().map(AuditPrinter::text),
        report.unreadable().stream().map(each -> "cannot be used, and is skipped by every role: " + each),
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
    return "%s: %,d records read%s; %,d resources are the fold of their changes%s%s; %s".formatted(
        prefix, report.records(), unreadable == 0 ? "" : ", %,d of them cannot be used".formatted(unreadable),
        report.resources(ResourceOutcome.CHECKED),
        unchecked == 0 ? "" : ", %,d cannot be checked yet (no key frame in range)".formatted(unchecked),
        changed == 0 ? "" : ", %,d changed meanwhile".formatted(changed),
        report.clean() ? "every law holds" : "some laws are violated");
  }

  public static ObjectNode json(String prefix, AuditReport report) {
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
