package io.tidemark.yaml;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A single value of a file, and what it can be read as; what is wrong with it is a {@link YamlException} that names its
 * position and path.
 *
 * @param path the keys that lead to it, joined by dots
 * @param text the value, with variables replaced
 * @param written what messages show of it: never what a variable stands for
 */
public record YamlValue(FilePosition position, String path, String text, String written) {

  YamlValue(FilePosition position, String path, String text) {
    this(position, path, text, text);
  }

  public int integer() {
    return number(Integer::parseInt, "a whole number");
  }

  /** A whole number in a range, which {@code expected} says to people. */
  public int integer(int lowest, int highest, String expected) {
    var integer = integer();
    if (integer < lowest || integer > highest) {
      throw invalid(expected + ", not " + written);
    }
    return integer;
  }

  public long longInteger() {
    return number(Long::parseLong, "a whole number");
  }

  public double number() {
    return number(Double::parseDouble, "a number");
  }

  public boolean flag() {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw isNot("true or false", null);
    };
  }

  public Duration duration(DurationFormat format) {
    var duration = format.parse(text);
    if (duration == null) {
      throw isNot(format.example(), null);
    }
    return duration;
  }

  /** The value itself, which is one of a closed set. */
  public String oneOf(List<String> texts) {
    if (!texts.contains(text)) {
      throw isNot("one of " + String.join(", ", texts), NameSuggestion.nearest(text, texts));
    }
    return text;
  }

  /** The one of a closed set that this value names. */
  public <E> E oneOf(E[] values, Function<E, String> nameOf) {
    var name = oneOf(Stream.of(values).map(nameOf).toList());
    return Stream.of(values).filter(value -> nameOf.apply(value).equals(name)).findFirst().orElseThrow();
  }

  /** What a constructor makes of the text; its {@code IllegalArgumentException} becomes one with the position. */
  public <T> T as(Function<String, T> constructor) {
    return YamlException.locate(() -> constructor.apply(text), this::invalid);
  }

  /** The same value, its text replaced by a part of it. */
  public YamlValue withText(String part) {
    return new YamlValue(position, path, part, written);
  }

  public YamlException invalid(String problem) {
    return new YamlException(position, path, problem);
  }

  private <T> T number(Function<String, T> parse, String expected) {
    try {
      return parse.apply(text);
    } catch (NumberFormatException e) {
      throw isNot(expected, null);
    }
  }

  private YamlException isNot(String expected, @Nullable String meant) {
    return invalid("'" + written + "' is not " + expected + (meant == null ? "" : "; did you mean " + meant + "?"));
  }
}
