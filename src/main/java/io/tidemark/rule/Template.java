package io.tidemark.rule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private static final Pattern HOLE = Pattern.compile("\\{\\{(.*?)(?:(?<!\\|)\\|(?!\\|)\\s*([A-Za-z0-9_]*)\\s*)?\\}\\}");
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
    @Nullable String in(IndexedRecord record, Past past);
  }

  private record Words(String words) implements Part {
    @Override
    public String in(IndexedRecord record, Past past) {
      return words;
    }
  }

  private record Hole(Expression expression, Format format) implements Part {
    @Override
    public @Nullable String in(IndexedRecord record, Past past) {
      var value = expression.value(record, past);
      return value == null ? null : format.of(value);
    }
  }

  /** Left out where a value in it is missing. */
  private record Section(List<Part> parts) implements Part {
    @Override
    public String in(IndexedRecord record, Past past) {
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
   * @throws ConditionException where an expression in it, or its format, is wrong; the place is that in the text
   */
  static Template read(String text, Language language) {
    if (text.length() > LONGEST) {
      throw new ConditionException(1, 1, "at most " + LONGEST + " characters, not " + text.length());
    }
    var parts = new ArrayList<Part>();
    var sections = SECTION.matcher(text);
    var end = 0;
    while (sections.find()) {
      parts.addAll(holes(text, end, sections.start(), language));
      parts.add(new Section(holes(text, sections.start(1), sections.end(1), language)));
      end = sections.end();
    }
    parts.addAll(holes(text, end, text.length(), language));
    return new Template(text, parts);
  }

  private static List<Part> holes(String text, int start, int stop, Language language) {
    var parts = new ArrayList<Part>();
    var holes = HOLE.matcher(text).region(start, stop);
    var end = start;
    while (holes.find()) {
      parts.add(new Words(text.substring(end, holes.start())));
      parts.add(new Hole(expression(text, holes, language), format(text, holes)));
      end = holes.end();
    }
    var rest = text.substring(end, stop);
    if (rest.contains("{{")) {
      throw at(text, end + rest.indexOf("{{"), "{{ without its }}");
    }
    parts.add(new Words(rest));
    return parts;
  }

  /** The text, filled from a record and its past. */
  public String fill(IndexedRecord record, Past past) {
    var filled = new StringBuilder();
    parts.forEach(part -> filled.append(Objects.requireNonNullElse(part.in(record, past), "unknown")));
    return filled.toString();
  }

  /** What it stands on. */
  Stream<Expression> expressions() {
    return expressions(parts);
  }

  private static Stream<Expression> expressions(List<Part> parts) {
    return parts.stream().flatMap(part -> switch (part) {
      case Hole hole -> Stream.of(hole.expression);
      case Section section -> expressions(section.parts);
      case Words words -> Stream.of();
    });
  }

  /** The template as it was written. */
  @Override
  public String toString() {
    return text;
  }

  static Map<String, String> filled(Map<String, Template> templates, IndexedRecord record, Past past) {
    var filled = new LinkedHashMap<String, String>();
    templates.forEach((name, template) -> filled.put(name, template.fill(record, past)));
    return filled;
  }

  private static Expression expression(String text, MatchResult hole, Language language) {
    try {
      return language.expression(hole.group(1));
    } catch (ConditionException e) {
      throw at(text, hole.start(1) + offset(hole.group(1), e.line(), e.column()), e.problem());
    }
  }

  private static Format format(String text, MatchResult hole) {
    var name = hole.group(2);
    try {
      return name == null ? Format.plain : Format.of(name);
    } catch (ConditionException e) {
      throw at(text, hole.start(2), e.problem());
    }
  }

  private static int offset(String text, int line, int column) {
    var start = 0;
    for (var passed = 1; passed < line; passed++) {
      start = text.indexOf('\n', start) + 1;
    }
    return start + column - 1;
  }

  private static ConditionException at(String text, int offset, String problem) {
    var before = text.substring(0, Math.min(offset, text.length()));
    var line = 1 + (int) before.chars().filter(c -> c == '\n').count();
    return new ConditionException(line, before.length() - before.lastIndexOf('\n'), problem);
  }
}
