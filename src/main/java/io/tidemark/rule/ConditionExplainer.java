package io.tidemark.rule;

import io.tidemark.event.Alert;
import io.tidemark.event.DurationFormat;
import io.tidemark.rule.expression.ExpressionCompiler;
import io.tidemark.rule.expression.Template;
import io.tidemark.rule.expression.Vocabulary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/**
 * A rule that fires for each record on which another rule is evaluated, and whose labels have the results of the parts
 * of the other rule's {@code when}, and of its {@code after}. It explains why the other rule did not fire.
 *
 * @param probed the other rule
 * @param rule the rule that fires for each record; the name of a label is the part of a condition
 */
public record ConditionExplainer(Rule probed, Rule rule) {

  private static final Pattern TOKEN =
      Pattern.compile("\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'|//.*|&&|\\|\\||[?(){}\\[\\]]");

  /** Returns the probe of a rule. The schema is that of the records of the rule's topic. */
  public static ConditionExplainer of(Rule probed, Schema schema) {
    var compiler = new ExpressionCompiler(Vocabulary.of(schema), probed.settings(), false);
    var parts = new ArrayList<>(parts(probed.when().toString()));
    if (probed.after() != null) {
      parts.add(probed.after().toString());
    }
    var labels = new LinkedHashMap<String, Template>();
    parts.forEach(part -> labels.put(part, Template.compile(
        "{{ (" + onOneLine(part) + ") ? 'true' : 'false' }}", compiler)));
    var any = compiler.condition("true || (" + String.join("\n) || (", parts) + "\n)");
    return new ConditionExplainer(probed,
        new Rule(probed.name(), probed.on(), Rule.Kind.EVENT, any, null, 1, Duration.ZERO, null,
            Duration.ZERO, Duration.ZERO, Duration.ZERO,
            probed.on().equals(Rule.ALERTS) ? probed.once() : List.of(), Duration.ZERO, Duration.ZERO,
            probed.settings(),
            probed.severity(), labels, Map.of("summary", Template.compile("-", compiler)), 1));
  }

  /** Explains why the other rule did not fire on the record of an alert. Returns a line for each part that is false or has no data, or one line if all parts hold. */
  public List<String> explain(Alert alert) {
    var lines = rule.labels().keySet().stream().filter(part -> !"true".equals(alert.getLabels().get(part)))
        .map(part -> part + ("false".equals(alert.getLabels().get(part)) ? " is false" : " has no data")
            + alert.getEvidence().getLast().getValues().entrySet().stream()
                .filter(value -> part.contains(value.getKey().split(",", 2)[0]))
                .map(value -> "; " + value.getKey() + " = " + value.getValue())
                .collect(Collectors.joining()))
        .toList();
    return lines.isEmpty() ? List.of("the condition holds; for: %s, times: %d, within: %s, cooldown: %s".formatted(
        DurationFormat.format(probed.holdFor()), probed.times(), DurationFormat.format(probed.within()),
        DurationFormat.format(probed.cooldown()))) : lines;
  }

  /** Returns a part for a placeholder, which ends at the first line break and at two closing brackets in a row. */
  private static String onOneLine(String part) {
    return TOKEN.matcher(part)
        .replaceAll(token -> token.group().startsWith("//") ? ""
            : Matcher.quoteReplacement(token.group().length() == 1 ? token.group() + " " : token.group()))
        .replaceAll("\\R", " ");
  }

  /** Splits a condition at each {@code &&} outside of brackets and texts. A condition with {@code ||} or {@code ?} there is one part. */
  static List<String> parts(String condition) {
    var parts = new ArrayList<String>();
    var begin = 0;
    var depth = 0;
    for (var token : TOKEN.matcher(condition).results().toList()) {
      depth += switch (token.group()) {
        case "(", "[", "{" -> 1;
        case ")", "]", "}" -> -1;
        default -> 0;
      };
      if (depth == 0 && (token.group().equals("||") || token.group().equals("?"))) {
        return List.of(condition.strip());
      }
      if (depth == 0 && token.group().equals("&&")) {
        parts.add(condition.substring(begin, token.start()).strip());
        begin = token.end();
      }
    }
    parts.add(condition.substring(begin).strip());
    return parts;
  }
}
