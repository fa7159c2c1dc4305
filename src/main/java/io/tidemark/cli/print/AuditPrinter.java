package io.tidemark.cli.print;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.audit.AuditReport;
import io.tidemark.audit.Law;
import io.tidemark.audit.Violation;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an audit found, for people and for programs. */
public final class AuditPrinter {

  private AuditPrinter() {}

  public static String of(String prefix, AuditReport report) {
    var counts = new TreeMap<>(report.counts());
    var lines = Stream.of(
        report.violations().stream().map(AuditPrinter::of),
        counts.entrySet().stream().map(each -> "%,10d x broken: %s".formatted(each.getValue(), each.getKey().text())),
        Stream.of(summary(prefix, report)))
        .flatMap(each -> each);
    return lines.collect(Collectors.joining("\n"));
  }

  private static String of(Violation offence) {
    return """
        %s
            %s, partition %d, offset %d: %s
            %s
            expected  %s
            found     %s
        """.formatted(offence.law().text(), offence.topic(), offence.partition(), offence.offset(), offence.key(),
        offence.where(), offence.expected(), offence.found());
  }

  private static String summary(String prefix, AuditReport report) {
    var text = "%s: %,d records read; %,d resources are the fold of their changes"
        .formatted(prefix, report.records(), report.judged());
    return text
        + (report.unjudged() == 0 ? ""
            : ", %,d cannot be judged yet (no key frame in range)".formatted(report.unjudged()))
        + (report.changedMeanwhile() == 0 ? "" : ", %,d changed meanwhile".formatted(report.changedMeanwhile()))
        + (report.clean() ? "; every law holds" : "; laws are broken");
  }

  public static ObjectNode json(String prefix, AuditReport report) {
    var json = JsonNodeFactory.instance.objectNode()
        .put("prefix", prefix)
        .put("clean", report.clean())
        .put("records", report.records())
        .put("judged", report.judged())
        .put("unjudged", report.unjudged())
        .put("moved", report.changedMeanwhile());
    var broken = json.putObject("broken");
    report.counts().forEach((law, count) -> broken.put(name(law), count));
    var offences = json.putArray("offences");
    report.violations().forEach(each -> offences.add(json(each)));
    return json;
  }

  private static ObjectNode json(Violation offence) {
    return JsonNodeFactory.instance.objectNode()
        .put("law", name(offence.law()))
        .put("topic", offence.topic())
        .put("partition", offence.partition())
        .put("offset", offence.offset())
        .put("key", offence.key())
        .put("where", offence.where())
        .put("expected", offence.expected())
        .put("found", offence.found());
  }

  private static String name(Law law) {
    return law.name().toLowerCase(Locale.ROOT);
  }
}
