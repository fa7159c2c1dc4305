package io.tidemark.rule.expression;

import io.tidemark.rule.expression.ExpressionException.Issue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A text with expressions in it: {@code {{ about.name }} fell to {{ about.price_usd | usd }}}.
 *
 * <p>Values are written for people, bounded, and on one line, whatever strangers named their tokens; one that is
 * missing is {@code unknown}; {@code [[ ... ]]} is left out where a value in it is missing.
 */
public final class Template {

  private static final Pattern HOLE =
      Pattern.compile("\\{\\{(.*?)(?:(?<!\\|)\\|(?!\\|)\\s*([A-Za-z0-9_]*)\\s*)?\\}\\}");
  private static final Pattern SECTION = Pattern.compile("\\[\\[(.*?)]]", Pattern.DOTALL);
  private static final int LONGEST = 1_000;

  private final String text;
  private final List<Part> parts;

  private Template(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  private sealed interface Part {
    /** Null where its value is missing. */
    @Nullable
    String in(IndexedRecord record, AttributeHistory past);
  }

  private record LiteralText(String words) implements Part {
    @Override
    public String in(IndexedRecord record, AttributeHistory past) {
      return words;
    }
  }

  private record Placeholder(Expression expression, ValueFormat format) implements Part {
    @Override
    public @Nullable String in(IndexedRecord record, AttributeHistory past) {
      var value = expression.value(record, past);
      return value == null ? null : format.of(value);
    }
  }

  /** Left out where a value in it is missing. */
  private record OptionalSection(List<Part> parts) implements Part {
    @Override
    public String in(IndexedRecord record, AttributeHistory past) {
      var filled = new StringBuilder();
      for (var part : parts) {
        var text = part.in(record, past);
        if (text == null) {
          return "";
        }
        filled.append(text);
      }
      return filled.toString();
    }
  }

  /**
   * Reads a text.
   *
   * @throws ExpressionException where an expression in it, or its format, is wrong; the place is that in the text
   */
  public static Template read(String text, ExpressionCompiler language) {
    if (text.length() > LONGEST) {
      throw new ExpressionException(1, 1, "at most " + LONGEST + " characters, not " + text.length());
    }
    var reading = new TemplateParser(text, language);
    var parts = reading.parts();
    if (!reading.slips.isEmpty()) {
      throw new ExpressionException(reading.slips);
    }
    return new Template(text, parts);
  }

  /** The text, filled from a record and its past. */
  public String fill(IndexedRecord record, AttributeHistory past) {
    var filled = new StringBuilder();
    parts.forEach(part -> filled.append(Objects.requireNonNullElse(part.in(record, past), "unknown")));
    return filled.toString();
  }

  /** What it stands on. */
  public Stream<Expression> expressions() {
    return expressions(parts);
  }

  private static Stream<Expression> expressions(List<Part> parts) {
    return parts.stream().flatMap(part -> switch (part) {
      case Placeholder hole -> Stream.of(hole.expression);
      case OptionalSection section -> expressions(section.parts);
      case LiteralText words -> Stream.of();
    });
  }

  /** The template as it was written. */
  @Override
  public String toString() {
    return text;
  }

  public static Map<String, String> filled(Map<String, Template> templates, IndexedRecord record,
      AttributeHistory past) {
    var filled = new LinkedHashMap<String, String>();
    templates.forEach((name, template) -> filled.put(name, template.fill(record, past)));
    return filled;
  }

  /** One text while it is read: what is wrong in one hole is noted, and reading goes on. */
  private static final class TemplateParser {

    private final String text;
    private final ExpressionCompiler language;
    private final List<Issue> slips = new ArrayList<>();

    TemplateParser(String text, ExpressionCompiler language) {
      this.text = text;
      this.language = language;
    }

    List<Part> parts() {
      var parts = new ArrayList<Part>();
      var sections = SECTION.matcher(text);
      var end = 0;
      while (sections.find()) {
        parts.addAll(holes(end, sections.start()));
        parts.add(new OptionalSection(holes(sections.start(1), sections.end(1))));
        end = sections.end();
      }
      parts.addAll(holes(end, text.length()));
      return parts;
    }

    private List<Part> holes(int start, int stop) {
      var parts = new ArrayList<Part>();
      var holes = HOLE.matcher(text).region(start, stop);
      var end = start;
      while (holes.find()) {
        parts.add(new LiteralText(text.substring(end, holes.start())));
        hole(holes).ifPresent(parts::add);
        end = holes.end();
      }
      var rest = text.substring(end, stop);
      if (rest.contains("{{")) {
        note(end + rest.indexOf("{{"), "{{ without its }}");
      }
      parts.add(new LiteralText(rest));
      return parts;
    }

    private Optional<Part> hole(MatchResult hole) {
      var expression = noting(hole.start(1), () -> language.expression(hole.group(1)));
      var format = hole.group(2) == null
          ? Optional.of(ValueFormat.plain)
          : noting(hole.start(2), () -> ValueFormat.of(hole.group(2)));
      return expression.flatMap(value -> format.map(form -> new Placeholder(value, form)));
    }

    /** What is made of a part of the text that begins there; empty, and noted, where nothing can be. */
    private <T> Optional<T> noting(int start, Supplier<T> made) {
      try {
        return Optional.of(made.get());
      } catch (ExpressionException e) {
        e.issues().forEach(slip -> note(start + offset(start, slip), slip.problem()));
        return Optional.empty();
      }
    }

    private int offset(int start, Issue slip) {
      var line = 0;
      for (var passed = 1; passed < slip.line(); passed++) {
        line = text.indexOf('\n', start + line) + 1 - start;
      }
      return line + slip.column() - 1;
    }

    private void note(int offset, String problem) {
      var before = text.substring(0, Math.min(offset, text.length()));
      var line = 1 + (int) before.chars().filter(c -> c == '\n').count();
      slips.add(new Issue(line, before.length() - before.lastIndexOf('\n'), problem));
    }
  }
}
