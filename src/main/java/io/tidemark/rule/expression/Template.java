package io.tidemark.rule.expression;

import io.tidemark.event.SafeText;
import io.tidemark.rule.expression.ExpressionException.Issue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A text with expressions in placeholders: {@code {{ about.name }} fell to {{ about.price_usd | usd }}}. Templates with
 * the same text are equal.
 *
 * <p>Values are formatted for people. Each value is one line of bounded length, because it may be the name of a token,
 * which anyone can choose freely. A missing value is written as {@link #UNKNOWN}. A section {@code [[ ... ]]} is left
 * out if any value in the section is missing.
 */
public final class Template {

  /** What a missing value is written as. */
  public static final String UNKNOWN = "unknown";

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{\\{(.*?)(?:(?<!\\|)\\|(?!\\|)\\s*(\\w*)(?:\\s*\\(([^)}]*)\\))?\\s*)?\\}\\}");
  private static final Pattern SECTION = Pattern.compile("\\[\\[(.*?)]]", Pattern.DOTALL);
  private static final int MAX_CHARACTERS = 1_000;
  private static final int MAX_VALUE_CHARACTERS = 80;

  private final String text;
  private final List<TemplatePart> parts;
  private final List<Expression> expressions;

  /** A part of the text: a literal text, an expression, or a section. */
  private interface TemplatePart {
    /** Returns the text of the part for a record, or null if the value of the part's expression is missing. */
    @Nullable
    String fill(EvaluatedRecord record);
  }

  private Template(String text, List<TemplatePart> parts, List<Expression> expressions) {
    this.text = text;
    this.parts = List.copyOf(parts);
    this.expressions = List.copyOf(expressions);
  }

  /**
   * Compiles the text of a template. Only a strict compiler limits the length of the text.
   *
   * @throws ExpressionException if an expression or a format in the text is invalid; its message names the position in
   *     the text
   */
  public static Template compile(String text, ExpressionCompiler compiler) {
    if (compiler.isStrict() && text.length() > MAX_CHARACTERS) {
      throw new ExpressionException(1, 1,
          "a template must have at most " + MAX_CHARACTERS + " characters, not " + text.length());
    }
    var parser = new TemplateParser(text, compiler);
    var parts = parser.parts();
    if (!parser.issues.isEmpty()) {
      throw new ExpressionException(parser.issues);
    }
    return new Template(text, parts, parser.expressions);
  }

  /** Returns the text of the template, with the values of a record and of the history of the record's resource. */
  public String fill(EvaluatedRecord record) {
    var filled = new StringBuilder();
    parts.forEach(part -> filled.append(Objects.requireNonNullElse(part.fill(record), UNKNOWN)));
    return filled.toString();
  }

  /** Fills several templates like {@link #fill}. Returns the texts by the names of the templates. */
  public static Map<String, String> fillAll(Map<String, Template> templates, EvaluatedRecord record) {
    var filled = new LinkedHashMap<String, String>();
    templates.forEach((name, template) -> filled.put(name, template.fill(record)));
    return filled;
  }

  /** Returns the numeric attributes whose history the template needs, each with the longest window in a call. */
  public SortedMap<String, Duration> history() {
    return AttributeHistory.longest(expressions.stream().map(Expression::history));
  }

  public Set<String> names() {
    return expressions.stream().flatMap(each -> each.names().stream()).collect(Collectors.toSet());
  }

  /** Converts a text to one line of bounded length, without control characters. */
  static String bounded(String text) {
    return SafeText.singleLine(text, MAX_VALUE_CHARACTERS);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Template template && template.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  /** A parser of one template. An issue in a placeholder is added to the issues, and parsing continues. */
  private static final class TemplateParser {

    private final String text;
    private final ExpressionCompiler compiler;
    private final List<Expression> expressions = new ArrayList<>();
    private final List<Issue> issues = new ArrayList<>();

    TemplateParser(String text, ExpressionCompiler compiler) {
      this.text = text;
      this.compiler = compiler;
    }

    List<TemplatePart> parts() {
      var parts = new ArrayList<TemplatePart>();
      var sections = SECTION.matcher(text);
      var end = 0;
      while (sections.find()) {
        parts.addAll(placeholders(end, sections.start()));
        parts.add(section(placeholders(sections.start(1), sections.end(1))));
        end = sections.end();
      }
      parts.addAll(placeholders(end, text.length()));
      return parts;
    }

    private List<TemplatePart> placeholders(int start, int stop) {
      var parts = new ArrayList<TemplatePart>();
      var matcher = PLACEHOLDER.matcher(text).region(start, stop);
      var end = start;
      while (matcher.find()) {
        parts.add(literal(end, matcher.start()));
        placeholder(matcher).ifPresent(parts::add);
        end = matcher.end();
      }
      var rest = text.substring(end, stop);
      if (rest.contains("{{")) {
        add(end + rest.indexOf("{{"), "{{ has no closing }}");
      }
      parts.add(literal(end, stop));
      return parts;
    }

    private Optional<TemplatePart> placeholder(MatchResult match) {
      var expression = attempt(match.start(1), () -> compiler.expression(match.group(1)));
      var format = match.group(2) == null
          ? Optional.of(ValueFormat.STANDARD)
          : attempt(match.start(2),
              () -> ValueFormat.of(match.group(2), match.group(3) == null ? null : match.group(3).strip()));
      expression.ifPresent(expressions::add);
      return expression.flatMap(value -> format.map(each -> record -> {
        var result = value.value(record);
        return result == null ? null : each.format(result);
      }));
    }

    private TemplatePart literal(int start, int stop) {
      var literal = text.substring(start, stop);
      return record -> literal;
    }

    /** The section's text is empty if the value of any part is missing. */
    private static TemplatePart section(List<TemplatePart> parts) {
      return record -> {
        var filled = new StringBuilder();
        for (var part : parts) {
          var text = part.fill(record);
          if (text == null) {
            return "";
          }
          filled.append(text);
        }
        return filled.toString();
      };
    }

    /**
     * Compiles the part of the text that begins at {@code start}, and returns the result. If compiling fails, adds the
     * issues and returns empty.
     */
    private <T> Optional<T> attempt(int start, Supplier<T> compile) {
      try {
        return Optional.of(compile.get());
      } catch (ExpressionException e) {
        e.issues().forEach(issue -> add(start + offset(start, issue), issue.problem()));
        return Optional.empty();
      }
    }

    private int offset(int start, Issue issue) {
      var line = 0;
      for (var passed = 1; passed < issue.line(); passed++) {
        line = text.indexOf('\n', start + line) + 1 - start;
      }
      return line + issue.column() - 1;
    }

    private void add(int offset, String problem) {
      var before = text.substring(0, Math.min(offset, text.length()));
      var line = 1 + (int) before.chars().filter(c -> c == '\n').count();
      issues.add(new Issue(line, before.length() - before.lastIndexOf('\n'), problem));
    }
  }
}
